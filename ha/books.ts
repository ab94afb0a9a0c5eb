import { Client } from 'pg';
import { eventually } from '../acceptance/eventually.ts';
import type { Order } from './orders.ts';

/** What the database holds against what the customers were told. */
export interface Verdict {
  /** Orders that were acknowledged, and are not there, or are not as they were acknowledged. */
  readonly lost: readonly string[];
  /** Orders that are there or charged more than once for one order of a customer. */
  readonly doubled: readonly string[];
  /** Whatever else must never be found; empty when all is well. */
  readonly problems: readonly string[];
  /** Jobs that are not tried again; each for its own reason. */
  readonly deadJobs: readonly string[];
}

/** Every order of this run's customers, with its charges and its thing. */
const ORDERS = `
  WITH charged AS (
    SELECT order_id, count(*) AS entries, sum(amount) AS amount FROM ledger_entries
    WHERE account_id = ANY($1::uuid[]) AND order_id IS NOT NULL GROUP BY order_id)
  SELECT o.id, o.service_id AS service, o.state, o.gross::text AS gross,
    coalesce(c.entries, 0)::int AS entries, coalesce(c.amount, 0)::text AS amount,
    CASE o.product WHEN 'license' THEN l.id IS NOT NULL ELSE v.id IS NOT NULL END AS exists,
    s.state AS service_state, h.state AS hold
  FROM orders o
  LEFT JOIN charged c ON c.order_id = o.id
  LEFT JOIN services s ON s.id = o.service_id
  LEFT JOIN licenses l ON l.id = o.service_id
  LEFT JOIN servers v ON v.id = o.service_id
  LEFT JOIN holds h ON h.order_id = o.id
  WHERE o.account_id = ANY($1::uuid[])`;

interface OrderRow {
  id: string;
  service: string;
  state: 'pending' | 'completed' | 'failed';
  gross: string;
  entries: number;
  amount: string;
  exists: boolean;
  service_state: string | null;
  hold: string | null;
}

/** Statements that count what must not be there. */
const NEVER: Readonly<Record<string, string>> = {
  'ledger entries that do not sum to zero':
    'SELECT count(*) FROM (SELECT FROM ledger_postings GROUP BY entry_id, currency HAVING sum(amount) <> 0) x',
  'ledger entries without postings':
    'SELECT count(*) FROM ledger_entries e WHERE amount <> 0 AND NOT EXISTS (SELECT FROM ledger_postings p WHERE p.entry_id = e.id)',
  'postings without a ledger entry':
    'SELECT count(*) FROM ledger_postings p WHERE NOT EXISTS (SELECT FROM ledger_entries e WHERE e.id = p.entry_id)',
  'balances that differ from their ledger':
    'SELECT count(*) FROM accounts a WHERE balance <> coalesce((SELECT sum(amount) FROM ledger_entries e WHERE e.account_id = a.id), 0)',
  'accounts whose newest entry is not the one they name': `
    SELECT count(*) FROM accounts a WHERE ledger_seq <> (SELECT count(*) FROM ledger_entries e WHERE e.account_id = a.id)
      OR (ledger_seq > 0 AND NOT EXISTS (SELECT FROM ledger_entries e
        WHERE e.account_id = a.id AND e.seq = a.ledger_seq AND e.hash = a.ledger_hash AND e.balance_after = a.balance))`,
  'links of a chain that do not fit': `
    SELECT count(*) FROM (SELECT prev_hash, seq, lag(hash) OVER w AS before, lag(seq) OVER w AS seq_before
      FROM ledger_entries WINDOW w AS (PARTITION BY account_id ORDER BY seq)) x
    WHERE (seq_before IS NULL AND (seq <> 1 OR prev_hash <> decode(repeat('00', 32), 'hex')))
      OR (seq_before IS NOT NULL AND (seq <> seq_before + 1 OR prev_hash <> before))`,
  'reserved amounts that differ from the open holds': `
    SELECT count(*) FROM accounts a WHERE reserved <> coalesce(
      (SELECT sum(amount) FROM holds h WHERE h.account_id = a.id AND h.state = 'open'), 0)`,
  'open holds without a pending order':
    "SELECT count(*) FROM holds h WHERE h.state = 'open' AND NOT EXISTS (SELECT FROM orders o WHERE o.id = h.order_id AND o.state = 'pending')",
  'ledger entries dated ahead':
    "SELECT count(*) FROM ledger_entries WHERE created_at > now() + interval '1 minute'",
  'orders dated ahead': "SELECT count(*) FROM orders WHERE created_at > now() + interval '1 minute'",
  'scheduled jobs that rest because their last run is dated ahead':
    "SELECT count(*) FROM graphile_worker._private_known_crontabs WHERE last_execution > now() + interval '5 minutes'",
};

