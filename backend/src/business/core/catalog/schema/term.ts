import { z } from 'zod';

const Duration = z.int().min(1).max(36);
const ONCE = 'names the same term twice';

export const TermUnit = z.enum(['hour', 'month', 'year']);
export const LongTermUnit = z.enum(['month', 'year']);

/** The terms that something is sold for: at least one, none twice. */
export const Terms = z
  .array(z.strictObject({ duration: Duration, duration_unit: TermUnit }))
  .min(1)
  .max(50)
  .refine(areDistinct, ONCE);
export type Terms = z.output<typeof Terms>;

/** The same for what is not sold by the hour. */
export const LongTerms = z
  .array(z.strictObject({ duration: Duration, duration_unit: LongTermUnit }))
  .min(1)
  .max(50)
  .refine(areDistinct, ONCE);
export type LongTerms = z.output<typeof LongTerms>;

function areDistinct(terms: readonly { duration: number; duration_unit: string }[]): boolean {
  return new Set(terms.map((term) => `${term.duration} ${term.duration_unit}`)).size === terms.length;
}
