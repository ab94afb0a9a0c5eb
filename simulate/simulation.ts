import { jobs } from '../backend/src/jobs.generated.ts';
import { Api } from './api.ts';
import type { Check, Span } from './check.ts';
import domains from './checks/domains.ts';
import invoices from './checks/invoices.ts';
import money from './checks/money.ts';
import notices from './checks/notices.ts';
import revenue from './checks/revenue.ts';
import terms from './checks/terms.ts';
import { Customer, type Rumours } from './customer.ts';
import { Operator } from './operator.ts';
import { Provider } from './provider.ts';
import { Random } from './random.ts';
import { WorkerProcess } from './worker-process.ts';
import { openWorld, type World } from './world.ts';

export interface Plan {
  readonly url: string;
  readonly customers: number;
  readonly days: number;
  readonly seed: number;
  /** How often the worker is killed, over all days. */
  readonly kills: number;
  /** How much happens: actions per customer and day. */
  readonly activity: number;
}

/** How the platform stood at the end of a day. */
export interface Day {
  readonly date: string;
  readonly balance: number;
  readonly active: number;
  readonly suspended: number;
  readonly renewals: number;
}

export interface Outcome {
  readonly days: readonly Day[];
  readonly problems: readonly string[];
  readonly requests: number;
  readonly refusals: ReadonlyMap<string, number>;
  readonly kills: number;
  readonly totals: Readonly<Record<string, bigint>>;
}

/** The end of January is near: the days that months are short of come soon. */
const START = Temporal.Instant.from('2027-01-25T00:00:00Z');
const CHECKS: readonly Check[] = [...money, ...terms, ...notices, ...invoices, ...revenue, ...domains];

/** When the worker comes: often enough for what is due, and last before the day is looked at. */
const SHIFTS = ['00:10', '06:10', '12:10', '18:10', '23:50'];
/** When payments that were begun are paid, or not. */
const PAYMENTS = ['09:00', '21:00'];
/** How busy machines are, nobody pays for. */
const MEASURES = ['server.rotate_metrics', 'server.roll_up_metrics', 'server.sample_metrics'];
/** What runs once a day is enough here. */
const UPKEEP = jobs
  .filter((job) => job.kind === 'maintenance' && !MEASURES.includes(job.name))
  .map((job) => job.name);
const OFTEN = ['service.lifecycle', 'affiliate.commissions', 'invoice.issue'];

const MOST_PROBLEMS = 20;

/** Once, the worker stands still for so long, over deadlines of all kinds. */
const STANDSTILL_DAYS = 15;
/** Every so many days the machines are out of reach for a while: orders wait, and nothing is switched off. */
const OUTAGE = { every: 25, from: 10, days: 2 };
/** Meanwhile the registry's answers are lost, before what they tell of happened, or after. */
const LOST_ANSWERS = `INSERT INTO sandbox.registry_faults (command, fault, remaining, registrar)
  SELECT command, fault, 2, 'hostkeep' FROM unnest(ARRAY['timeout_after', 'timeout_before']) fault,
    unnest(ARRAY['create', 'renew', 'update', 'delete', 'restore', 'report', 'request_transfer', 'poll']) command`;
const OUT_OF_REACH = /fra-epyc-01 is out of reach|sandbox/;

/** Lets a platform live through its days, with people who do this and that, and looks at its books each night. */
export async function simulate(plan: Plan, tell: (day: Day) => void = () => {}): Promise<Outcome> {
  const world = await openWorld(plan.url, 'simulated-api', START);
  const worker = new WorkerProcess();
  try {
    return await live(plan, world, worker, tell);
  } finally {
    await worker.stop();
    await world.close();
  }
}

