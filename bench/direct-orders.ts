import { hash, randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto';
import pg from 'pg';
import { Latencies } from './latencies.ts';
import { answerCalls } from './process.ts';

/**
 * The baseline for orders: clients that talk to PostgreSQL without HTTP and write what `panel/order` writes, each
 * order by one prepared statement, which is also its transaction. It leaves out what a careful program needs
 * besides (validation, tokens, rates, sealing, catalogue, logs), so it is the faster for it.
 */
export interface DirectOrder {
  readonly url: string;
  readonly clients: number;
  /** Connections that the clients share. */
  readonly pool: number;
  readonly seconds: number;
  readonly accounts: readonly string[];
  readonly pack: { readonly uuid: string; readonly name: string };
}

export interface DirectResult {
  readonly orders: number;
  readonly milliseconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
  readonly firstFailure: string | null;
}

const GROSS = 4389;
const TAX = 701;
const NET = GROSS - TAX;

/**
 * $1 account, $2 order, $3 service, $4 entry, $5 now, $6 end of term, $7 package, $8 package's name, $9 key's hash,
 * $10 sealed key, $11–$13 events, $14 request, $15 token, $16 description, $17 the audited input.
 * The debit comes first: it waits for the account's row, and all else is made from the row as it then is.
 */
const ORDER = `
WITH charged AS (
  UPDATE accounts SET
    balance = balance - ${GROSS},
    ledger_seq = ledger_seq + 1,
    ledger_at = greatest(ledger_at, $5::timestamptz),
    event_seq = event_seq + 3,
    ledger_hash = sha256(convert_to(
      '["hostkeep-ledger-1","' || encode(ledger_hash, 'hex') || '","' || id || '","' || (ledger_seq + 1) || '","' || $4::uuid
      || '","order","' || currency || '","-${GROSS}","${TAX}","' || (balance - ${GROSS}) || '",' || to_json($16::text)
      || ',"' || $2::uuid || '","license","' || $3::uuid || '",'
      || floor(extract(epoch FROM greatest(ledger_at, $5::timestamptz)) * 1000)::bigint
      || ',[["customer:' || id || '","-${GROSS}"],["revenue:license","${NET}"],["tax:19.00","${TAX}"]]]', 'UTF8'))
  WHERE id = $1::uuid AND state = 'active' AND balance - reserved + credit_limit >= ${GROSS}
  RETURNING id, currency, balance, ledger_seq, ledger_at, event_seq, old.ledger_hash AS prev_hash, ledger_hash
), ordered AS (
  INSERT INTO orders (id, account_id, token_id, product, action, service_id, state, price_version, currency, lines, net,
    discount, tax_rate, tax, gross, duration, duration_unit, period_from, period_to, terms_version, entry_id,
    created_at, closed_at)
  SELECT $2::uuid, id, $15::uuid, 'license', 'create', $3::uuid, 'completed', 1, currency,
    jsonb_build_array(jsonb_build_object('description', $8::text || ' (year)', 'quantity', 1,
      'unit_price', '438900', 'net', 36.88)),
    ${NET}, 0, 1900, ${TAX}, ${GROSS}, 1, 'year', $5, $6::timestamptz, '2026-01', $4::uuid, $5, $5 FROM charged
), served AS (
  INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit, anchor_day,
    expire_at, created_at)
  SELECT $3::uuid, id, 'license', $7::text, $8::text, 'active', false, 1, 'year', extract(day FROM $5)::smallint,
    $6, $5 FROM charged
), licensed AS (
  INSERT INTO licenses (id, key_hash, key_sealed) SELECT $3::uuid, $9::bytea, $10::bytea FROM charged
), entered AS (
  INSERT INTO ledger_entries (account_id, seq, id, kind, currency, amount, tax, balance_after, description, order_id,
    resource_type, resource_id, created_at, prev_hash, hash)
  SELECT id, ledger_seq, $4::uuid, 'order', currency, -${GROSS}, ${TAX}, balance, $16::text, $2::uuid, 'license',
    $3::uuid, ledger_at, prev_hash, ledger_hash FROM charged
), posted AS (
  INSERT INTO ledger_postings (entry_id, position, ledger_account, currency, amount)
  SELECT $4::uuid, p.position, p.ledger_account, c.currency, p.amount FROM charged c,
    LATERAL (VALUES (0, 'customer:' || c.id, -${GROSS}), (1, 'revenue:license', ${NET}), (2, 'tax:19.00', ${TAX}))
      p(position, ledger_account, amount)
), told AS (
  INSERT INTO events (account_id, sequence, id, type, resource_type, resource_id, body, created_at)
  SELECT c.id, c.event_seq - 3 + e.n, e.id, e.type, 'license', $3::uuid, e.body, $5 FROM charged c,
    LATERAL (VALUES
      (1, $11::uuid, 'account.transaction_booked', jsonb_build_object('transaction_uuid', $4::uuid, 'type', 'order',
        'amount_minor', -${GROSS}, 'currency', c.currency, 'order_id', $2::uuid)),
      (2, $12::uuid, 'order.paid', jsonb_build_object('order_id', $2::uuid, 'gross_minor', ${GROSS},
        'currency', c.currency)),
      (3, $13::uuid, 'license.issued', jsonb_build_object('package_uuid', $7::text, 'expire_at', $6::timestamptz)))
      e(n, id, type, body)
), audited AS (
  INSERT INTO audit (id, created_at, account_id, token_id, operation, request_id, ip, code, input)
  SELECT $14::uuid, $5, id, $15::uuid, 'panel/order', $14::uuid, '127.0.0.1', 200, $17::jsonb FROM charged
)
SELECT ledger_seq FROM charged`;

const AUDITED =
  '{"pack_uuid":"","duration":1,"duration_unit":"year","tos":true,"cancellation":true,"dry_run":false,"auto_renew":false}';
const latencies = new Latencies();

async function run(order: DirectOrder): Promise<DirectResult> {
  const pool = new pg.Pool({
    connectionString: order.url,
    max: order.pool,
    application_name: 'hostkeep-bench-direct',
    // What Hostkeep's own connections are set to.
    options: '-c timezone=UTC -c role=hostkeep_app -c plan_cache_mode=force_generic_plan',
  });
  const connections = await Promise.all(Array.from({ length: order.pool }, () => pool.connect()));
  const { pack } = order;
  const audited = AUDITED.replace('"pack_uuid":""', `"pack_uuid":"${pack.uuid}"`);
  const token = randomUUID();
  latencies.clear();
  let failures = 0;
  let firstFailure: string | null = null;
  const startedAt = performance.now();
  const until = startedAt + order.seconds * 1000;

  async function place(connection: pg.PoolClient): Promise<void> {
    const now = new Date();
    const service = randomUUIDv7();
    const end = new Date(now);
    end.setUTCFullYear(end.getUTCFullYear() + 1);
    const account = order.accounts[Math.floor(Math.random() * order.accounts.length)];
    const values = [
      account,
      randomUUIDv7(),
      service,
      randomUUIDv7(),
      now.toISOString(),
      end.toISOString(),
      pack.uuid,
      pack.name,
      hash('sha256', service, 'buffer'),
      randomBytes(66), // as long as a sealed key; sealing costs the baseline nothing
      randomUUID(),
      randomUUID(),
      randomUUID(),
      randomUUIDv7(),
      token,
      `License ${pack.name}, 1 year`,
      audited,
    ];
    const result = await connection.query({ name: 'order', text: ORDER, values });
    if (result.rowCount !== 1) throw new Error('the order was refused');
  }

  // With fewer connections than clients, whoever comes first takes the next free one.
  const free = [...connections];
  const queue: ((connection: pg.PoolClient) => void)[] = [];
  const take = () => free.pop() ?? new Promise<pg.PoolClient>((resolve) => queue.push(resolve));
  function giveBack(connection: pg.PoolClient): void {
    const next = queue.shift();
    if (next === undefined) free.push(connection);
    else next(connection);
  }
  async function client(): Promise<void> {
    while (performance.now() < until) {
      const sentAt = performance.now();
      const connection = await take();
      try {
        await place(connection);
        latencies.record(performance.now() - sentAt);
      } catch (error) {
        failures += 1;
        firstFailure ??= String(error);
      } finally {
        giveBack(connection);
      }
    }
  }
  await Promise.all(Array.from({ length: order.clients }, client));
  const milliseconds = performance.now() - startedAt;
  for (const connection of connections) connection.release();
  await pool.end();
  return {
    orders: latencies.count,
    milliseconds,
    p50: latencies.percentile(0.5),
    p99: latencies.percentile(0.99),
    failures,
    firstFailure,
  };
}

answerCalls(run);
