import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readIban } from './iban.ts';
import { IBAN_STRUCTURES } from './iban-structure.ts';

/** One IBAN of each country of the registry, with its bank, branch and account. */
const VECTORS = `
  AD12 0001 2030 2003 5910 0100 | 0001 2030 200359100100
  AE07 0331 2345 6789 0123 456 | 033 - 1234567890123456
  AL47 2121 1009 0000 0002 3569 8741 | 212 1100 0000000235698741
  AT61 1904 3002 3457 3201 | 19043 - 00234573201
  AZ21 NABZ 0000 0000 1370 1000 1944 | NABZ - 00000000137010001944
  BA39 1290 0794 0102 8494 | 129 007 94010284
  BE68 5390 0754 7034 | 539 - 0075470
  BG80 BNBG 9661 1020 3456 78 | BNBG 9661 20345678
  BH67 BMAG 0000 1299 1234 56 | BMAG - 00001299123456
  BI42 1000 0100 0100 0033 2045 181 | 10000 10001 00003320451
  BR18 0036 0305 0000 1000 9795 493C 1 | 00360305 00001 0009795493
  BY13 NBRB 3600 9000 0000 2Z00 AB00 | NBRB - 900000002Z00AB00
  CH93 0076 2011 6238 5295 7 | 00762 - 011623852957
  CR05 0152 0200 1026 2840 66 | 0152 - 02001026284066
  CY17 0020 0128 0000 0012 0052 7600 | 002 00128 0000001200527600
  CZ65 0800 0000 1920 0014 5399 | 0800 - 0000192000145399
  DE89 3704 0044 0532 0130 00 | 37040044 - 0532013000
  DJ21 0001 0000 0001 5400 0100 186 | 00010 00000 01540001001
  DK50 0040 0440 1162 43 | 0040 - 0440116243
  DO28 BAGR 0000 0001 2124 5361 1324 | BAGR - 00000001212453611324
  EE38 2200 2210 2014 5685 | 22 00 22102014568
  EG38 0019 0005 0000 0000 2631 8000 2 | 0019 0005 00000000263180002
  ES91 2100 0418 4502 0005 1332 | 2100 0418 0200051332
  FI21 1234 5600 0007 85 | 123 - 45600000785
  FK88 SC12 3456 7890 12 | SC - 123456789012
  FO62 6460 0001 6316 34 | 6460 - 0001631634
  FR14 2004 1010 0505 0001 3M02 606 | 20041 01005 0500013M026
  GB29 NWBK 6016 1331 9268 19 | NWBK 601613 31926819
  GE29 NB00 0000 0101 9049 17 | NB - 0000000101904917
  GI75 NWBK 0000 0000 7099 453 | NWBK - 000000007099453
  GL89 6471 0001 0002 06 | 6471 - 0001000206
  GR16 0110 1250 0000 0001 2300 695 | 011 0125 0000000012300695
  GT82 TRAJ 0102 0000 0012 1002 9690 | TRAJ - 0000001210029690
  HN88 CABF 0000 0000 0002 5000 5469 | CABF - 00000000000250005469
  HR12 1001 0051 8630 0016 0 | 1001005 - 1863000160
  HU42 1177 3016 1111 1018 0000 0000 | 117 7301 111110180000000
  IE29 AIBK 9311 5212 3456 78 | AIBK 931152 12345678
  IL62 0108 0000 0009 9999 999 | 010 800 0000099999999
  IQ98 NBIQ 8501 2345 6789 012 | NBIQ 850 123456789012
  IS14 0159 2600 7654 5510 7303 39 | 01 59 007654
  IT60 X054 2811 1010 0000 0123 456 | 05428 11101 000000123456
  JO94 CBJO 0010 0000 0000 0131 0003 02 | CBJO 0010 000000000131000302
  KW81 CBKU 0000 0000 0000 1234 5601 01 | CBKU - 0000000000001234560101
  KZ86 125K ZT50 0410 0100 | 125 - KZT5004100100
  LB62 0999 0000 0001 0019 0122 9114 | 0999 - 00000001001901229114
  LC55 HEMM 0001 0001 0012 0012 0002 3015 | HEMM - 000100010012001200023015
  LI21 0881 0000 2324 013A A | 08810 - 0002324013AA
  LT12 1000 0111 0100 1000 | 10000 - 11101001000
  LU28 0019 4006 4475 0000 | 001 - 9400644750000
  LV80 BANK 0000 4351 9500 1 | BANK - 0000435195001
  LY83 0020 4800 0020 1001 2036 1 | 002 048 000020100120361
  MC58 1122 2000 0101 2345 6789 030 | 11222 00001 01234567890
  MD24 AG00 0225 1000 1310 4168 | AG - 000225100013104168
  ME25 5050 0001 2345 6789 51 | 505 - 0000123456789
  MK07 2501 2000 0058 984 | 250 - 1200000589
  MN12 1234 1234 5678 9123 | 1234 - 123456789123
  MR13 0002 0001 0100 0012 3456 753 | 00020 00101 00001234567
  MT84 MALT 0110 0001 2345 MTLC AST0 01S | MALT 01100 0012345MTLCAST001S
  MU17 BOMM 0101 1010 3030 0200 000M UR | BOMM01 01 101030300200
  NI45 BAPR 0000 0013 0000 0355 8124 | BAPR - 00000013000003558124
  NL91 ABNA 0417 1643 00 | ABNA - 0417164300
  NO93 8601 1117 947 | 8601 - 111794
  OM81 0180 0000 0129 9123 456 | 018 - 0000001299123456
  PK36 SCBL 0000 0011 2345 6702 | SCBL - 0000001123456702
  PL61 1090 1014 0000 0712 1981 2874 | 10901014 - 0000071219812874
  PS92 PALS 0000 0000 0400 1234 5670 2 | PALS - 000000000400123456702
  PT50 0002 0123 1234 5678 9015 4 | 0002 0123 12345678901
  QA58 DOHB 0000 1234 5678 90AB CDEF G | DOHB - 00001234567890ABCDEFG
  RO49 AAAA 1B31 0075 9384 0000 | AAAA - 1B31007593840000
  RS35 2600 0560 1001 6113 79 | 260 - 0056010016113
  RU03 0445 2522 5408 1781 0538 0913 1041 9 | 044525225 40817 810538091310419
  SA03 8000 0000 6080 1016 7519 | 80 - 000000608010167519
  SC18 SSCB 1101 0000 0000 0000 1497 USD | SSCB11 01 0000000000001497
  SD21 2901 0501 2340 01 | 29 - 010501234001
  SE45 5000 0000 0583 9825 7466 | 500 - 0000005839825746
  SI56 2633 0001 2039 086 | 26330 - 00120390
  SK31 1200 0000 1987 4263 7541 | 1200 - 0000198742637541
  SM86 U032 2509 8000 0000 0270 100 | 03225 09800 000000270100
  SO21 1000 0010 0100 0100 141 | 1000 001 001000100141
  ST23 0001 0001 0051 8453 1014 6 | 0001 0001 00518453101
  SV62 CENR 0000 0000 0000 0070 0025 | CENR - 00000000000000700025
  TL38 0080 0123 4567 8910 157 | 008 - 00123456789101
  TN59 1000 6035 1835 9847 8831 | 10 006 0351835984788
  TR33 0006 1005 1978 6457 8413 26 | 00061 - 0519786457841326
  UA21 3223 1300 0002 6007 2335 6600 1 | 322313 - 0000026007233566001
  VA59 0011 2300 0012 3456 78 | 001 - 123000012345678
  VG96 VPVG 0000 0123 4567 8901 | VPVG - 0000012345678901
  XK05 1212 0123 4567 8906 | 12 12 0123456789
  YE15 CBYE 0001 0188 6123 4567 8912 34 | CBYE 0001 018861234567891234`
  .trim()
  .split('\n')
  .map((line) => {
    const [written = '', parts = ''] = line.trim().split(' | ');
    const [bank, branch, account] = parts.split(' ').map((part) => (part === '-' ? null : part));
    return { written, country: written.slice(0, 2), bank, branch, account };
  });

