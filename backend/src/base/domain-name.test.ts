import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DomainName, type DomainNameProblem, readDomainName, unicodeName } from './domain-name.ts';

test('a name is read in any case, with spaces around it and with the root’s dot', () => {
  for (const text of [
    'example.com',
    'EXAMPLE.Com',
    '  example.com\n',
    'example.com.',
    '\ufeffexample.com. ',
  ]) {
    assert.deepEqual(valid(text), {
      ascii: 'example.com',
      unicode: 'example.com',
      labels: ['example', 'com'],
    });
  }
});

test('Unicode, decomposed Unicode, punycode and full-width text are one name', () => {
  const spellings = ['bücher.de', 'BÜCHER.DE', 'bu\u0308cher.de', 'xn--bcher-kva.de', 'XN--BCHER-KVA.DE'];
  for (const text of [...spellings, 'ｂüｃｈｅｒ．ｄｅ', 'bücher。de', 'bü\u00adcher.de', 'bücher.de｡']) {
    assert.deepEqual(valid(text), {
      ascii: 'xn--bcher-kva.de',
      unicode: 'bücher.de',
      labels: ['xn--bcher-kva', 'de'],
    });
  }
});

test('processing is non-transitional: ß, final sigma and joiners are kept', () => {
  assert.equal(valid('Straße.de').ascii, 'xn--strae-oqa.de');
  assert.equal(valid('STRASSE.de').ascii, 'strasse.de');
  assert.equal(valid('βόλος.com').ascii, 'xn--nxasmm1c.com');
  assert.equal(valid('نامه\u200cای.com').ascii, 'xn--mgba3gch31f060k.com');
});

test('names of digits are names, addresses are not', () => {
  assert.equal(valid('123').ascii, '123');
  assert.equal(valid('1.2.3.de').ascii, '1.2.3.de');
  assert.equal(valid('0x7f').ascii, '0x7f');
  refused('address', '192.0.2.1', '1.2', '１９２.0.2.1', 'example.123');
  refused('character', '2001:db8::1', '[::1]');
});

test('labels have 1 to 63 octets and the name at most 253', () => {
  assert.equal(valid(`${'a'.repeat(63)}.com`).labels[0]?.length, 63);
  refused('label_too_long', `${'a'.repeat(64)}.com`, `${'ü'.repeat(60)}.com`);
  const long = `${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(61)}`;
  assert.equal(valid(long).ascii.length, 253);
  refused('name_too_long', `${long}a`, 'a.'.repeat(130).concat('com'), 'a'.repeat(5_000), 'ü'.repeat(5_000));
  refused('empty', '', ' ', '\t\n', '\u00ad');
  refused('empty_label', '.', '..', 'a..com', '.com', 'a.com..', 'ü..com', 'a.\u00ad.com');
});

test('labels are letters, digits and inner hyphens', () => {
  assert.equal(valid('a-1--b.com').ascii, 'a-1--b.com');
  refused('hyphen', '-a.com', 'a-.com', '-.com', 'a.-b.com');
  refused(
    'character',
    'a b.com',
    'a_b.com',
    'a+b.com',
    'a@b.com',
    'a/b.com',
    'a%62.com',
    'a\u0000b.com',
    '＿ü.com',
  );
  refused('reserved_hyphens', 'ab--cd.com', 'zz--a.com', 'zz--1.de');
});

test('an encoded label must be the encoding of a valid label', () => {
  refused(
    'not_idna',
    'xn--a.com',
    'xn--.com',
    'xn--abc-.com',
    'xn--strasse-.com',
    'xn--0.com',
    'xn--zzzzzzzzz.com',
  );
  // Encodings of what the mapping would have changed: a decomposed ü, a capital Ü; and of what it refuses.
  refused('not_idna', 'xn--bucher-xyd.com', 'xn--bcher-2pa.com', 'xn--ab-m1t.com', 'xn--ab-0ea.com');
});

test('what UTS 46 keeps and IDNA2008 forbids is refused', () => {
  refused(
    'not_idna',
    '☃.com',
    'i♥you.com',
    '💩.com',
    'xn--ls8h.com',
    'a≠b.com',
    'a\u20d0.com',
    'ـب.com',
    '\u19da.com',
  );
  refused('not_idna', '-ü.com', 'ü-.com', 'ü--.com', 'aü--b.com', '\u0301a.com');
});

test('characters that depend on their surroundings are accepted only there', () => {
  for (const text of ['l·l.cat', 'ʹα', '͵α.gr', 'א״ב.com', 'カ・カ.com', '漢・.com', 'ا٠.com', 'ا۰.com'])
    valid(text);
  refused('not_idna', 'a·b.cat', '·l.cat', '͵a.gr', '・.com', 'a\u200db.com', 'a\u200cb.com');
});

test('letters that fold to capitals are accepted: Cherokee', () => {
  assert.equal(valid('ᏣᎳᎩ.com').unicode, valid('ꮳꮃꭹ.com').unicode);
});

