import { readFileSync } from 'node:fs';

/** How many digits and signs at the ends of a word make it no harder to guess: a year, `123!`. */
const MOST_ADDED = 8;
/** Longer ones are looked at as a whole and without their ends only. */
const MOST_SPLIT = 24;
const LEAST_PART = 4;

const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

let listed: string | undefined;

/**
 * Whether many people chose it: it is one of the fifty thousand passwords of a list, or what people make of those for a
 * longer one: digits and signs at the ends or in place of letters, one twice, two in a row. One text of half a megabyte,
 * read when the first password is set.
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFKC').toLowerCase();
  return [folded, ...coresOf(folded)].some((word) => isListed(word) || isListed(plain(word)) || isTwo(word));
}

/** Without what stands at its ends beside letters. */
function coresOf(folded: string): string[] {
  const core = folded.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '');
  return core.length >= LEAST_PART && folded.length - core.length <= MOST_ADDED ? [core] : [];
}

function isTwo(word: string): boolean {
  if (word.length > MOST_SPLIT) return false;
  for (let at = LEAST_PART; at <= word.length - LEAST_PART; at += 1) {
    const [first, second] = [word.slice(0, at), word.slice(at)];
    if ((isListed(first) || isListed(plain(first))) && (isListed(second) || isListed(plain(second))))
      return true;
  }
  return false;
}

function plain(word: string): string {
  return [...word].map((character) => LEET[character] ?? character).join('');
}

function isListed(word: string): boolean {
  listed ??= readList();
  return !word.includes('\n') && listed.includes(`\n${word}\n`);
}

/** The list of zxcvbn-ts, by how often each was found in what leaked; its module would keep it as fifty thousand texts. */
function readList(): string {
  const file = new URL(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'));
  const words = JSON.parse(readFileSync(file, 'utf8')) as readonly string[];
  return `\n${words.join('\n')}\n`;
}
