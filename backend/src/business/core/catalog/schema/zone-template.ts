import { z } from 'zod';
import { HostName } from './label.ts';

/**
 * Which revisions of a zone are kept: the last ones, and all that are young, as far as what they changed fits into so
 * many MiB together. The one that it is at always is, and the one before it.
 */
export const ZoneHistory = z.strictObject({
  revisions: z.int().min(1).max(100_000).default(100),
  days: z.int().min(0).max(36_500).default(365),
  megabytes: z.int().min(1).max(1_000_000).default(64),
});

/** What a new zone may begin with, beside what its customer says themselves. */
export const ZoneTemplates = z.strictObject({
  /** Where names are sent that have no site yet; null: not offered. */
  parking: z
    .strictObject({ ipv4: z.array(z.ipv4()).max(8).default([]), ipv6: z.array(z.ipv6()).max(8).default([]) })
    .nullable()
    .default(null),
  /** Who takes mail; null: not offered. */
  mail: z
    .strictObject({
      servers: z
        .array(z.strictObject({ host: HostName, priority: z.int().min(0).max(65_535) }))
        .min(1)
        .max(8),
      /** Who sends it (RFC 7208). */
      spf: z
        .string()
        .max(255)
        .regex(/^v=spf1 /)
        .default('v=spf1 mx -all'),
    })
    .nullable()
    .default(null),
});
export type ZoneTemplates = z.output<typeof ZoneTemplates>;
