import { type Instant, isBefore, later } from '../../../base/time.ts';
import type { InvoiceLine } from './line.ts';

/** From the first to the last moment that any of the lines is about. */
export function servicePeriod(lines: readonly InvoiceLine[]): {
  readonly from: Instant;
  readonly to: Instant;
} {
  const [first] = lines;
  if (first === undefined) throw new RangeError('an invoice without lines');
  let { periodFrom: from, periodTo: to } = first;
  for (const line of lines) {
    if (isBefore(line.periodFrom, from)) from = line.periodFrom;
    to = later(line.periodTo, to);
  }
  return { from, to };
}