async function live(
  plan: Plan,
  world: World,
  worker: WorkerProcess,
  tell: (day: Day) => void,
): Promise<Outcome> {
  const random = new Random(plan.seed);
  const api = new Api(world);
  const operator = await Operator.hire(world, api, random);
  await operator.setPrices(1);
  const provider = new Provider(world, random);
  const rumours: Rumours = { vouchers: [], discounts: [] };
  const customers: Customer[] = [];
  const killDays = new Set(Array.from({ length: plan.kills }, () => random.between(5, plan.days - 1)));
  const days: Day[] = [];
  const problems: string[] = [];
  let statements = 50;

  const idleFrom = Math.floor(plan.days * 0.55);
  const idleUntil = idleFrom + STANDSTILL_DAYS;

  for (let number = 0; number < plan.days && problems.length === 0; number += 1) {
    const midnight = START.add({ hours: 24 * number });
    const at = (time: string) => Temporal.Instant.from(`${midnight.toString().slice(0, 10)}T${time}:00Z`);
    const idle = number >= idleFrom && number < idleUntil;
    const due = idle ? [] : SHIFTS.map((time) => ({ at: at(time), act: () => shift(time) }));
    const out = outOfReach(number);
    if (out !== outOfReach(number - 1)) {
      await setNetworkAccess(world, !out);
      // Whoever gave up on the registry for some real seconds would do so for days of this time.
      if (!out) await worker.stop();
    }
    const shift = async (time: string) => {
      const upkeep = time === SHIFTS.at(-1) ? UPKEEP : OFTEN;
      const dieAt = killDays.has(number) && time === SHIFTS[0] ? random.between(1, statements) : null;
      const now = world.clock.now().toString();
      const done = await worker.work({ url: plan.url, now, upkeep, dieAt });
      if (time === SHIFTS[0]) statements = Math.max(20, done.statements);
      const failures = out ? done.failures.filter((one) => !OUT_OF_REACH.test(one)) : done.failures;
      problems.push(...failures.map((failure) => `a job failed: ${failure}`));
    };
    const moment = () => midnight.add({ seconds: random.between(0, 85_000) });
    const happenings = [...due, ...PAYMENTS.map((time) => ({ at: at(time), act: () => provider.act() }))];
    const joins = customers.length < plan.customers ? newcomers(plan, number, random) : 0;
    for (let count = 0; count < joins; count += 1) {
      happenings.push({
        at: moment(),
        act: async () => void customers.push(await Customer.join(world, api, random, customers.length)),
      });
    }
    for (let count = 0; count < customers.length * plan.activity; count += 1) {
      happenings.push({ at: moment(), act: () => random.pick(customers).act(rumours) });
    }
    if (customers.length > 0) {
      for (const act of office(number, random, operator, rumours, customers))
        happenings.push({ at: moment(), act });
    }
    happenings.sort((a, b) => a.at.epochMilliseconds - b.at.epochMilliseconds);
    for (const happening of happenings) {
      world.clock.set(happening.at);
      await happening.act();
    }

    const whole = number === plan.days - 1 || number === idleUntil || number % 90 === 89;
    const span = { now: world.clock.now(), since: whole ? START : midnight };
    // What had to be done meanwhile is looked at when the worker is back.
    problems.push(...(idle ? [] : await look(world, span)), ...api.faults.splice(0));
    const day = await standing(world, midnight);
    days.push(day);
    tell(day);
  }
  return {
    days,
    problems: problems.slice(0, MOST_PROBLEMS),
    requests: api.answered + [...api.refusals.values()].reduce((sum, count) => sum + count, 0),
    refusals: api.refusals,
    kills: worker.deaths,
    totals: await totals(world),
  };
}

function outOfReach(day: number): boolean {
  const since = (day % OUTAGE.every) - OUTAGE.from;
  return since >= 0 && since < OUTAGE.days;
}

async function setNetworkAccess({ pool }: World, reached: boolean): Promise<void> {
  await pool.pg.query(
    reached
      ? 'DELETE FROM sandbox.outages'
      : "INSERT INTO sandbox.outages (host, node) VALUES ('fra-epyc', 'fra-epyc-01')",
  );
  await pool.pg.query(reached ? 'DELETE FROM sandbox.registry_faults' : LOST_ANSWERS);
}

