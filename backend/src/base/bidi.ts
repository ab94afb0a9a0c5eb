/**
 * The Bidi Rule (RFC 5893 §2). Classes are those of Unicode, told apart as far as the rule does and only for what
 * IDNA2008 allows in a label; blocks for right-to-left scripts are so as a whole, their unassigned characters too,
 * so that this holds for later versions of Unicode.
 */
const CLASSES: readonly (readonly [characters: RegExp, code: string])[] = [
  // European numbers.
  [/[0-9\u06f0-\u06f9]/u, 'E'],
  // Arabic numbers.
  [/[\u0660-\u0669\u{10d30}-\u{10d39}\u{10d40}-\u{10d49}]/u, 'A'],
  // Marks that take the direction of what they stand on; a few do not.
  [/(?![\u0cbf\u0cc6\u{11a07}\u{11a08}\u{11c3f}])\p{Mn}/u, 'M'],
  // Letters of right-to-left scripts (R, AL).
  [/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u, 'R'],
  // No direction of their own: the hyphen, joiners, some modifiers and characters that need a context.
  [/\u200c|\u200d|[-\u00b7\u02b9\u02ba\u02c6-\u02cf\u02ec\u0375\u2e2f\u30fb\ua67f\ua717-\ua71f\ua788]/u, 'N'],
];

const RIGHT_TO_LEFT = /^R(?:[RAENM]*[RAE])?M*$/;
const LEFT_TO_RIGHT = /^L(?:[LENM]*[LE])?M*$/;

/**
 * Whether the labels of a name, as U-labels, are read in the order in which they are written. A name with anything
 * from right to left asks that of each of its labels, also of those in ASCII.
 */
export function obeysBidiRule(labels: readonly string[]): boolean {
  const classes = labels.map((label) => [...label].map(classOf).join(''));
  if (!classes.some((label) => /[RA]/.test(label))) return true;
  return classes.every(
    (label) =>
      LEFT_TO_RIGHT.test(label) ||
      (RIGHT_TO_LEFT.test(label) && !(label.includes('E') && label.includes('A'))),
  );
}

function classOf(character: string): string {
  return CLASSES.find(([characters]) => characters.test(character))?.[1] ?? 'L';
}
