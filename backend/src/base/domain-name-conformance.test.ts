import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type IdnaVector, idnaVectors } from '../../test/idna-vectors.ts';
import { type DomainNameReading, readDomainName } from './domain-name.ts';

/**
 * Where a name is read otherwise than the file says, on purpose. Every difference belongs to the first of these that it
 * fits, and the numbers are those of this file: a further difference is a mistake.
 */
const DIFFERENCES: readonly {
  readonly why: string;
  readonly names: number;
  readonly holds: (vector: IdnaVector, reading: DomainNameReading) => boolean;
}[] = [
  {
    why: "the root's dot at the end is dropped",
    names: 26,
    holds: ({ unicode, ascii }, reading) =>
      reading.ok && unicode.endsWith('.') && `${reading.name.ascii}.` === ascii,
  },
  {
    why: 'IDNA2008 does not allow symbols and punctuation that UTS 46 keeps for compatibility (NV8 of UTS 46)',
    names: 56,
    holds: ({ isValid, unicode }, reading) =>
      isValid && !reading.ok && /[^\p{L}\p{M}\p{Nd}\p{Cf}\u00b7\u0375\u05f3\u05f4\u30fb.-]/u.test(unicode),
  },
  {
    why: 'a last label of digits alone is an address, not a domain (RFC 3696 §2)',
    names: 22,
    holds: ({ isValid, unicode }, reading) =>
      isValid && !reading.ok && reading.problem === 'address' && /(^|\.)[0-9]+\.?$/.test(unicode),
  },
  {
    why: 'characters that Unicode has, or maps, since the version of the file',
    names: 27,
    holds: ({ isValid, unicode, source }, reading) =>
      !isValid && reading.ok && /[\u04c0\u10a0-\u10c5\u115f\u{31350}-\u{33479}]/u.test(unicode + source),
  },
];

test('UTS 46: every vector is read as the file says, but for the listed differences', () => {
  const seen = DIFFERENCES.map(() => 0);
  const vectors = idnaVectors();
  assert.equal(vectors.length, 6_225);
  for (const vector of vectors) {
    const reading = readDomainName(vector.source);
    if (agrees(vector, reading)) continue;
    const at = `line ${vector.line}, ${JSON.stringify(vector.source)}`;
    const difference = DIFFERENCES.findIndex(({ holds }) => holds(vector, reading));
    assert.notEqual(
      difference,
      -1,
      `${at}: ${reading.ok ? `read as ${reading.name.ascii}` : reading.problem}`,
    );
    seen[difference] = (seen[difference] ?? 0) + 1;
  }
  assert.deepEqual(
    seen,
    DIFFERENCES.map(({ names }) => names),
  );
});

function agrees({ isValid, ascii, unicode }: IdnaVector, reading: DomainNameReading): boolean {
  if (!reading.ok) return !isValid;
  return isValid && reading.name.ascii === ascii && reading.name.unicode === unicode;
}
