import { pino } from 'pino';
import type { Instant } from '../src/base/time.ts';
import { importCatalog } from '../src/business/core/catalog/import.ts';
import {
  type CatalogDocument,
  catalogDocument,
  catalogFromDocument,
} from '../src/business/core/catalog/schema/schema.ts';
import { syncInventories } from '../src/business/products.ts';
import life from '../src/business/selling/subscriptions/renewal/lifecycle.job.ts';
import { transaction } from '../src/db/transaction.ts';
import order from '../src/operations/panel/order.ts';
import { writeTogether } from '../src/wire/write.ts';
import type { JobContext } from '../src/work/job.ts';
import { type Customer, LICENSE, type openFixture } from './fixture.ts';

type Fixture = Awaited<ReturnType<typeof openFixture>>;

interface ServiceRow {
  readonly id: string;
  readonly state: string;
  readonly expire_at: Instant;
  readonly due_at: Instant | null;
  readonly delete_at: Instant | null;
  readonly ended_at: Instant | null;
  readonly discount_left: number | null;
  readonly discount_code: string | null;
  readonly announced_version: number | null;
}

/** Lets time pass on a fixture: the sweep of services runs as often as it is told to. */
export function timeTravel(fixture: Fixture) {
  const { pool, clock, catalogs, sealer, signer } = fixture;
  const log = pino({ level: 'silent' });

  /** Looks after everything that is due at this moment. */
  async function sweep(): Promise<void> {
    if (life.kind !== 'maintenance') throw new Error('the life of services is no upkeep');
    const ctx: JobContext = { now: clock.now(), catalogs, sealer, signer, log };
    await life.run(pool, ctx, undefined as never);
  }

  /** Goes to a moment, sweeping on the way. */
  async function travel(to: string, step: { hours: number } = { hours: 24 }): Promise<void> {
    const end = Temporal.Instant.from(to);
    while (Temporal.Instant.compare(clock.now(), end) < 0) {
      const next = clock.now().add(step);
      clock.set(Temporal.Instant.compare(next, end) < 0 ? next : end);
      await sweep();
    }
  }

  /** Orders a license; its uuid. */
  async function license(who: Customer, input: object = {}): Promise<string> {
    const wanted = {
      pack_uuid: LICENSE,
      duration: 1,
      tos: true,
      cancellation: true,
      auto_renew: true,
      ...input,
    };
    const [outcome] = await writeTogether(pool, [fixture.item(order, who, wanted)]);
    if (outcome?.kind === 'refused') throw outcome.refusal;
    if (outcome?.kind !== 'answered') throw new Error('the account is locked');
    return (outcome.data as { license_uuid: string }).license_uuid;
  }

  async function service(id: string): Promise<ServiceRow> {
    const { rows } = await pool.pg.query<ServiceRow>('SELECT * FROM services WHERE id = $1', [id]);
    const [row] = rows;
    if (row === undefined) throw new Error(`there is no service ${id}`);
    return row;
  }

  /** What the customer was charged for a service, in order. */
  async function charges(id: string): Promise<{ from: string; to: string; gross: bigint }[]> {
    const { rows } = await pool.pg.query<{ period_from: Instant; period_to: Instant; gross: bigint }>(
      `SELECT period_from, period_to, gross FROM orders WHERE service_id = $1 AND state = 'completed' ORDER BY period_from`,
      [id],
    );
    return rows.map((row) => ({
      from: row.period_from.toString().slice(0, 10),
      to: row.period_to.toString().slice(0, 10),
      gross: row.gross,
    }));
  }

  async function events(who: Customer, type: string): Promise<number> {
    const { rows } = await pool.pg.query('SELECT FROM events WHERE account_id = $1 AND type = $2', [
      who.accountId,
      type,
    ]);
    return rows.length;
  }

  async function mails(who: Customer, template: string): Promise<{ variables: { services: unknown[] } }[]> {
    const { rows } = await pool.pg.query(
      'SELECT variables FROM mails WHERE account_id = $1 AND template = $2 ORDER BY created_at, id',
      [who.accountId, template],
    );
    return rows;
  }

  /** Changes what is sold from now on. */
  async function sell(
    change: (document: CatalogDocument & { license_packages: { pricings: object }[] }) => void,
  ) {
    const document = structuredClone(catalogDocument((await catalogs.newest(pool)).content));
    change(document as never);
    await transaction(pool, (tx) =>
      importCatalog(tx, catalogFromDocument(document), 'test', clock.now(), syncInventories),
    );
    await catalogs.newest(pool);
  }

  return { sweep, travel, license, service, charges, events, mails, sell };
}
