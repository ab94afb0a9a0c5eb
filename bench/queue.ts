import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { z } from 'zod';
import { systemClock } from '../backend/src/base/clock.ts';
import { APPLICATION_ROLE } from '../backend/src/db/migrate.ts';
import { Pool } from '../backend/src/db/pool.ts';
import { transaction } from '../backend/src/db/transaction.ts';
import { commandJob } from '../backend/src/work/job.ts';
import { enqueue } from '../backend/src/work/queue.ts';
import { startWorker } from '../backend/src/work/worker.ts';
import { query, startPostgres } from './databases.ts';
import { machine } from './machine.ts';
import { median } from './measurement.ts';

const USAGE = `Usage: npm run bench:queue -- [--orders 10000] [--reboots 20] [--workers 8]

Enqueues that many orders in bulk, whose commands do nothing, and reboots one after the other while they are worked on.
Prints jobs per second, and how long a reboot waits until its command begins. One process works, on four back ends.`;

const ORDER = 'server.provision';
const REBOOT = 'server.power';
const BACKENDS = 4;
const TOGETHER = 100;
/** A reboot is to begin within this, behind all the orders. */
const LIMIT_MS = 1_000;

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '10000' },
    reboots: { type: 'string', default: '20' },
    workers: { type: 'string', default: '8' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const [orders, reboots] = [Number(values.orders), Number(values.reboots)];

const postgres = await startPostgres();
try {
  const { url } = await postgres.create('queue');
  const pool = new Pool({ url, size: 10, name: 'bench-queue', role: APPLICATION_ROLE });
  let done = 0;
  const ended = Promise.withResolvers<void>();
  let begun = Promise.withResolvers<void>();
  const command = (name: string, begins: () => void) =>
    commandJob({
      name,
      payload: z.object({ number: z.int() }),
      load: async (_db, _ctx, payload) => payload,
      async command() {
        begins();
        return { kind: 'done', result: null };
      },
      backend: ({ number }) => `hypervisor:bench/${number % BACKENDS}`,
      accounts: () => [],
      async finish() {
        done += 1;
        if (done === orders + reboots) ended.resolve();
      },
    });
  const [account] = await query<{ id: string }>(
    url,
    `INSERT INTO accounts (id, state, currency, created_at) VALUES (uuidv7(), 'active', 'EUR', '2027-01-01') RETURNING id`,
  ).then(({ rows }) => rows);
  if (account === undefined) throw new Error('no account was made');
  for (let first = 0; first < orders; first += TOGETHER) {
    const numbers = Array.from({ length: Math.min(TOGETHER, orders - first) }, (_, at) => first + at);
    await transaction(pool, (tx) =>
      enqueue(
        tx,
        numbers.map((number) => ({
          name: ORDER,
          payload: { number },
          key: `${ORDER}:${number}`,
          priority: 'bulk' as const,
          account: account.id,
        })),
      ),
    );
  }
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const worker = await startWorker({
    jobs: [command(ORDER, () => {}), command(REBOOT, () => begun.resolve())],
    directUrl: url,
    pool,
    ports: undefined as never,
    clock: systemClock,
    context: { log: pino({ level: 'silent' }) } as never,
    concurrency: Number(values.workers),
    observe: () => {},
  });
  const waited: number[] = [];
  let ahead = 0;
  for (let number = 0; number < reboots; number += 1) {
    begun = Promise.withResolvers();
    const asked = performance.now();
    await transaction(pool, (tx) =>
      enqueue(tx, [{ name: REBOOT, payload: { number }, key: `${REBOOT}:${number}`, account: account.id }]),
    );
    await begun.promise;
    waited.push(performance.now() - asked);
    if (done < orders) ahead += 1;
  }
  await ended.promise;
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await worker.stop();
  await pool.end();
  const most = Math.max(...waited);
  console.log(machine(postgres.version));
  console.log(
    `${done.toLocaleString('en')} jobs in ${seconds.toFixed(1)} s: ${(done / seconds).toFixed(0)} /s, ` +
      `program ${((user + system) / done).toFixed(0)} µs each`,
  );
  console.log(
    `a reboot begins after ${median(waited).toFixed(0)} ms, at most ${most.toFixed(0)} ms (${ahead} of ${reboots} ` +
      `while orders waited): within ${LIMIT_MS} ms ${most <= LIMIT_MS ? 'met' : 'MISSED'}`,
  );
} finally {
  await postgres.stop();
}
