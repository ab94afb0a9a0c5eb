import type { Instant } from '../../../base/time.ts';
import type { Catalog } from '../../core/catalog/schema/schema.ts';
import { businessDeadline, calendarOf } from './calendar.ts';
import type { Priority } from './ticket.ts';

/** By when a department answers what has waited since `since`; null: it promises nothing, or is no more. */
export function answerDueAt(
  { support, seller }: Pick<Catalog, 'support' | 'seller'>,
  asked: { readonly department: string; readonly priority: Priority; readonly first: boolean },
  since: Instant,
): Instant | null {
  const department = support.departments.find(({ name }) => name === asked.department) ?? null;
  const minutes = department?.[asked.first ? 'first_response' : 'next_response'][asked.priority] ?? null;
  if (minutes === null) return null;
  return businessDeadline(since, minutes, calendarOf(support, department, seller?.timezone ?? 'UTC'));
}
