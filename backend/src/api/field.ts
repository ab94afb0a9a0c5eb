import { z } from 'zod';
import { canonicalAddress } from '../base/ip.ts';
import { parseWireAmount } from '../base/money.ts';
import { parseRfc3339, wireTimeOrNull } from '../base/time.ts';

/** Fields that many operations take or give, with the interface's words and bounds. */

/** Given in lower case; in upper case it means the same. */
export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'This must be a UUID.')
  .toLowerCase()
  .meta({ format: 'uuid' });

export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  .describe('`YYYY-MM-DD HH:MM:SS`, UTC. With `T` for the space and `Z` behind it this is RFC 3339.');

/** A moment that a client gives: as {@link timestamp}, or as RFC 3339 with any offset, cut to the second. */
export const timestampInput = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2}|[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2}))$/,
    'This must be a moment such as 2027-01-31 23:00:00 (UTC) or 2027-02-01T00:00:00+01:00 (RFC 3339).',
  )
  .overwrite((text) => wireTimeOrNull(parseRfc3339(text)) ?? text)
  .describe('`YYYY-MM-DD HH:MM:SS`, UTC, or RFC 3339 with any offset.');

/** An amount in major units, at most two decimals. */
export const money = z.number().describe('Amount in major units of the currency');

export const currency = z.string().length(3).describe('ISO 4217');

/** An amount that a client gives. */
export const moneyInput = z
  .number()
  .min(0)
  .max(1_000_000_000)
  .multipleOf(0.01, 'At most two decimals.')
  // multipleOf forgives what floating point adds; the price guard must not guess what was meant.
  .refine((value) => parseWireAmount(value) !== null, 'At most two decimals.');

export const label = z.string().trim().max(100, 'At most 100 characters.');
export const customName = label.nullable();

export const durationUnit = z.enum(['hour', 'month', 'year']);
export const duration = z.int().min(1).max(36);

export const pricings = z.object({ year: z.number(), month: z.number(), hour: z.number() });

export const dryRun = z
  .boolean()
  .default(false)
  .describe('Validate, price and check everything, change nothing; `data` holds a `quote`.');

export const noInput = z.strictObject({});

/** An IPv4 or IPv6 address in its usual text form. */
export const ipAddress = z
  .union([z.ipv4(), z.ipv6()], 'This must be an IPv4 or IPv6 address.')
  .overwrite(canonicalAddress);
