/** Scripts that names are written in today (UAX 31, table 5: recommended). */
export const SCRIPTS = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Bopomofo',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Kannada',
  'Katakana',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
] as const;
export type Script = (typeof SCRIPTS)[number];

/** What is written together as one system: Japanese, Korean, and Chinese with its phonetic letters (UTS 39 §5.1). */
const TOGETHER: readonly (readonly Script[])[] = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
];

const MATCHERS = SCRIPTS.map(
  (script) => [script, new RegExp(`\\p{Script_Extensions=${script}}`, 'u')] as const,
);
/** Digits, hyphens and marks that belong to no script in particular. */
const NEUTRAL = /[\p{Script_Extensions=Common}\p{Script_Extensions=Inherited}]/u;

/**
 * The fewest scripts that the whole label is in: one set for each character, of which it belongs to any one. A
 * character of a script that is not listed has an empty set.
 */
function scriptSets(label: string): readonly (readonly Script[])[] {
  return [...label]
    .filter((character) => !NEUTRAL.test(character))
    .map((character) => MATCHERS.filter(([, has]) => has.test(character)).map(([script]) => script));
}

/** Whether all of a U-label can be written with these scripts, and with what belongs to no script. */
export function isWrittenIn(label: string, scripts: readonly Script[]): boolean {
  return scriptSets(label).every((set) => set.some((script) => scripts.includes(script)));
}

/**
 * Whether a U-label mixes scripts that are not written together (UTS 39 §5.1), as names that are made to be taken for
 * others do: `pаypal` with a Cyrillic а. Japanese and Korean are one each, also beside Latin letters.
 */
export function mixesScripts(label: string): boolean {
  const sets = scriptSets(label);
  if (SCRIPTS.some((script) => sets.every((set) => set.includes(script)))) return false;
  return !TOGETHER.some((scripts) => isWrittenIn(label, [...scripts, 'Latin']));
}
