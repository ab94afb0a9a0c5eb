import { randomInt } from 'node:crypto';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** Thirty letters and digits that are not mistaken for one another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const PREFIX = 'HK';
const RANDOM_LENGTH = 7;

const CANDIDATES = new RegExp(`(?=${PREFIX}([${ALPHABET}]{${RANDOM_LENGTH + 1}}))`, 'g');

/**
 * The check character of ISO 7064's hybrid systems, here modulo 31 and 30: it finds every single wrong letter, and
 * nearly every swap of neighbours (not those that double to the same sum, such as `HJ` at the beginning).
 */
function checkCharacter(text: string): string {
  let product = ALPHABET.length;
  for (const letter of text) {
    const sum = (product + ALPHABET.indexOf(letter)) % ALPHABET.length || ALPHABET.length;
    product = (sum * 2) % (ALPHABET.length + 1);
  }
  return ALPHABET.charAt((ALPHABET.length + 1 - product) % ALPHABET.length);
}

function printed(letters: string): string {
  return `${PREFIX}-${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/**
 * A reference such as `HK-7F3K-92QX`. Whoever writes one wrong letter, or swaps two neighbours, has not written
 * another one, and none begins in the middle of it.
 */
export function drawReference(): string {
  for (;;) {
    let letters = '';
    while (letters.length < RANDOM_LENGTH) letters += ALPHABET.charAt(randomInt(ALPHABET.length));
    letters += checkCharacter(letters);
    if (!letters.includes(PREFIX) && !hasSilentSwap(letters)) return printed(letters);
  }
}

/** Whether two neighbours can be swapped so that the check character does not tell. */
function hasSilentSwap(letters: string): boolean {
  return [...letters].some((letter, at) => {
    const next = letters.charAt(at + 1);
    const swapped = letters.slice(0, at) + next + letter + letters.slice(at + 2);
    return next !== '' && next !== letter && isChecked(swapped);
  });
}

function isChecked(letters: string): boolean {
  return checkCharacter(letters.slice(0, RANDOM_LENGTH)) === letters.charAt(RANDOM_LENGTH);
}

const taken = statement<object>('reference_taken', 'SELECT FROM payments WHERE reference = $1');

/** A reference that no payment has. */
export async function newReference(db: Executor): Promise<string> {
  for (;;) {
    const reference = drawReference();
    if ((await db.run(taken, [reference])).length === 0) return reference;
  }
}

/**
 * The references in what a payer wrote: whatever case, and however spaces, dashes and line breaks (which banks add
 * inside of words) were set. Each once.
 */
export function referencesIn(text: string): string[] {
  const letters = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const found = [...letters.matchAll(CANDIDATES)].flatMap(([, candidate = '']) =>
    isChecked(candidate) ? [printed(candidate)] : [],
  );
  return [...new Set(found)];
}
