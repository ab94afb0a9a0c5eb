import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { Sealer } from '../backend/src/base/seal.ts';
import { generateSigningKey, signerOf } from '../backend/src/base/sign.ts';
import { CatalogStore } from '../backend/src/business/core/catalog/versions.ts';
import life from '../backend/src/business/selling/subscriptions/renewal/lifecycle.job.ts';
import { APPLICATION_ROLE } from '../backend/src/db/migrate.ts';
import { Pool } from '../backend/src/db/pool.ts';
import { type BenchDatabase, query, startPostgres } from './databases.ts';
import { machine } from './machine.ts';
import { median } from './measurement.ts';

const USAGE = `Usage: npm run bench:renewals -- [--services 1000000] [--few 10000]

Renews that many services in one night, as the worker does it, and in nights of few before and after: what a service
costs must not grow with their number. Prints the time and what the books say afterwards.`;

const MINUTES = 10;
const PER_ACCOUNT = 10;
/** Nights of few, which are over in seconds: their median counts. Half of them come before the long one, half after. */
const SHORT_NIGHTS = 6;
const NOW = Temporal.Instant.from('2027-06-15T02:00:00Z');

const { values } = parseArgs({
  options: {
    services: { type: 'string', default: '1000000' },
    few: { type: 'string', default: '10000' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

/** Accounts with ten services each, all of which come to the end of their month tonight. */
async function fill({ url, catalog }: BenchDatabase, services: number): Promise<void> {
  const pack = catalog.license_packages[0];
  if (pack === undefined) throw new Error('the catalogue sells no license');
  const accounts = Math.ceil(services / PER_ACCOUNT);
  await query(
    url,
    `INSERT INTO accounts (id, state, currency, balance, created_at)
     SELECT uuidv7(), 'active', 'EUR', 100000000, '2026-01-01' FROM generate_series(1, $1::int)`,
    [accounts],
  );
  await query(
    url,
    `INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit, anchor_day,
       expire_at, created_at, due_at, term_gross)
     SELECT uuidv7(), a.id, 'license', $1, $2, 'active', true, 1, 'month', 15, $3::timestamptz + random() * interval '20 hours',
       '2027-05-15', $3::timestamptz - random() * interval '4 hours', 399
     FROM generate_series(1, $4::int) n, accounts a`,
    [pack.uuid, pack.name, NOW, PER_ACCOUNT],
  );
  await query(url, 'VACUUM ANALYZE accounts');
  await query(url, 'VACUUM ANALYZE services');
}

interface Night {
  readonly services: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

async function renew(database: BenchDatabase): Promise<Night> {
  const pool = new Pool({ url: database.url, size: 4, name: 'bench-worker', role: APPLICATION_ROLE });
  try {
    if (life.kind !== 'maintenance') throw new Error('the life of services is no upkeep');
    const catalogs = await new CatalogStore(pool).open();
    const sealer = new Sealer('bench', new Map([['bench', Buffer.alloc(32)]]));
    const signer = signerOf('bench', generateSigningKey().privateKeyPkcs8);
    const log = pino({ level: 'silent' });
    const [begun, cpu] = [performance.now(), process.cpuUsage()];
    await life.run(pool, { now: NOW, catalogs, sealer, signer, log }, undefined as never);
    const seconds = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const { rows } = await query<{ orders: number }>(
      database.url,
      `SELECT count(*)::int AS orders FROM orders WHERE action = 'renew' AND state = 'completed'`,
    );
    return { services: rows[0]?.orders ?? 0, seconds, cpuSeconds: (user + system) / 1e6 };
  } finally {
    await pool.end();
  }
}

async function booksHold({ url }: BenchDatabase): Promise<boolean> {
  const { rows } = await query<{ right: boolean }>(
    url,
    `SELECT (SELECT sum(amount) = 0 FROM ledger_postings)
       AND NOT EXISTS (SELECT FROM services s WHERE s.due_at <= $1 OR s.expire_at < $1::timestamptz + interval '20 days')
       AND NOT EXISTS (SELECT FROM accounts a WHERE a.balance <> 100000000 +
         (SELECT sum(e.amount) FROM ledger_entries e WHERE e.account_id = a.id)) AS right`,
    [NOW],
  );
  return rows[0]?.right === true;
}

const postgres = await startPostgres();
let nights = 0;
async function night(wanted: number): Promise<Night> {
  nights += 1;
  const database = await postgres.create(`night_${nights}`);
  await fill(database, wanted);
  const renewed = await renew(database);
  const rate = renewed.services / renewed.seconds;
  const held = (await booksHold(database)) ? 'the books agree' : 'the books are WRONG';
  console.log(
    `${renewed.services.toLocaleString('en')} of ${wanted.toLocaleString('en')} services renewed in ` +
      `${renewed.seconds.toFixed(1)} s: ${rate.toFixed(0)} /s, program ${((renewed.cpuSeconds / renewed.services) * 1e6).toFixed(0)} µs each; ${held}`,
  );
  return renewed;
}

try {
  const short: Night[] = [];
  const half = async () => {
    for (let count = 0; count < SHORT_NIGHTS / 2; count += 1) short.push(await night(Number(values.few)));
  };
  await half();
  const many = await night(Number(values.services));
  await half();
  const linear =
    many.services / many.seconds / median(short.map(({ services, seconds }) => services / seconds));
  const verdict = (met: boolean) => (met ? 'met' : 'MISSED');
  console.log(machine(postgres.version));
  console.log(
    `at most ${MINUTES} minutes: ${(many.seconds / 60).toFixed(1)}, ${verdict(many.seconds <= MINUTES * 60)}`,
  );
  console.log(`linear or better (ratio of the rates ≥ 1): ${linear.toFixed(2)}, ${verdict(linear >= 1)}`);
} finally {
  await postgres.stop();
}
