import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { Sealer } from '../backend/src/base/seal.ts';
import { generateSigningKey, signerOf } from '../backend/src/base/sign.ts';
import { issueToken, newTokenSecret } from '../backend/src/business/core/access/token.ts';
import { createCustomer } from '../backend/src/business/core/accounts/customer.ts';
import { CatalogStore } from '../backend/src/business/core/catalog/versions.ts';
import { hostZones } from '../backend/src/business/dns/zone/hosting.ts';
import { APPLICATION_ROLE } from '../backend/src/db/migrate.ts';
import { Pool } from '../backend/src/db/pool.ts';
import { transaction } from '../backend/src/db/transaction.ts';
import dnsUpdate from '../backend/src/operations/domain/dns-update.ts';
import { inUnitOfWork } from '../backend/src/unit-of-work/unit-of-work.ts';
import { Metrics } from '../backend/src/wire/metrics.ts';
import { Runner } from '../backend/src/wire/run.ts';
import { TaskWaiter } from '../backend/src/wire/task-waiter.ts';
import { query, startPostgres } from './databases.ts';
import { machine } from './machine.ts';
import { median } from './measurement.ts';
import { aligned } from './report.ts';

const USAGE = `Usage: npm run bench:dns -- [--records 10000] [--few 10] [--updates 200]

Changes one record of a zone of that many records, and of one of few: what an update costs must not grow with the zone.
Whole requests, less HTTP, one after the other, the two zones by turns. Prints milliseconds and the ratio of the medians.`;

const LIMIT = 2;
const WARM_UP = 20;

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '10000' },
    few: { type: 'string', default: '10' },
    updates: { type: 'string', default: '200' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const sizes = [Number(values.few), Number(values.records)];

const postgres = await startPostgres();
try {
  const { url } = await postgres.create('dns');
  const pool = new Pool({ url, size: 4, name: 'bench', role: APPLICATION_ROLE });
  const counters = new Pool({
    url,
    size: 1,
    name: 'bench',
    role: APPLICATION_ROLE,
    synchronousCommit: false,
  });
  const catalogs = await new CatalogStore(pool).open();
  const runner = new Runner({
    clock: { now: () => Temporal.Now.instant() },
    readPool: pool,
    writePool: pool,
    counterPool: counters,
    catalogs,
    ports: {} as never,
    sealer: new Sealer('bench', new Map([['bench', Buffer.alloc(32)]])),
    signer: signerOf('bench', generateSigningKey().privateKeyPkcs8),
    publicUrl: 'https://hosting.example',
    registration: 'open',
    limits: { perToken: 1_000_000_000, perAddress: 1_000_000_000 },
    log: pino({ level: 'silent' }),
    metrics: new Metrics(),
    taskWaiter: new TaskWaiter(pool),
  });
  const token = await fill(pool, url);

  /** One request; the milliseconds that it took. */
  const update = async (domain: string, changes: readonly object[]) => {
    const body = Buffer.from(JSON.stringify({ domain, changes }));
    const begun = performance.now();
    const answer = await runner.run({
      operation: dnsUpdate,
      ip: '127.0.0.1',
      query: '',
      body,
      header: (name) => (name === 'authorization' ? `Bearer ${token}` : undefined),
    });
    const took = performance.now() - begun;
    if (answer.status !== 202) throw new Error(answer.body);
    return { took, data: JSON.parse(answer.body).data };
  };

  const busy = loadavg()[0] ?? 0;
  const measured = sizes.map(() => [] as number[]);
  const changed = await Promise.all(
    sizes.map(async (size) => {
      const create = { action: 'create', name: 'changing', type: 'A', content: '192.0.2.1' };
      return (await update(nameOf(size), [create])).data.diff.added[0].id;
    }),
  );
  await query(url, 'ANALYZE');
  for (let round = 0; round < WARM_UP + Number(values.updates); round += 1) {
    for (const [at, size] of sizes.entries()) {
      const change = { action: 'update', id: changed[at], content: `192.0.2.${(round % 250) + 2}` };
      const { took } = await update(nameOf(size), [change]);
      if (round >= WARM_UP) measured[at]?.push(took);
    }
  }
  const medians = measured.map((times) => median(times));
  const [few = 0, many = 0] = medians;
  const ratio = many / few;
  const rows = sizes.map((size, at) => {
    const times = (measured[at] ?? []).toSorted((a, b) => a - b);
    const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
    return [size.toLocaleString('en'), (medians[at] ?? 0).toFixed(2), p99.toFixed(2)];
  });
  console.log(
    `domain/dns-update of one record on ${machine(postgres.version)}, load average before ${busy.toFixed(1)}\n`,
  );
  console.log(aligned([['records of the zone', 'median ms', 'p99 ms'], ...rows]));
  console.log(`\nRatio ${ratio.toFixed(2)}, limit ≤ ${LIMIT}: ${ratio <= LIMIT ? 'met' : 'MISSED'}`);
  process.exitCode = ratio <= LIMIT ? 0 : 1;
  await runner.close();
  await Promise.all([pool.end(), counters.end()]);
} finally {
  await postgres.stop();
}

function nameOf(size: number): string {
  return `zone-of-${size}.com`;
}

/** A customer with a zone of each size; their token. */
async function fill(pool: Pool, url: string): Promise<string> {
  const now = Temporal.Now.instant();
  const secret = newTokenSecret();
  const accountId = await transaction(pool, async (tx) => {
    const person = { email: 'a@customer.example', passwordHash: null, firstName: 'A', lastName: 'Customer' };
    const created = await createCustomer(
      tx,
      { ...person, locale: 'en', timezone: 'UTC', currency: 'EUR' },
      now,
    );
    if (created.kind !== 'created') throw new Error('there is a customer already');
    const { accountId: id, userId } = created;
    const draft = {
      accountId: id,
      userId,
      kind: 'api',
      name: 'bench',
      scopes: ['*'],
      expiresAt: null,
    } as const;
    await issueToken(tx, draft, secret, now);
    return id;
  });
  for (const size of sizes) {
    const name = nameOf(size);
    const { rows } = await query<{ id: string }>(
      url,
      `WITH service AS (
         INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit,
           anchor_day, expire_at, created_at)
         VALUES (uuidv7(), $1, 'domain', 'com', $2, 'active', true, 1, 'year', 1, '2100-01-01', '2026-01-01')
         RETURNING id)
       INSERT INTO domains (id, name, tld, registry, state, transfer_lock, whois_privacy, dns_hosted)
       SELECT id, $2, 'com', 'sandbox', 'active', true, true, true FROM service RETURNING id`,
      [accountId, name],
    );
    const records = Array.from({ length: size - 1 }, (_, at) => ({
      name: `host-${at}`,
      type: 'A',
      content: `192.0.2.${at % 250}`,
    }));
    const nameservers = ['ns1.hosting.example', 'ns2.hosting.example'];
    const draft = { domainId: rows[0]?.id ?? '', name, nameservers, records, dnssec: false, userId: null };
    await inUnitOfWork(pool, now, [accountId], (tx, uow) => hostZones(tx, uow, [draft]));
  }
  return secret;
}
