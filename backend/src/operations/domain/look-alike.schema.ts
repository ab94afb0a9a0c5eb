import { z } from 'zod';
import { unicodeName } from '../../base/domain-name.ts';
import { looksMixed } from '../../business/domains/registration/label-rules.ts';

/** Something to think about that stands in no way. */
export const warning = z.object({ error: z.string(), message: z.string() });

/** A word on a label, in ASCII, whose letters are of several scripts, under TLDs that take such; most refuse them. */
export function lookAlikeWarnings(label: string): z.input<typeof warning>[] {
  if (!looksMixed(label)) return [];
  const name = unicodeName(label);
  const message = `The letters of ${name} are of several scripts: it can be taken for another name that looks the same.`;
  return [{ error: 'mixed_scripts', message }];
}
