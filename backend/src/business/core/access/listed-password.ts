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

/** All words in one text, in order, and where each begins; the last is the end. */
interface SortedWords {
  readonly text: string;
  readonly starts: Uint32Array;
}

let list: SortedWords | undefined;

/**
 * Whether many people chose it: it is one of the fifty thousand passwords of a list, or what people make of those for a
 * longer one: digits and signs at the ends or in place of letters, one twice, two in a row. The list is kept
 * as one text, of half a megabyte, and read when the first password is set.
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
  list ??= readList();
  const { text, starts } = list;
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = text.slice(starts[middle], starts[middle + 1]);
    if (found === word) return true;
    if (found < word) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** The list of zxcvbn-ts, of what leaked; its module would keep it as fifty thousand texts. */
function readList(): SortedWords {
  const file = new URL(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'));
  const words = (JSON.parse(readFileSync(file, 'utf8')) as readonly string[]).toSorted();
  const starts = new Uint32Array(words.length + 1);
  for (const [at, word] of words.entries()) starts[at + 1] = (starts[at] ?? 0) + word.length;
  return { text: words.join(''), starts };
}
