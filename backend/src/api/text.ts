import { z } from 'zod';

// Controls, line and paragraph separators, the marks that turn the direction of text, and the byte order mark.
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * One line as people write it, in any script: composed (NFC) and without spaces around it. What is not seen, or
 * makes other text look like something else, is refused.
 */
function tidyLine(max: number) {
  return z
    .string()
    .overwrite((text) => text.trim().normalize('NFC'))
    .max(max, `At most ${max} characters.`)
    .refine((text) => !HIDDEN.test(text), 'This must not hold control characters.');
}

/** A line with something to see in it. */
export function line(max: number) {
  return tidyLine(max)
    .min(1, { error: 'This must not be empty.', abort: true })
    .refine((text) => VISIBLE.test(text), 'This must hold something that can be seen.');
}

/** A line that may be left out; an empty one is none. */
export function optionalLine(max: number) {
  return tidyLine(max)
    .transform((text) => (VISIBLE.test(text) ? text : null))
    .nullable()
    .default(null);
}
