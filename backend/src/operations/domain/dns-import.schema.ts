import { z } from 'zod';
import type { ImportedZone } from '../../business/dns/zone/imported.ts';
import type { Refusal, RefusalDetail } from '../../errors.ts';

const MOST_SKIPPED = 100;

/** What became of `import_existing`. */
export const dnsImport = z.object({
  source: z
    .enum(['transfer', 'questions'])
    .nullable()
    .describe(
      '`transfer`: all of the zone. `questions`: what was found at usual names, since its name servers allow no transfer; ' +
        'look for others yourself. null: nobody answered for the zone.',
    ),
  nameservers: z.array(z.string()).describe('Those that it has.'),
  records: z.int().describe('How many of its records the zone here begins with.'),
  complete: z
    .boolean()
    .describe(
      'Whether everything was answered in time. Of a transfer whose zone nobody answered for in time, an order is refused ' +
        'with `backend_unavailable`: try again, or order it without `import_existing`.',
    ),
  skipped: z
    .array(z.object({ name: z.string(), type: z.string(), message: z.string() }))
    .describe('What was found and is not taken over: the first hundred.'),
  skipped_total: z.int(),
});

const RETRY_SECONDS = '30';

/**
 * A domain that is in use is not led to an empty zone: a transfer that is to bring its records begins when they could be
 * read. Of one without name servers there is nothing to read.
 */
export function readOrRefuse(
  ctx: { refusal(code: 'backend_unavailable', detail: RefusalDetail): Refusal },
  existing: Pick<ImportedZone, 'source' | 'complete'> | undefined,
): void {
  if (existing === undefined || existing.source !== null || existing.complete) return;
  throw ctx.refusal('backend_unavailable', {
    members: { backend: 'dns' },
    headers: { 'retry-after': RETRY_SECONDS },
  });
}

export function wireImport(imported: ImportedZone | null | undefined): z.input<typeof dnsImport> | null {
  if (imported == null) return null;
  const { source, nameservers, complete, records, skipped } = imported;
  return {
    source,
    nameservers: [...nameservers],
    records: records.length,
    complete,
    skipped: skipped.slice(0, MOST_SKIPPED),
    skipped_total: skipped.length,
  };
}
