import assert from 'node:assert/strict';
import { pino } from 'pino';
import collect from '../src/business/selling/invoices/collect.job.ts';
import issue from '../src/business/selling/invoices/issue.job.ts';
import type { Pool } from '../src/db/pool.ts';
import type { Job } from '../src/work/job.ts';
import { type Customer, LICENSE, type openFixture } from './fixture.ts';
import { openRequests, staffToken } from './requests.ts';

type Fixture = Awaited<ReturnType<typeof openFixture>>;

/** Orders and refunds to invoice, the jobs that do, and the laws that must hold after anything. */
export function openInvoicing(fixture: Fixture) {
  const { pool, clock, catalogs, sealer, signer } = fixture;
  const { data } = openRequests(fixture);
  const failures: unknown[] = [];
  const log = pino({ level: 'silent' });
  log.error = ((failure: unknown) => void failures.push(failure)) as typeof log.error;

  async function run(job: Job, through: Pool = pool): Promise<void> {
    assert.ok(job.kind === 'maintenance');
    await job.run(through, { now: clock.now(), catalogs, sealer, signer, log }, undefined as never);
  }

  /** Orders a license; answers the order's id. */
  async function order(customer: Customer, input: object = {}): Promise<string> {
    const asked = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true, ...input };
    return (await data('panel/order', asked, { token: customer.secret })).order_id;
  }

  /** Orders licenses as the nightly renewal does: by itself. */
  async function renewals(customer: Customer, times: number): Promise<string[]> {
    const ids: string[] = [];
    for (let time = 0; time < times; time += 1) ids.push(await order(customer));
    await pool.pg.query('UPDATE orders SET automatic = true WHERE id = ANY($1)', [ids]);
    return ids;
  }

  async function refund(orderId: string, amount?: number): Promise<string> {
    const input = { order_id: orderId, reason: 'Outage', basis: 'goodwill', amount };
    return (
      await data('staff/refund', JSON.parse(JSON.stringify(input)), { token: await staffToken(fixture) })
    ).uuid;
  }

  /** What must hold of all invoices, whoever issued them and whatever broke meanwhile. */
  async function problems(): Promise<string[]> {
    const { rows } = await pool.pg.query<{ problem: string }>(`
      SELECT 'gap or repetition in ' || series || ' ' || year AS problem FROM invoices GROUP BY series, year
        HAVING min(sequence) <> 1 OR max(sequence) <> count(*) OR count(DISTINCT sequence) <> count(*)
      UNION ALL SELECT 'last of ' || s.series || ' ' || s.year FROM invoice_series s
        WHERE s.last <> (SELECT count(*) FROM invoices i WHERE (i.series, i.year) = (s.series, s.year))
      UNION ALL SELECT 'number of ' || number FROM invoices
        WHERE number <> series || '-' || year || '-' || to_char(sequence, 'FM000000')
      UNION ALL SELECT number || ' is dated before the one before' FROM (
        SELECT number, issued_at < lag(issued_at) OVER w OR issue_date < lag(issue_date) OVER w AS back FROM invoices
        WINDOW w AS (PARTITION BY series, year ORDER BY sequence)) n WHERE back
      UNION ALL SELECT 'lines of ' || number FROM invoices i
        WHERE net <> (SELECT sum((line ->> 'net')::bigint) FROM jsonb_array_elements(i.lines) line)
      UNION ALL SELECT 'sums of ' || number FROM invoices i
        JOIN LATERAL (SELECT sum(net) AS net, sum(tax) AS tax, sum(gross) AS gross FROM orders WHERE invoice_id = i.id) o ON true
        WHERE i.kind = 'invoice' AND (o.net, o.tax, o.gross) IS DISTINCT FROM (i.net::numeric, i.tax::numeric, i.gross::numeric)
      UNION ALL SELECT 'refund of ' || number FROM invoices i WHERE i.kind = 'credit_note' AND NOT EXISTS
        (SELECT FROM refunds r JOIN orders o ON o.id = r.order_id WHERE r.invoice_id = i.id
           AND r.gross = i.gross AND r.tax = i.tax AND o.invoice_id = i.corrects)
      UNION ALL SELECT 'an order names an invoice that is none: ' || id FROM orders o
        WHERE invoice_id IS NOT NULL AND NOT EXISTS (SELECT FROM invoices i WHERE i.id = o.invoice_id AND i.account_id = o.account_id)
      UNION ALL SELECT 'no event, or several, of ' || number FROM invoices i WHERE 1 <>
        (SELECT count(*) FROM events e WHERE e.account_id = i.account_id AND e.type = 'invoice.issued' AND e.resource_id = i.id)
      UNION ALL SELECT 'no mail of ' || number FROM invoices i
        WHERE NOT EXISTS (SELECT FROM mails m WHERE m.cause = 'invoice:' || i.id)`);
    return [...rows.map((row) => row.problem), ...(await fixture.booksProblems())];
  }

  /** What the ledger took for orders and paid back, less what invoices and credit notes say. 0 when all are issued. */
  async function uninvoiced(): Promise<bigint> {
    const { rows } = await pool.pg.query<{ rest: bigint }>(`
      SELECT (SELECT coalesce(-sum(amount), 0) FROM ledger_entries WHERE kind IN ('order', 'renewal', 'refund'))::bigint
        - (SELECT coalesce(sum(CASE kind WHEN 'invoice' THEN gross ELSE -gross END), 0) FROM invoices)::bigint AS rest`);
    return rows[0]?.rest ?? 0n;
  }

  async function invoices(customer: Customer) {
    return await pool.kysely
      .selectFrom('invoices')
      .selectAll()
      .where('account_id', '=', customer.accountId)
      .orderBy('issued_at')
      .orderBy('kind', 'desc')
      .orderBy('sequence')
      .execute();
  }

  return {
    failures,
    issue: (through?: Pool) => run(issue, through),
    collect: (through?: Pool) => run(collect, through),
    run,
    order,
    renewals,
    refund,
    problems,
    uninvoiced,
    invoices,
  };
}