/** Customers come over the first half of the time. */
function newcomers(plan: Plan, day: number, random: Random): number {
  const perDay = plan.customers / (plan.days / 2);
  const whole = Math.floor(perDay * (day + 1)) - Math.floor(perDay * day);
  return random.chance(0.5) ? whole + 1 : Math.max(0, whole - 1);
}

/** What the provider's people do on a day. */
function office(
  day: number,
  random: Random,
  operator: Operator,
  rumours: Rumours,
  customers: readonly Customer[],
): (() => Promise<void>)[] {
  const acts: (() => Promise<void>)[] = [];
  if (day % 91 === 45) acts.push(() => operator.setPrices(random.between(70, 150) / 100));
  if (day % 91 === 20) acts.push(() => operator.setTax(random.between(15, 25)));
  if (day % 30 === 3) acts.push(() => operator.giveVouchers(rumours));
  if (day % 20 === 5) acts.push(() => operator.giveDiscount(rumours));
  if (random.chance(0.2)) {
    const order = random.pick(customers).anOrder();
    if (order !== null) acts.push(() => operator.payBack(order));
  }
  if (random.chance(0.1)) {
    const service = random.pick(customers).aService();
    if (service !== null) acts.push(() => operator.switchOff(service));
  }
  if (random.chance(0.1)) acts.push(() => operator.switchOn());
  if (random.chance(0.1)) {
    const service = random.pick(customers).aService();
    if (service !== null) acts.push(() => operator.liftUnpaid(service));
  }
  return acts;
}

async function look(world: World, span: Span): Promise<string[]> {
  const found: string[] = [];
  for (const check of CHECKS) found.push(...(await check.find(world, span)));
  return found;
}

async function standing({ pool, clock }: World, midnight: Temporal.Instant): Promise<Day> {
  const { rows } = await pool.pg.query<{
    balance: bigint;
    active: bigint;
    suspended: bigint;
    renewals: bigint;
  }>(
    `SELECT (SELECT coalesce(sum(balance), 0)::bigint FROM accounts) AS balance,
       (SELECT count(*) FROM services WHERE state IN ('active', 'cancel_scheduled')) AS active,
       (SELECT count(*) FROM services WHERE state IN ('suspended', 'expired')) AS suspended,
       (SELECT count(*) FROM orders WHERE action = 'renew' AND created_at >= $1 AND created_at <= $2) AS renewals`,
    [midnight.toString(), clock.now().toString()],
  );
  const [row] = rows;
  return {
    date: midnight.toString().slice(0, 10),
    balance: Number(row?.balance ?? 0n) / 100,
    active: Number(row?.active ?? 0n),
    suspended: Number(row?.suspended ?? 0n),
    renewals: Number(row?.renewals ?? 0n),
  };
}

async function totals({ pool }: World): Promise<Readonly<Record<string, bigint>>> {
  const { rows } = await pool.pg.query<Record<string, bigint>>(
    `SELECT (SELECT count(*) FROM orders WHERE state = 'completed' AND action = 'create') AS orders,
       (SELECT count(*) FROM orders WHERE state = 'completed' AND action = 'renew' AND automatic) AS automatic_renewals,
       (SELECT count(*) FROM orders WHERE state = 'completed' AND action = 'renew' AND NOT automatic) AS manual_renewals,
       (SELECT count(*) FROM refunds) AS refunds,
       (SELECT count(*) FROM ledger_entries WHERE kind = 'topup') AS topups,
       (SELECT count(*) FROM ledger_entries WHERE kind = 'chargeback') AS chargebacks,
       (SELECT count(*) FROM ledger_entries WHERE kind = 'voucher') AS vouchers,
       (SELECT count(*) FROM service_notices) AS notices,
       (SELECT count(*) FROM mails) AS mails,
       (SELECT count(*) FROM invoices) AS invoices,
       (SELECT count(*) FROM services WHERE state = 'deleted') AS deleted,
       (SELECT count(*) FROM ledger_postings) AS postings`,
  );
  return rows[0] ?? {};
}
