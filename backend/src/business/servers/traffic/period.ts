import { type Instant, isBefore, type TermUnit, termEnd } from '../../../base/time.ts';

/** What tells when the billing periods of a server begin. */
export interface Billed {
  readonly duration_unit: TermUnit;
  readonly anchor_day: number;
  readonly expire_at: Instant;
  readonly created_at: Instant;
}

export interface Period {
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * The billing period of a moment: the month between two days of the anchor, at the time of day that terms end at; traffic
 * is sold by the month, also with terms of a year. Terms of hours have no day of their own: there months are counted from
 * when the server was ordered.
 */
export function periodAt(billed: Billed, moment: Instant): Period {
  const hourly = billed.duration_unit === 'hour';
  const origin = hourly ? billed.created_at : billed.expire_at;
  const anchor = hourly ? origin.toZonedDateTimeISO('UTC').day : billed.anchor_day;
  const months = monthOf(moment) - monthOf(origin);
  const boundary = (offset: number) => termEnd(origin, { duration: months + offset, unit: 'month' }, anchor);
  const to = isBefore(moment, boundary(0)) ? 0 : 1;
  return { from: boundary(to - 1), to: boundary(to) };
}

function monthOf(moment: Instant): number {
  const { year, month } = moment.toZonedDateTimeISO('UTC');
  return year * 12 + month;
}
