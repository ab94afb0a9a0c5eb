import { z } from 'zod';
import { isMailAddress } from '../../../../base/mail-address.ts';
import { Line, Name } from './label.ts';
import { isTimeZone } from './seller.ts';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** `09:00-17:00`, of the wall clock; the end may be 24:00, and is not part of it. */
const Opening = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must look like 09:00-17:00')
  .refine((text) => text.slice(0, 5) < text.slice(6), 'must end after it begins');

const Openings = z
  .array(Opening)
  .max(4)
  .refine(
    (all) => all.every((one, index) => index === 0 || (all[index - 1] ?? '').slice(6) <= one.slice(0, 5)),
    'must be in order and not overlap',
  )
  .default([]);

/** When somebody answers; a day that is not named has no hours. */
const Hours = z.strictObject({
  mon: Openings,
  tue: Openings,
  wed: Openings,
  thu: Openings,
  fri: Openings,
  sat: Openings,
  sun: Openings,
});
export type Hours = z.output<typeof Hours>;

const OFFICE = ['09:00-17:00'];
const OFFICE_HOURS = { mon: OFFICE, tue: OFFICE, wed: OFFICE, thu: OFFICE, fri: OFFICE };

const Minutes = z
  .int()
  .min(1)
  .max(60 * 24 * 60)
  .nullable();
/** Minutes of business time until an answer is due, by priority; null: none is promised. */
const Promised = z.strictObject({ low: Minutes, normal: Minutes, high: Minutes, urgent: Minutes });
const FIRST = { low: 960, normal: 480, high: 240, urgent: 60 };

const Department = z.strictObject({
  name: Name,
  displayname: z.strictObject({ en: Line, de: Line }),
  /** Its own, in place of all departments'. */
  hours: Hours.optional(),
  /** Whether it is closed on holidays. */
  holidays: z.boolean().default(true),
  first_response: Promised.prefault(FIRST),
  /** To every further message. */
  next_response: Promised.prefault(FIRST),
});
export type Department = z.output<typeof Department>;

const ALWAYS = ['00:00-24:00'];
const EVERY_DAY = Object.fromEntries(WEEKDAYS.map((day) => [day, ALWAYS]));
const DEPARTMENTS = [
  { name: 'sales', displayname: { en: 'Sales', de: 'Vertrieb' } },
  { name: 'billing', displayname: { en: 'Billing', de: 'Buchhaltung' } },
  {
    name: 'technical',
    displayname: { en: 'Technical support', de: 'Technik' },
    first_response: { low: 480, normal: 240, high: 60, urgent: 30 },
    next_response: { low: 480, normal: 240, high: 120, urgent: 30 },
  },
  { name: 'domain', displayname: { en: 'Domains', de: 'Domains' } },
  {
    name: 'abuse',
    displayname: { en: 'Abuse', de: 'Missbrauch' },
    hours: EVERY_DAY,
    holidays: false,
    first_response: { low: 1440, normal: 1440, high: 720, urgent: 240 },
    next_response: { low: 1440, normal: 1440, high: 720, urgent: 240 },
  },
];

/** `2027-05-06`, or `12-25` for every year. */
const Holiday = z.string().refine(isDay, 'must be a day such as 2027-05-06, or 12-25 for every year');

/** Who answers customers, and how soon. */
export const Support = z
  .strictObject({
    /** Where answers by mail go, less what is put behind a `+`: needs an inbox that is read. null: none do. */
    address: z
      .string()
      .refine(
        (text) => isMailAddress(text) && text.indexOf('@') <= 10,
        'must have at most ten letters before the @',
      )
      .nullable()
      .default(null),
    /** IANA name; null: the seller's. */
    timezone: z
      .string()
      .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
      .nullable()
      .default(null),
    hours: Hours.prefault(OFFICE_HOURS),
    holidays: z.array(Holiday).max(500).default([]),
    /** For how long a closed ticket can be opened again. */
    reopen_days: z.int().min(0).max(365).default(14),
    /** After how long an answered ticket is closed of which its customer says no more; null: never. */
    close_days: z.int().min(1).max(365).nullable().default(null),
    /** MiB of files that are kept of one account's tickets. */
    files_mib: z.int().min(10).max(1_000_000).default(1024),
    departments: z.array(Department).min(1).max(50).prefault(DEPARTMENTS),
  })
  .superRefine(({ departments }, ctx) => {
    const seen = new Set<string>();
    for (const [index, { name }] of departments.entries()) {
      if (seen.has(name))
        ctx.addIssue({ code: 'custom', path: ['departments', index, 'name'], message: 'is taken already' });
      seen.add(name);
    }
  });
export type Support = z.output<typeof Support>;

function isDay(text: string): boolean {
  // 2000 was a leap year: 02-29 is a day.
  const full = /^\d{2}-\d{2}$/.test(text) ? `2000-${text}` : text;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(full)) return false;
  try {
    return Temporal.PlainDate.from(full, { overflow: 'reject' }).toString() === full;
  } catch {
    return false;
  }
}
