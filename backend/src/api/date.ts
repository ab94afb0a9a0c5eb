import { z } from 'zod';
import type { Instant } from '../base/time.ts';

/** A calendar day, UTC, in years that every store and every client can hold. */
export const date = z
  .string()
  .regex(/^(19[7-9]\d|2\d{3})-\d{2}-\d{2}$/, 'This must be a day YYYY-MM-DD from 1970 to 2999.')
  .refine((text) => startOf(text) !== null, 'This day is not in the calendar.')
  .meta({ format: 'date' });

/** A calendar month, in the same years. */
export const month = z
  .string()
  .regex(/^(19[7-9]\d|2\d{3})-(0[1-9]|1[0-2])$/, 'This must be a month YYYY-MM from 1970 to 2999.');

/** The instant that a day of the shape {@link date} begins at; null when the calendar does not have it. */
export function startOf(day: string): Instant | null {
  try {
    return Temporal.PlainDate.from(day, { overflow: 'reject' }).toZonedDateTime('UTC').toInstant();
  } catch {
    return null;
  }
}
