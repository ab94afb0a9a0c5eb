import { fail } from './fault.ts';
import { assigned, type Field, hexadecimal, unsigned, type Words } from './field.ts';
import type { NameReader } from './name.ts';

/** How many octets the digest has that a number names; null: as many as there are. */
type DigestLengths = ReadonlyMap<number, number | null>;

const PRIVATE_USE = 255;

/** RFC 6698 §2.1.3: the whole, SHA-256, SHA-512. */
const MATCHING_TYPES: DigestLengths = new Map([
  [0, null],
  [1, 32],
  [2, 64],
  [PRIVATE_USE, null],
]);
/** RFC 4255 §3.1.2, RFC 6594: SHA-1, SHA-256. */
const FINGERPRINT_TYPES: DigestLengths = new Map([
  [1, 20],
  [2, 32],
]);
/** RFC 4034, 4509, 5933, 6605, 9558, 9563: SHA-1, SHA-256, GOST R 34.11-94, SHA-384, GOST R 34.11-2012, SM3. */
const DS_DIGEST_TYPES: DigestLengths = new Map([
  [1, 20],
  [2, 32],
  [3, 32],
  [4, 48],
  [5, 32],
  [6, 32],
]);

/** RFC 6698 §2.1.1 and §2.1.2. */
const CERTIFICATE_USAGES = [0, 1, 2, 3, PRIVATE_USE];
const SELECTORS = [0, 1, PRIVATE_USE];
/** RSA, DSA, ECDSA, Ed25519, Ed448 (RFC 4255, 6594, 7479, 8709). */
const HOST_KEY_ALGORITHMS = [1, 2, 3, 4, 6];

/** A number that names a digest, and a digest as long as that one is. */
function digest(what: string, lengths: DigestLengths, content: string): Field {
  const type = assigned(what, [...lengths.keys()]);
  const value = hexadecimal(content);
  return (words: Words, names: NameReader) => {
    const first = type(words, names);
    const second = value(words, names);
    const expected = lengths.get(Number(first.text)) ?? second.octets;
    if (second.octets !== expected) {
      fail('invalid_format', `The ${content} must have ${expected * 2} hexadecimal digits for that ${what}.`);
    }
    return { text: `${first.text} ${second.text}`, octets: first.octets + second.octets };
  };
}

/** TLSA and SMIMEA (RFC 6698, RFC 8162). */
export const CERTIFICATE_ASSOCIATION: readonly Field[] = [
  assigned('certificate usage', CERTIFICATE_USAGES),
  assigned('selector', SELECTORS),
  digest('matching type', MATCHING_TYPES, 'certificate association'),
];

export const HOST_KEY_FINGERPRINT: readonly Field[] = [
  assigned('algorithm', HOST_KEY_ALGORITHMS),
  digest('fingerprint type', FINGERPRINT_TYPES, 'fingerprint'),
];

/** Which algorithms a child zone is signed with is not for its parent to say. */
export const DELEGATION_SIGNER: readonly Field[] = [
  unsigned('key tag', 2),
  unsigned('algorithm', 1),
  digest('digest type', DS_DIGEST_TYPES, 'digest'),
];
