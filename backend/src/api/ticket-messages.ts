import { z } from 'zod';
import { type Instant, parseWireTime } from '../base/time.ts';
import type { Refusal, RefusalDetail } from '../errors.ts';
import { timestampInput } from './field.ts';
import { fieldProblem } from './order.ts';
import { paging } from './page.ts';

const { search: _, order: __, ...pages } = paging(['created_at']);

/** How messages are paged: the oldest first, unless it is asked otherwise. */
export const messagePaging = {
  ...pages,
  order: z.enum(['asc', 'desc']).default('asc'),
  after: timestampInput
    .optional()
    .describe('Messages of this second and later: with the last one that you have, you miss none.'),
};

type Refuser = { refusal(code: 'validation_failed', detail?: RefusalDetail): Refusal };

export function sinceOf(ctx: Refuser, after: string | undefined): Instant | null {
  if (after === undefined) return null;
  const since = parseWireTime(after);
  if (since !== null) return since;
  throw ctx.refusal('validation_failed', fieldProblem('/after', 'invalid_format', 'No such moment.'));
}
