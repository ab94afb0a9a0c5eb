import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { clientTo } from './connection.ts';
import { isConnectionLoss } from './connection-loss.ts';

const PAUSE_MS = 500;
const CONNECT_MS = 5_000;
/** How often the log says that the database is still away. */
const SAID_EVERY_MS = 30_000;

/**
 * Waits until the database takes connections, as long as it is away; the log says now and then that it is. What waiting
 * does not mend, a wrong password for example, is thrown.
 */
export async function untilReachable(url: string, log: Pick<Logger, 'warn'>, signal?: AbortSignal) {
  let said = Number.NEGATIVE_INFINITY;
  for (;;) {
    const client = clientTo(url, { connectionTimeoutMillis: CONNECT_MS });
    client.on('error', () => {});
    try {
      await client.connect();
      return;
    } catch (error) {
      if (!isConnectionLoss(error) || signal?.aborted) throw error;
      if (performance.now() - said >= SAID_EVERY_MS) {
        said = performance.now();
        log.warn({ err: error }, 'the database is away: waiting for it');
      }
    } finally {
      client.end().catch(() => {});
    }
    await setTimeout(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}

/**
 * Does what a start does on the database, and does it again from its beginning when the database goes away meanwhile,
 * once it is back. Only for work that may be done twice.
 */
export async function throughLosses<T>(
  { url, log }: { readonly url: string; readonly log: Pick<Logger, 'warn'> },
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    await untilReachable(url, log);
    try {
      return await work();
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      log.warn({ err: error }, 'the database went away: waiting for it');
    }
  }
}
