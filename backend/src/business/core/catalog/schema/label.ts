import { z } from 'zod';
import { isHostname } from '../../../../base/hostname.ts';
import { wireTime } from '../../../../base/time.ts';
import { isCountry } from './country.ts';

/** What other parts of the document, requests and drivers call a thing: `fra-epyc`. */
export const Name = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/, 'must consist of lower-case letters, digits, dots and hyphens');

/** A fully qualified host name, without the root's dot. */
export const HostName = z
  .string()
  .max(253)
  .refine(isHostname, 'must be a fully qualified host name such as web1.example.net');

/** One line for people. */
export const Line = z
  .string()
  .max(200)
  .regex(/^\S(.*\S)?$/, 'must be one line of text without spaces around it');

/** Text for people, lines and paragraphs included; may be empty. */
export const Prose = z.string().max(20_000);

/** ISO 3166-1 alpha-2, upper-case. */
export const Country = z.string().refine(isCountry, 'must be a country code such as DE');

/** Lower-case RFC 9562 text. */
export const Uuid = z.uuid().regex(/^[0-9a-f-]+$/, 'must be in lower case');

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export const UtcTime = z.codec(
  z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'must look like 2030-12-31 23:59:59 (UTC)'),
  z.instanceof(Temporal.Instant),
  {
    decode: (text, ctx) => {
      // Temporal refuses a day or an hour that does not exist only by throwing; Zod's pattern has no leap seconds.
      const iso = `${text.replace(' ', 'T')}Z`;
      if (z.iso.datetime().safeParse(iso).success) return Temporal.Instant.from(iso);
      ctx.issues.push({ code: 'custom', input: text, message: 'is not a moment in time' });
      return z.NEVER;
    },
    encode: wireTime,
  },
);
