import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs } from '../../../../../test/cpu-time.ts';
import { readDocument, writeDocument } from './document.ts';
import { element, textOf, writer } from './element.ts';

test('what is written is read back, whatever is in the texts', () => {
  const domain = writer('domain');
  const written = element('epp', 'epp', [
    domain('name', 'a&b <"ü\'> ]]> \u{1f600}'),
    domain('status', null, { s: 'q"<&>\'' }),
    element('epp', 'clTRID', 'x'),
  ]);
  assert.deepEqual(readDocument(writeDocument(written)), written);
});

test('characters that XML cannot hold become spaces', () => {
  const written = element('epp', 'epp', 'a\u0000b\u001fc\ud800');
  assert.equal(readDocument(writeDocument(written)).text, 'a b c\ufffd');
});

test('elements are told apart by their namespaces, whatever the prefixes are', () => {
  const root = readDocument(
    `<e:epp xmlns:e="urn:ietf:params:xml:ns:epp-1.0" xmlns:x="urn:ietf:params:xml:ns:domain-1.0">
      <x:name> a <!-- c -->&#x41;&amp;<![CDATA[<&amp;>]]> </x:name><e:name>b</e:name>
      <name xmlns="urn:ietf:params:xml:ns:host-1.0">c</name></e:epp>`,
  );
  assert.equal(textOf(root, 'domain', 'name'), 'a A&<&amp;>');
  assert.equal(textOf(root, 'epp', 'name'), 'b');
  assert.equal(textOf(root, 'host', 'name'), 'c');
});

test('what is no XML, or more than EPP needs of it, is refused', () => {
  const bad: readonly (readonly [string, RegExp])[] = [
    ['', /no XML/],
    ['<a', /no XML/],
    ['<a></b>', /no XML/],
    ['<a x="1" x="2"/>', /no XML/],
    ['<a/><b/>', /root/],
    ['hello', /no XML/],
    ['<!DOCTYPE a><a/>', /document type/],
    ['<a><!ENTITY b "c"></a>', /document type/],
    ['<a>&b;</a>', /entity/],
    ['<a>&#0;</a>', /entity/],
    ['<a>&#x110000;</a>', /entity/],
    ['<a>&#xd800;</a>', /entity/],
    ['<a>&#1;</a>', /entity/],
    ['<a>&#x;</a>', /no XML|entity/],
    ['<a>&amp</a>', /no XML/],
    ['<a>& b</a>', /no XML/],
    ['<a b="&c;"/>', /entity/],
    ['<b:a/>', /prefix/],
    [`${'<a>'.repeat(41)}${'</a>'.repeat(41)}`, /nested/],
    ['<constructor/>', /no XML/],
    ['<a __proto__="b"/>', /no XML/],
  ];
  for (const [text, reason] of bad)
    assert.throws(() => readDocument(text), { name: 'DocumentError', message: reason }, text);
});

test('what is declared once is not paid for again by every element', async () => {
  const declared = Array.from({ length: 30_000 }, (_, at) => `xmlns:p${at}="u"`).join(' ');
  const children = '<a xmlns="b"/>'.repeat(3_000);
  const cost = (text: string) => cpuMs(() => readDocument(text));
  const apart = (await cost(`<a ${declared}/>`)) + (await cost(`<a>${children}</a>`));
  const together = await cost(`<a ${declared}>${children}</a>`);
  assert.ok(together < apart * 6, `${together} ms together, ${apart} ms apart`);
});
