/** Numbers of autonomous systems that are nobody's: IANA's special-purpose registry (RFC 7249) and what it reserves. */
const SPECIAL: readonly (readonly [first: number, last: number, name: string])[] = [
  [0, 0, 'Reserved'],
  [23456, 23456, 'AS_TRANS'],
  [64496, 64511, 'Documentation'],
  [64512, 65534, 'Private Use'],
  [65535, 65535, 'Reserved'],
  [65536, 65551, 'Documentation'],
  [4_200_000_000, 4_294_967_294, 'Private Use'],
  [4_294_967_295, 4_294_967_295, 'Reserved'],
];

/** A block of numbers, and what it is for. */
export interface SpecialNumbers {
  readonly numbers: string;
  readonly name: string;
}

/** Reads `AS64496`, `as 64496` or the number alone (RFC 5396, asplain); null if it is none. */
export function readSystemNumber(text: string): number | null {
  const number = Number(/^(?:as\s?)?(\d{1,10})$/i.exec(text.trim())?.[1] ?? Number.NaN);
  return number < 2 ** 32 ? number : null;
}

/** What a number is for, if it is nobody's; null for those that are handed out. */
export function specialNumbersOf(number: number): SpecialNumbers | null {
  const found = SPECIAL.find(([first, last]) => number >= first && number <= last);
  if (found === undefined) return null;
  const [first, last, name] = found;
  return { numbers: first === last ? `AS${first}` : `AS${first}-AS${last}`, name };
}