test('right-to-left labels obey the bidi rule (RFC 5893)', () => {
  valid('אב.com');
  valid('א1.com');
  valid('אב.א1');
  refused('bidi', 'אבc.com', '1א.com', 'א-.com', '٠a.com', 'a״b.com', 'א٠1.com', 'ا٠۰.com');
});

test('in a name with anything from right to left, every label obeys the bidi rule', () => {
  refused('bidi', '0a.א', '0a.xn--4db', '1.אב.com', 'אב.1a', 'a·.אב', 'אב.4com');
  valid('a0.א');
});

test('hostile texts are refused with a reason, in time that their length bounds', () => {
  refused('not_idna', '\ud800.com', 'a\udfffb.com', '\ufffd.com', 'b\u202ecod.com', 'a\u2066b.com');
  refused(
    'name_too_long',
    'a.'.repeat(300),
    'ü.'.repeat(300),
    `${'xn--'.repeat(500)}.com`,
    '.'.repeat(5_000),
  );
  refused('name_too_long', `${'a'.repeat(63)}.`.repeat(3).concat('b'.repeat(62)));
  refused('label_too_long', `xn--${'9'.repeat(70)}.com`, '\u05d0\u0301'.repeat(400));
  refused('not_idna', 'xn--\u00fc.com', 'xn--xn--a-ecp.com', 'xn--a-ecp\u0301.com', 'xn--99999999.com');
});

test('property: no text breaks the reader, and what it accepts keeps every limit', () => {
  fc.assert(
    fc.property(text(), (given) => {
      const reading = readDomainName(given);
      if (!reading.ok) return;
      const { ascii, unicode, labels } = reading.name;
      assert.equal(labels.join('.'), ascii);
      assert.ok(ascii.length <= 253);
      for (const label of labels) assert.match(label, /^(?=.{1,63}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
      assert.equal(unicodeName(ascii), unicode);
      assert.ok(unicode.split('.').every((label) => !label.startsWith('xn--')));
    }),
    { numRuns: 1_000 },
  );
});

test('property: a name read again, in either form and in capitals, is the same name', () => {
  fc.assert(
    fc.property(fc.oneof(ldhName(), text()), (given) => {
      const reading = readDomainName(given);
      if (!reading.ok) return;
      const { ascii, unicode } = reading.name;
      for (const spelling of [
        ascii,
        unicode,
        ascii.toUpperCase(),
        ` ${unicode}. `,
        unicode.normalize('NFD'),
      ]) {
        assert.deepEqual(readDomainName(spelling), reading, spelling);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('property: every name of letters, digits and inner hyphens is accepted as it is', () => {
  fc.assert(
    fc.property(ldhName(), (name) => {
      assert.equal(valid(name).ascii, name);
    }),
  );
});

test('property: words of a script are accepted and come back as they were', () => {
  const scripts = [
    'äöüéèßñçøåłž',
    'абвгдеёжзийъ',
    'αβγδεζηθ',
    '漢字名前域名',
    'ひらがなかな',
    'हिन्दीक',
    '한국어도메인',
  ];
  const word = fc
    .constantFrom(...scripts)
    .chain((letters) =>
      fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 9 }).map((chosen) => chosen.join('')),
    );
  fc.assert(
    fc.property(word, (label) => {
      fc.pre(!/^\p{M}/u.test(label));
      const name = valid(`${label}.com`);
      assert.match(name.ascii, /^xn--[a-z0-9-]+\.com$/);
      assert.equal(name.unicode, `${label.normalize('NFC')}.com`);
    }),
  );
});

function valid(text: string): DomainName {
  const reading = readDomainName(text);
  assert.ok(reading.ok, `${JSON.stringify(text)}: ${reading.ok || reading.problem}`);
  return reading.name;
}

function refused(problem: DomainNameProblem, ...texts: string[]): void {
  for (const text of texts)
    assert.deepEqual(readDomainName(text), { ok: false, problem }, JSON.stringify(text));
}

/** Anything, and much that nearly is a name. */
function text(): fc.Arbitrary<string> {
  const near = fc.constantFrom(...'aZ09--..xn ß·\u0301\u200d\u200c\u00adאבا٠ü☃漢・_%/:@[]。').map(String);
  return fc.oneof(
    fc
      .array(fc.nat(0x10ffff), { maxLength: 10 })
      .map((points) => String.fromCodePoint(...points).toWellFormed()),
    fc.array(near, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.array(near, { maxLength: 8 }).map((parts) => `xn--${parts.join('')}.com`),
  );
}

function ldhName(): fc.Arbitrary<string> {
  const label = fc
    .stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/)
    .filter((candidate) => candidate.slice(2, 4) !== '--');
  return fc
    .array(label, { minLength: 1, maxLength: 4 })
    .filter((labels) => labels.length === 1 || /[a-z]/.test(labels.at(-1) ?? ''))
    .map((labels) => labels.join('.'));
}