test('an IBAN of every country of the registry is valid, and says its bank, branch and account', () => {
  assert.deepEqual(
    VECTORS.map(({ country }) => country),
    [...IBAN_STRUCTURES.keys()].sort(),
  );
  for (const { written, country, bank, branch, account } of VECTORS) {
    const reading = readIban(written);
    assert.ok(reading.valid, `${written} ${JSON.stringify(reading.checks)}`);
    assert.equal(reading.formatted, written);
    assert.equal(reading.iban, written.replaceAll(' ', ''));
    assert.equal(reading.country, country);
    assert.equal(reading.checkDigits, written.slice(2, 4));
    assert.equal(reading.bban, reading.iban.slice(4));
    assert.deepEqual(reading.parts, { bank, branch, account }, written);
  }
});

const anyVector = fc.constantFrom(...VECTORS.map(({ written }) => written));

test('any one wrong digit, and any two digits swapped with their neighbours, make it invalid', () => {
  fc.assert(
    fc.property(anyVector, fc.nat(40), fc.nat(9), (written, place, digit) => {
      const iban = written.replaceAll(' ', '');
      const at = place % iban.length;
      const [here = '', next = ''] = iban.slice(at);
      if (/[0-9]/.test(here)) {
        const wrong = `${iban.slice(0, at)}${digit}${iban.slice(at + 1)}`;
        assert.equal(readIban(wrong).valid, wrong === iban, wrong);
      }
      if (/[0-9]/.test(here) && /[0-9]/.test(next)) {
        const swapped = iban.slice(0, at) + next + here + iban.slice(at + 2);
        assert.equal(readIban(swapped).valid, swapped === iban, swapped);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('case and spaces make no difference', () => {
  fc.assert(
    fc.property(
      anyVector,
      fc.infiniteStream(fc.constantFrom('', '', ' ', '\u00a0', '\t')),
      (written, gaps) => {
        const typed = [...written.toLowerCase()].map((letter) => letter + gaps.next().value).join('');
        assert.deepEqual(readIban(typed), readIban(written));
      },
    ),
  );
});

test('letters beyond ASCII are none of an IBAN, whatever their capitals are', () => {
  assert.ok(readIban('gi75 nwbk 0000 0000 7099 453').valid);
  assert.ok(readIban('sc18 sscb 1101 0000 0000 0000 1497 usd').valid);
  for (const text of [
    'Gı75 NWBK 0000 0000 7099 453',
    'ſc18 SSCB 1101 0000 0000 0000 1497 USD',
    'ß18 SSCB 1101 0000 0000 0000 1497 USD',
    'SC18 ßCB 1101 0000 0000 0000 1497 USD',
    'ＧＩ75 NWBK 0000 0000 7099 453',
  ]) {
    const { valid, iban } = readIban(text);
    assert.deepEqual([valid, iban], [false, text.replaceAll(' ', '')]);
  }
});

test('what is wrong is told apart: country, length, format, check digits', () => {
  const checks = (text: string) => {
    const { country, length, format, checksum } = readIban(text).checks;
    return [country, length, format, checksum];
  };
  assert.deepEqual(checks('DE89 3704 0044 0532 0130 00'), [true, true, true, true]);
  assert.deepEqual(checks('DE88 3704 0044 0532 0130 00'), [true, true, true, false]);
  assert.deepEqual(checks('DE89 3704 0044 0532 0130'), [true, false, false, false]);
  assert.deepEqual(checks('DE89 37O4 0044 0532 0130 00'), [true, true, false, false]);
  assert.deepEqual(checks('US89 3704 0044 0532 0130 00'), [false, false, false, false]);
  for (const text of ['', ' ', 'DE', 'ß', '💶'.repeat(21), 'DE89', '0'.repeat(42)]) {
    assert.equal(readIban(text).valid, false, text);
  }
});

test('check digits that pass the sum but are never given are wrong: 00, 01, 99', () => {
  // These are congruent to 97, 98 and 2.
  assert.equal(readIban('GB94 BARC 2020 1530 0934 59').valid, false);
  for (const [, country, digits, rest] of [/^(..)(97)(.+)$/, /^(..)(98)(.+)$/, /^(..)(02)(.+)$/].map(
    matching,
  )) {
    const other = { 97: '00', 98: '01', '02': '99' }[digits as '97'];
    assert.equal(readIban(`${country}${digits}${rest}`).valid, true);
    assert.equal(readIban(`${country}${other}${rest}`).valid, false);
  }
});

test("a country's own check digits count where the sum alone would not tell", () => {
  // A Belgian account whose last two digits are not its remainder of 97, with the right sum over all.
  const bban = '539007547035';
  const iban = `BE${checkDigitsOf('BE', bban)}${bban}`;
  assert.deepEqual(readIban(iban).checks, { country: true, length: true, format: true, checksum: false });
});

test('SEPA is told by the country', () => {
  assert.ok(readIban('CH93 0076 2011 6238 5295 7').sepa);
  assert.ok(readIban('RS35 2600 0560 1001 6113 79').sepa);
  assert.ok(!readIban('TR33 0006 1005 1978 6457 8413 26').sepa);
  assert.ok(!readIban('XX00').sepa);
});

/** A German account whose IBAN has the digits that the pattern asks for. */
function matching(pattern: RegExp): RegExpExecArray {
  for (let account = 0; ; account += 1) {
    const bban = `37040044${String(account).padStart(10, '0')}`;
    const found = pattern.exec(`DE${checkDigitsOf('DE', bban)}${bban}`);
    if (found !== null) return found;
  }
}

function checkDigitsOf(country: string, bban: string): string {
  const digits = `${bban}${country}00`.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));
  return String(98n - (BigInt(digits) % 97n)).padStart(2, '0');
}
