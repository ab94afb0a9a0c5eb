import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { RECORD_TYPES } from '../../base/dns/record.ts';
import type { ZoneRecord } from '../../business/dns/zone/record.ts';

const number = z.int().nullable().optional();

/**
 * A record as clients give it. What is wrong with its content is said of each record (`dns_record_invalid`), so the
 * schema holds what makes it JSON of the right kind only.
 */
export const recordFields = {
  type: z.string().max(16).optional().describe(RECORD_TYPES.join(', ')),
  name: z.string().max(1_100).optional().describe('Relative to the zone; `@` is its apex, `*` a wildcard.'),
  content: z
    .string()
    .max(262_144)
    .optional()
    .describe('RDATA in presentation format, without the numbers that are fields of their own.'),
  ttl: z.int().optional().describe('Seconds, 60 to 604800; one for all records of a name and type.'),
  priority: number.describe('MX, SRV, URI, HTTPS, SVCB.'),
  weight: number.describe('SRV, URI.'),
  port: number.describe('SRV.'),
  disabled: z.boolean().optional().describe('Kept, but not published.'),
  comment: z.string().max(2_000).nullable().optional().describe('At most 255 characters; not published.'),
};

export const recordInput = z.strictObject(recordFields);

export const recordChange = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('create'), ...recordFields }),
  z.strictObject({ action: z.literal('update'), id: uuid, ...recordFields }),
  z.strictObject({ action: z.literal('delete'), id: uuid }),
]);

export const dnsRecord = z.object({
  id: uuid,
  type: z.string(),
  name: z.string(),
  content: z.string(),
  ttl: z.int(),
  priority: z.int().nullable(),
  weight: z.int().nullable(),
  port: z.int().nullable(),
  disabled: z.boolean(),
  comment: z.string().nullable(),
  managed_by: z.enum(['customer', 'system']),
});

export function wireRecord(record: ZoneRecord): z.input<typeof dnsRecord> {
  const { id, type, name, content, ttl, priority, weight, port, disabled, comment, managed_by } = record;
  return { id, type, name, content, ttl, priority, weight, port, disabled, comment, managed_by };
}
