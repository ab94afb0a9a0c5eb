import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** The newest sample of a server. Sizes in bytes; missing is null. */
export interface Meter {
  readonly seen_at: Instant;
  readonly cpu: number | null;
  readonly mem: bigint | null;
  readonly disk: bigint | null;
  readonly netin: bigint | null;
  readonly netout: bigint | null;
}

const newest = statement<Meter>(
  'newest_meter',
  'SELECT seen_at, cpu, mem, disk, netin, netout FROM server_meters WHERE server_id = $1 AND seen_at > $2',
);

/** Older ones tell nothing about now. */
const FRESH_MINUTES = 5;

export async function freshMeter(db: Executor, serverId: string, now: Instant): Promise<Meter | null> {
  const [meter] = await db.run(newest, [serverId, now.subtract({ minutes: FRESH_MINUTES })]);
  return meter ?? null;
}
