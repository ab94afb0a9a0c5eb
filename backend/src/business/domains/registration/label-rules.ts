import { readDomainName, unicodeName } from '../../../base/domain-name.ts';
import { isWrittenIn, mixesScripts } from '../../../base/scripts.ts';
import type { Tld } from '../../core/catalog/schema/tld.ts';

/**
 * Whether names of this form are registered under the TLD, as far as the catalogue knows the registry's rules. The
 * label is an A-label or in ASCII, and valid under IDNA2008; only names in other than ASCII are in question, and
 * those in ASCII where the TLD is for other scripts.
 */
export function takesLabel(
  { tld, features, idn }: Pick<Tld, 'tld' | 'features' | 'idn'>,
  label: string,
): boolean {
  const isEncoded = label.startsWith('xn--');
  if (isEncoded && !features.idn) return false;
  // A label and a TLD may be valid and the name not: where one of them is written from right to left.
  if ((isEncoded || tld.includes('xn--')) && !readDomainName(`${label}.${tld}`).ok) return false;
  if (idn === null || (!isEncoded && idn.scripts === undefined)) return true;
  const unicode = unicodeName(label);
  const { characters, scripts, mixed_scripts: mayMix = false } = idn;
  if (characters !== undefined && !isListed(unicode, characters)) return false;
  if (scripts !== undefined && !isWrittenIn(unicode, scripts)) return false;
  return mayMix || !mixesScripts(unicode);
}

/** Whether a label looks as if made to be taken for another: for a warning, where the TLD does not refuse it. */
export function looksMixed(label: string): boolean {
  return label.startsWith('xn--') && mixesScripts(unicodeName(label));
}

function isListed(label: string, characters: string): boolean {
  return [...label].every((character) => /^[a-z0-9-]$/.test(character) || characters.includes(character));
}
