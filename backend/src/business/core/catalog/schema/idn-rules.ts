import { z } from 'zod';
import { isUnicodeLabel } from '../../../../base/idna.ts';
import { SCRIPTS } from '../../../../base/scripts.ts';

/** Which internationalised names a registry takes, beyond what IDNA2008 asks of all. */
export const IdnRules = z.strictObject({
  /** The characters that it takes besides `a` to `z`, digits and the hyphen; left out: not limited to a list. */
  characters: z
    .string()
    .max(2_000)
    .refine((text) => [...text].every(isLowerCaseLetter), 'has a character that no domain name can have')
    .refine((text) => new Set(text).size === [...text].length, 'has a character twice')
    .optional(),
  /** Every letter must be of one of these, those of ASCII (Latin) too; left out: of any script. */
  scripts: z.array(z.enum(SCRIPTS)).min(1).optional(),
  /** Whether a name may mix scripts that are not written together (UTS 39 §5.1); left out: it may not. */
  mixed_scripts: z.boolean().optional(),
});
export type IdnRules = z.output<typeof IdnRules>;

/** A character that IDNA2008 allows, as it is after mapping. */
function isLowerCaseLetter(character: string): boolean {
  return character === character.toLowerCase().normalize('NFC') && isUnicodeLabel(`a${character}`);
}
