import { randomInt } from 'node:crypto';

/** Digits and capitals, less those that are taken for one another on paper or aloud: 0O, 1IL, 2Z, 5S, 8B, UV. */
const ALPHABET = '34679ACDEFGHJKMNPQRTWXY';

/** A random code that people copy by hand: about 4.5 bits a character. */
export function readableCode(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
