import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Executor } from './pool.ts';
import { statement } from './statement.ts';

/** What one transaction leaves behind when, and only when, it is committed. */
export interface CommitMarker {
  /** The connection's row. */
  readonly slot: string;
  /** The transaction's own. */
  readonly marker: string;
}

const slots = new WeakMap<pg.PoolClient, string>();

/** A marker for the next transaction of a connection. */
export function newCommitMarker(client: pg.PoolClient): CommitMarker {
  let slot = slots.get(client);
  if (slot === undefined) {
    slot = randomUUID();
    slots.set(client, slot);
  }
  return { slot, marker: randomUUID() };
}

/** Prepared once a connection; a row that is there already is brought up to date in its place. */
export const WRITE_MARKER = {
  name: 'write_commit_marker',
  text: `INSERT INTO commit_markers (slot, marker, written_at) VALUES ($1, $2, now())
    ON CONFLICT (slot) DO UPDATE SET marker = excluded.marker, settled = false, written_at = excluded.written_at`,
};

const forget = statement<{ slot: string }>(
  'forget_commit_markers',
  `DELETE FROM commit_markers WHERE slot IN (
     SELECT slot FROM commit_markers WHERE written_at < now() - interval '1 day' FOR UPDATE SKIP LOCKED)
   RETURNING slot`,
);

/** Removes the rows of connections that have written nothing for a day; one that lives writes its row anew. */
export async function forgetCommitMarkers(db: Executor): Promise<void> {
  await db.run(forget, []);
}
