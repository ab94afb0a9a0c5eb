import { parseArgs } from 'node:util';
import { createTestDatabase } from '../backend/test/database.ts';
import { plot } from './plot.ts';
import { type Outcome, simulate } from './simulation.ts';

const USAGE = `Usage: npm run simulate -- [--customers 1000] [--years 3 | --days N] [--seed 1] [--kills 6]
                             [--activity 0.04]

Lets the program live through years of days on a database of its own: orders, renewals, cancellations, vouchers, price
changes, payments that fail, refunds, and a worker that is killed. After each day the books, terms, notices, invoices
and revenue are checked by other formulas than the program's. Exits with 1 when anything does not hold.`;

const { values } = parseArgs({
  options: {
    customers: { type: 'string', default: '1000' },
    years: { type: 'string', default: '3' },
    days: { type: 'string' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '6' },
    activity: { type: 'string', default: '0.04' },
    quiet: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const days = values.days === undefined ? Math.round(Number(values.years) * 365.25) : Number(values.days);
const [customers, seed, kills] = [values.customers, values.seed, values.kills].map(Number) as [
  number,
  number,
  number,
];
const begun = performance.now();
const database = await createTestDatabase();
let outcome: Outcome;
try {
  outcome = await simulate(
    { url: database.url, customers, days, seed, kills, activity: Number(values.activity) },
    (day) => {
      if (values.quiet || !day.date.endsWith('-01')) return;
      const seconds = ((performance.now() - begun) / 1000).toFixed(0);
      console.error(`${seconds.padStart(5)} s  ${day.date}  ${day.active} services, ${day.suspended} off`);
    },
  );
} finally {
  await database.drop();
}

const of = (pick: (day: Outcome['days'][number]) => number) => outcome.days.map(pick);
const lines = [
  `Seed ${seed}: ${customers} customers, ${outcome.days.length} days, ${outcome.requests} requests, worker killed ${outcome.kills} times, ${((performance.now() - begun) / 1000).toFixed(0)} s`,
  '',
  ...Object.entries(outcome.totals).map(
    ([name, count]) => `${name.replaceAll('_', ' ').padEnd(20)} ${count}`,
  ),
  '',
  plot(
    'balance',
    of((day) => day.balance),
  ),
  plot(
    'active',
    of((day) => day.active),
  ),
  plot(
    'suspended',
    of((day) => day.suspended),
  ),
  plot(
    'renewals',
    of((day) => day.renewals),
  ),
  '',
  ...[...outcome.refusals]
    .sort(([, a], [, b]) => b - a)
    .map(([what, count]) => `refused ${String(count).padStart(6)} × ${what}`),
  '',
];
if (!values.quiet) console.log(lines.join('\n'));
else console.log(lines[0]);
for (const problem of outcome.problems) console.log(`WRONG ${problem}`);
console.log(
  outcome.problems.length === 0 ? 'Everything held after every day.' : `${outcome.problems.length} problems.`,
);
process.exitCode = outcome.problems.length === 0 ? 0 : 1;