/** What is under way, and must come to an end by itself. */
const PENDING = `
  SELECT (SELECT count(*) FROM orders WHERE state = 'pending')::int AS orders,
    (SELECT count(*) FROM tasks WHERE finished_at IS NULL)::int AS tasks,
    (SELECT count(*) FROM services WHERE state IN ('pending', 'provisioning'))::int AS services`;

/** Reads the books in the database itself: what the program says of them is not taken for it. */
export class Books {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Until nothing is under way any more; gives what is after a long time all the same. */
  async settled(): Promise<string | null> {
    let left = '';
    try {
      await eventually('the end of all work', async () => {
        const [row] = await this.#rows<{ orders: number; tasks: number; services: number }>(PENDING).catch(
          () => [],
        );
        if (row === undefined) return undefined;
        left = `${row.orders} orders, ${row.tasks} tasks and ${row.services} services are still pending`;
        return row.orders + row.tasks + row.services === 0 ? true : undefined;
      });
      return null;
    } catch {
      return left === '' ? 'the database does not answer' : left;
    }
  }

  async judge(accounts: readonly string[], orders: readonly Order[]): Promise<Verdict> {
    const problems: string[] = [];
    const rows = new Map<string, OrderRow>();
    for (const row of await this.#rows<OrderRow>(ORDERS, [accounts])) rows.set(row.id, row);
    const lost: string[] = [];
    const doubled: string[] = [];
    const told = new Set<string>();
    for (const { key, acknowledged } of orders) {
      if (acknowledged === null) continue;
      const row = rows.get(acknowledged.orderId);
      const fault = row === undefined ? 'is not there' : faultOf(row, acknowledged);
      if (told.has(acknowledged.orderId)) problems.push(`${key}: its order answers another key too`);
      told.add(acknowledged.orderId);
      if (fault === null) continue;
      const list = row !== undefined && row.entries > 1 ? doubled : lost;
      list.push(`${key}: acknowledged order ${acknowledged.orderId} ${fault}`);
    }
    // Every client has asked to the end: an order that no client was told of is a second one for some key.
    for (const row of rows.values()) {
      if (told.has(row.id)) continue;
      doubled.push(`order ${row.id} (${row.state}, ${row.entries} charges) was acknowledged to none`);
    }
    for (const [what, statement] of Object.entries(NEVER)) {
      const [row] = await this.#rows<{ count: string }>(statement);
      if (row?.count !== '0') problems.push(`${row?.count} ${what}`);
    }
    return { lost, doubled, problems, deadJobs: await this.#deadJobs() };
  }

  /** A job has no key any more once a newer one of the same key has taken its place: it need not be tried again. */
  async #deadJobs(): Promise<string[]> {
    const rows = await this.#rows<{ task: string; count: number; error: string | null }>(`
      SELECT task_identifier AS task, count(*)::int AS count, max(last_error) AS error FROM graphile_worker.jobs
      WHERE attempts >= max_attempts AND locked_at IS NULL AND key IS NOT NULL GROUP BY 1 ORDER BY 1`);
    return rows.map(
      ({ task, count, error }) => `${count} × ${task}: ${error?.split('\n')[0] ?? 'no reason'}`,
    );
  }

  /** On a connection of its own each time: the primary may have been another one before. */
  async #rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: 10_000,
      query_timeout: 120_000,
    });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text, [...values])).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** What is wrong with an order that is there; null when nothing is. */
function faultOf(row: OrderRow, told: { serviceId: string; grossMinor: number }): string | null {
  if (row.service !== told.serviceId) return `is of the service ${row.service}, not of ${told.serviceId}`;
  if (Number(row.gross) !== told.grossMinor) return `costs ${row.gross}, not ${told.grossMinor}`;
  if (row.state === 'failed') {
    return row.entries === 0 && row.hold === 'released'
      ? null
      : `failed with ${row.entries} charges, hold ${row.hold}`;
  }
  if (row.state !== 'completed') return `is ${row.state}`;
  if (!row.exists || row.service_state !== 'active') return `has a service in state ${row.service_state}`;
  if (row.entries !== 1) return `is charged ${row.entries} times`;
  return -Number(row.amount) === told.grossMinor ? null : `is charged ${row.amount}`;
}
