import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { CommitMarker } from './commit-marker.ts';
import { clientTo } from './connection.ts';

export type Settled = 'committed' | 'rolled_back' | 'unknown';

export interface SettlementOptions {
  /** Of the database that now answers under the pool's address. */
  readonly url: string;
  readonly connection?: pg.ClientConfig;
  /** For one lost COMMIT, waiting for a turn included. */
  readonly withinMs?: number;
  readonly atOnce?: number;
}

const WITHIN_MS = 5_000;
const AT_ONCE = 4;
const PAUSE_MS = 100;
/** A backend that still works on the lost transaction holds its row: then the next attempt asks again. */
const LOCK_TIMEOUT_MS = 1_000;

// The row of the connection shows the marker of its last committed transaction. To write it too, in a transaction that
// is committed, is the proof: see the decision on lost commits.
const SETTLE = `INSERT INTO commit_markers (slot, marker, settled, written_at) VALUES ($1, $2, true, now())
  ON CONFLICT (slot) DO UPDATE SET settled = true RETURNING marker`;

/**
 * Finds out what became of transactions whose COMMIT got no answer, on connections of its own: the pool that lost them
 * may have none left.
 *
 * A settlement writes into the row that the lost transaction wrote, and commits. It waits for a backend that still runs
 * that transaction, so the answer is final. Its own COMMIT lies later in the same log: once that is acknowledged, what
 * it has seen is as durable as any other acknowledged commit, also where a synchronous standby is waited for. Without
 * that acknowledgement the outcome is unknown.
 */
export class Settlement {
  readonly #url: string;
  readonly #connection: pg.ClientConfig;
  readonly #withinMs: number;
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor({ url, connection = {}, withinMs = WITHIN_MS, atOnce = AT_ONCE }: SettlementOptions) {
    this.#url = url;
    this.#connection = connection;
    this.#withinMs = withinMs;
    this.#atOnce = atOnce;
  }

  async settle(lost: CommitMarker): Promise<Settled> {
    const deadline = performance.now() + this.#withinMs;
    if (!(await this.#turn(deadline))) return 'unknown';
    try {
      for (;;) {
        const left = deadline - performance.now();
        if (left <= 0) return 'unknown';
        const answer = await this.#attempt(lost, left).catch(() => null);
        if (answer !== null) return answer;
        await setTimeout(Math.min(PAUSE_MS, Math.max(0, deadline - performance.now())));
      }
    } finally {
      this.#underWay -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Whether this one's turn came in time; if so, it counts as under way. */
  async #turn(deadline: number): Promise<boolean> {
    if (this.#underWay >= this.#atOnce) {
      const given = Promise.withResolvers<true>();
      const turn = () => given.resolve(true);
      this.#waiting.push(turn);
      const inTime = new AbortController();
      const late = setTimeout(Math.max(0, deadline - performance.now()), false as const, inTime).catch(
        () => false as const,
      );
      const came = await Promise.race([given.promise, late]);
      inTime.abort();
      if (!came) {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        return false;
      }
    }
    this.#underWay += 1;
    return true;
  }

  /** Throws when the database does not answer in time, or not as it should. */
  async #attempt({ slot, marker }: CommitMarker, withinMs: number): Promise<Settled> {
    const client = clientTo(this.#url, {
      ...this.#connection,
      connectionTimeoutMillis: withinMs,
      query_timeout: withinMs,
    });
    // What breaks the connection also fails the query that waits for it.
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      const { rows } = await client.query<{ marker: string }>(SETTLE, [slot, randomUUID()]);
      const committed = await client.query('COMMIT');
      if (committed.command !== 'COMMIT') throw new Error('the settlement was not committed');
      return rows[0]?.marker === marker ? 'committed' : 'rolled_back';
    } finally {
      // Not waited for: a server that hangs does not say goodbye.
      client.end().catch(() => {});
    }
  }
}
