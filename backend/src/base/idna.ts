/**
 * What IDNA2008 allows in a label beyond what UTS 46 does: UTS 46 as browsers apply it also maps to and keeps
 * symbols such as hearts and emoji, which no registry may delegate. The rules are those of RFC 5892, computed
 * from Unicode's properties instead of copied as a table; stability under normalisation and case folding is
 * left to the mapping, which the caller has applied.
 */
const LETTER_DIGITS = /^[\p{L}\p{Mn}\p{Mc}\p{Nd}]$/u;

/** RFC 5892 §2.6: allowed or not whatever their properties say. */
const ALWAYS = new Set('\u00df\u03c2\u06fd\u06fe\u0f0b\u3007');
const NEVER = new Set('\u0640\u07fa\u302e\u302f\u3031\u3032\u3033\u3034\u3035\u303b');

/** §2.3, §2.4 and §2.9: what cannot be seen, combining marks for symbols and music, and old Hangul jamo. */
const IGNORABLE = /^\p{Default_Ignorable_Code_Point}$/u;
const EXCLUDED_BLOCKS =
  /^[\u20d0-\u20ff\u{1d100}-\u{1d24f}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7c6\ud7cb-\ud7fb]$/u;

/** §2.8, appendices A.1 and A.2. Where joiners may stand depends on joining types, which UTS 46 checks as well. */
const JOINERS = new Set('\u200c\u200d');

/** Appendices A.3 to A.9: characters that are allowed in some surroundings only, and these surroundings. */
const CONTEXTS: readonly { readonly characters: RegExp; readonly label: RegExp }[] = [
  { characters: /\u00b7/u, label: /^(?:[^\u00b7]|(?<=l)\u00b7(?=l))*$/u },
  { characters: /\u0375/u, label: /^(?:[^\u0375]|\u0375(?=\p{Script=Greek}))*$/u },
  { characters: /[\u05f3\u05f4]/u, label: /^(?:[^\u05f3\u05f4]|(?<=\p{Script=Hebrew})[\u05f3\u05f4])*$/u },
  { characters: /\u30fb/u, label: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u },
  { characters: /[\u0660-\u0669]/u, label: /^[^\u06f0-\u06f9]*$/u },
  { characters: /[\u06f0-\u06f9]/u, label: /^[^\u0660-\u0669]*$/u },
];

/**
 * Whether a label with other than ASCII characters, mapped by UTS 46, is a U-label of IDNA2008 (RFC 5891 §4.2).
 * Bidirectional labels are checked by UTS 46 already.
 */
export function isUnicodeLabel(label: string): boolean {
  const characters = [...label];
  if (characters[0] === '-' || characters.at(-1) === '-') return false;
  if (characters[2] === '-' && characters[3] === '-') return false;
  if (/^\p{M}/u.test(label) || !/[^\p{ASCII}]/u.test(label)) return false;
  if (!characters.every(isAllowed)) return false;
  return CONTEXTS.every((context) => !context.characters.test(label) || context.label.test(label));
}

function isAllowed(character: string): boolean {
  if (/^\p{ASCII}$/u.test(character)) return /^[a-z0-9-]$/.test(character);
  if (ALWAYS.has(character) || JOINERS.has(character)) return true;
  if (CONTEXTS.some((context) => context.characters.test(character))) return true;
  if (NEVER.has(character) || IGNORABLE.test(character) || EXCLUDED_BLOCKS.test(character)) return false;
  return LETTER_DIGITS.test(character);
}
