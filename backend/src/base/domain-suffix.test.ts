import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDomainName } from './domain-name.ts';
import { type DomainSplit, registrableName, splitDomain } from './domain-suffix.ts';

const SOLD = ['com', 'de', 'uk', 'co.uk', 'xn--p1ai', 'shop', 'io'];

test('the longest suffix that is known decides', () => {
  split('example.com', { kind: 'registrable', label: 'example', tld: 'com' });
  split('example.co.uk', { kind: 'registrable', label: 'example', tld: 'co.uk' });
  split('example.uk', { kind: 'registrable', label: 'example', tld: 'uk' });
  split('xn--e1afmkfd.xn--p1ai', { kind: 'registrable', label: 'xn--e1afmkfd', tld: 'xn--p1ai' });
  split('example.kobe.eu', { kind: 'registrable', label: 'example', tld: 'kobe.eu' }, ['eu', 'kobe.eu']);
});

test('a name without a dot has no TLD, also when it is one', () => {
  split('example', { kind: 'bare', label: 'example' });
  split('com', { kind: 'bare', label: 'com' });
});

test('of a longer name, the part that can be registered remains', () => {
  split('www.example.com', { kind: 'registrable', label: 'example', tld: 'com' });
  split('a.b.example.co.uk', { kind: 'registrable', label: 'example', tld: 'co.uk' });
});

test('a known suffix is itself a name under a shorter one', () => {
  split('co.uk', { kind: 'registrable', label: 'co', tld: 'uk' });
});

test('names under a suffix of others are not names of the shorter suffix', () => {
  split('example.ac.uk', { kind: 'unknown_tld', tld: 'ac.uk' });
  split('example.com.de', { kind: 'unknown_tld', tld: 'com.de' });
  split('example.github.io', { kind: 'unknown_tld', tld: 'github.io' });
  split('github.io', { kind: 'registrable', label: 'github', tld: 'io' });
});

test('an unknown suffix is named as the public suffix list has it', () => {
  split('example.zz', { kind: 'unknown_tld', tld: 'zz' });
  split('a.b.example.zz', { kind: 'unknown_tld', tld: 'zz' });
  split('example.co.jp', { kind: 'unknown_tld', tld: 'co.jp' });
  split('co.jp', { kind: 'unknown_tld', tld: 'jp' });
});

test("the public suffix list's own test vectors hold, for names as people type them", () => {
  const vectors = publicSuffixVectors();
  assert.equal(vectors.length, 77);
  for (const [typed, expected] of vectors) {
    const reading = readDomainName(typed);
    const registrable = reading.ok ? registrableName(reading.name.ascii, { allowPrivate: true }) : null;
    assert.equal(registrable, expected === null ? null : asciiOf(expected), typed);
    if (!reading.ok || reading.name.labels.length < 2 || registrable === null) continue;
    // Nothing is known here, so the split says what the list says.
    const suffix = registrable.slice(registrable.indexOf('.') + 1);
    assert.deepEqual(
      splitDomain(reading.name.labels, () => false),
      { kind: 'unknown_tld', tld: suffix },
      typed,
    );
  }
});

test('property: what is registrable ends the name, under a known suffix, and none longer is left', () => {
  const label = fc.constantFrom('a', 'b', 'co', 'com', 'uk', 'example', 'zz');
  const labels = fc.array(label, { minLength: 1, maxLength: 5 });
  const suffixes = fc.array(
    fc.array(label, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.')),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(labels, suffixes, (parts, known) => {
      const name = parts.join('.');
      const found = splitDomain(parts, (suffix) => known.includes(suffix));
      if (found.kind === 'bare') assert.equal(parts.length, 1);
      else if (found.kind === 'unknown_tld') assert.ok(name.endsWith(`.${found.tld}`), name);
      else {
        assert.ok(known.includes(found.tld));
        assert.ok(name === `${found.label}.${found.tld}` || name.endsWith(`.${found.label}.${found.tld}`));
        for (const suffix of known)
          assert.ok(suffix.length <= found.tld.length || !name.endsWith(`.${suffix}`));
      }
    }),
  );
});

function split(name: string, expected: DomainSplit, known: readonly string[] = SOLD): void {
  assert.deepEqual(
    splitDomain(name.split('.'), (suffix) => known.includes(suffix)),
    expected,
    name,
  );
}

/** Lines such as `checkPublicSuffix('www.city.kobe.jp', 'city.kobe.jp');`; the one about null is none for texts. */
function publicSuffixVectors(): [typed: string, expected: string | null][] {
  const file = new URL('../../test/vectors/test_psl.txt', import.meta.url);
  const line = /^checkPublicSuffix\('([^']*)', (?:'([^']*)'|null)\);$/gm;
  return [...readFileSync(file, 'utf8').matchAll(line)].map(([, typed = '', expected]) => [
    typed,
    expected ?? null,
  ]);
}

function asciiOf(name: string): string {
  const reading = readDomainName(name);
  assert.ok(reading.ok, name);
  return reading.name.ascii;
}
