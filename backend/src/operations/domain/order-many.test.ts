// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER, openDomains } from '../../../test/domains.ts';
import issue from '../../business/selling/invoices/issue.job.ts';

const domains = await openDomains();
const { requests, pool, clock } = domains;

const ALL = { contacts: { owner: OWNER }, tos: true, cancellation: true };
type Customer = Awaited<ReturnType<typeof domains.customer>>;
const sent = ({ secret: token }: Customer) => ({ token });
const names = (...given: string[]) => given.map((domain) => ({ domain }));

/** The answer's data of an order that must be accepted. */
async function order(customer: Customer, given: readonly object[], more: object = {}) {
  const received = await requests.call(
    'domain/order-many',
    { ...ALL, names: given, ...more },
    sent(customer),
  );
  assert.equal(received.status, 202, received.text);
  return received.body.data;
}

async function reserved({ accountId }: Customer): Promise<bigint> {
  const { rows } = await pool.pg.query('SELECT reserved FROM accounts WHERE id = $1', [accountId]);
  return rows[0].reserved;
}

test('a quote for many names is one sum with lines for each, and holds for the order', async () => {
  const customer = await domains.customer(10_000n);
  const wanted = { ...ALL, names: [{ domain: 'many-a.com', period: 2 }, { domain: 'many-b.com' }] };
  const { quote, names: each } = await requests.data(
    'domain/order-many',
    { ...wanted, dry_run: true },
    sent(customer),
  );
  assert.deepEqual([quote.gross, quote.renewal_gross, quote.sufficient_funds], [40.97, 44.97, true]);
  assert.deepEqual(
    each.map((one: { gross: number }) => one.gross),
    [27.98, 12.99],
  );
  assert.deepEqual(
    quote.lines.map((line: { description: string; period_to: string }) => [
      line.description,
      line.period_to.slice(0, 4),
    ]),
    [
      ['many-a.com: .com registration (year)', '2029'],
      ['many-a.com: .com renewal (year)', '2029'],
      ['many-b.com: .com registration (year)', '2028'],
    ],
  );
  assert.equal(await reserved(customer), 0n);
  const other = { ...wanted, names: names('many-a.com', 'many-b.com'), quote_uuid: quote.quote_uuid };
  await requests.refused('validation_failed', 'domain/order-many', other, sent(customer));
  const ordered = await requests.call(
    'domain/order-many',
    { ...wanted, quote_uuid: quote.quote_uuid },
    sent(customer),
  );
  assert.equal(ordered.status, 202, ordered.text);
  assert.equal(ordered.body.data.charged.gross, 40.97);
  assert.equal(await reserved(customer), 4_097n);
});

test('each name is delivered and paid by itself: one that its registry refuses costs nothing, and the rest is one invoice', async () => {
  const customer = await domains.customer(10_000n);
  const given = names('apart-1.com', 'apart-2.com', 'apart-3.com');
  const { results, task } = await order(customer, given);
  await pool.pg.query(
    "INSERT INTO sandbox.registry_faults (command, fault, remaining, domain) VALUES ('create', 'refuse', 1, 'apart-2.com')",
  );
  await domains.work();
  assert.equal(await domains.balanceOf(customer), 10_000n - 2n * 1_299n);
  assert.equal(await reserved(customer), 0n);
  const states = await Promise.all(
    results.map(async (one: { domain_uuid: string }) => (await domains.domain(one.domain_uuid)).state),
  );
  assert.deepEqual(states, ['active', 'failed', 'active']);
  const { task: whole } = await requests.data('task/details', { uuid: task.uuid }, sent(customer));
  assert.deepEqual([whole.state, whole.error.error], ['failed', 'order_incomplete']);
  const ends = (await domains.events(customer, 'task.')).toSorted();
  assert.deepEqual(ends, ['task.failed', 'task.failed', 'task.succeeded', 'task.succeeded']);
  await domains.run(issue);
  const { rows } = await pool.pg.query('SELECT gross FROM invoices WHERE account_id = $1', [
    customer.accountId,
  ]);
  assert.deepEqual(rows, [{ gross: 2_598n }]);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('who waits is told what became of each name', async () => {
  const customer = await domains.customer(10_000n);
  const given = { ...ALL, names: names('waited-1.com', 'waited-2.com') };
  const headers = { prefer: 'wait=20' };
  const asked = requests.call('domain/order-many', given, { ...sent(customer), headers });
  const { rows } = await untilQueued(customer.accountId);
  assert.equal(rows.length, 2);
  await domains.work();
  const { status, body } = await asked;
  assert.equal(status, 200);
  assert.equal(body.data.task.state, 'succeeded');
  assert.deepEqual(
    body.data.results.map((one: { state: string; task: { state: string } }) => [one.state, one.task.state]),
    [
      ['ACTIVE', 'succeeded'],
      ['ACTIVE', 'succeeded'],
    ],
  );
});

async function untilQueued(accountId: string) {
  for (;;) {
    const found = await pool.pg.query("SELECT id FROM orders WHERE account_id = $1 AND state = 'pending'", [
      accountId,
    ]);
    if (found.rows.length > 0) return found;
  }
}

test('nothing is ordered if one of the names cannot be, and each refusal names its name', async () => {
  const customer = await domains.customer(20_000n);
  await domains.register(await domains.customer(5_000n), 'somebody-has-this.com');
  const wanted = [
    { domain: 'fine-by-itself.com' },
    { domain: 'taken-many.com' },
    { domain: 'nowhere.zz' },
    { domain: 'fine-by-itself.com' },
    { domain: 'somebody-has-this.com' },
    { domain: 'premium-many.com' },
    { domain: 'too-long.de', period: 7 },
    { domain: 'no-code.com', action: 'transfer' },
  ];
  const early = await requests.refused(
    'order_items_refused',
    'domain/order-many',
    { ...ALL, names: wanted },
    sent(customer),
  );
  type Problem = { pointer: string; refusal: string };
  const told = ({ pointer, refusal }: Problem) => [pointer, refusal];
  // What the catalogue says is said before any registry is asked.
  assert.deepEqual(early.errors.map(told), [
    ['/names/2/domain', 'unsupported_tld'],
    ['/names/6/period', 'period_not_allowed'],
    ['/names/7/authcode', 'validation_failed'],
  ]);
  assert.deepEqual([early.refused, early.total], [3, 8]);
  const known = wanted.filter((_, at) => ![2, 6, 7].includes(at));
  const late = await requests.refused(
    'order_items_refused',
    'domain/order-many',
    { ...ALL, names: known },
    sent(customer),
  );
  assert.deepEqual(late.errors.map(told), [
    ['/names/1/domain', 'domain_not_available'],
    ['/names/2/domain', 'domain_not_available'],
    ['/names/3/domain', 'domain_not_available'],
    ['/names/4/domain', 'premium_not_confirmed'],
  ]);
  assert.equal(await reserved(customer), 0n);
  const { rows } = await pool.pg.query('SELECT id FROM services WHERE account_id = $1', [customer.accountId]);
  assert.deepEqual(rows, []);
});

test('money is held for all names or for none, and the price guard is for the sum', async () => {
  const customer = await domains.customer(2_500n);
  const two = { ...ALL, names: names('too-dear-1.com', 'too-dear-2.com') };
  const poor = await requests.refused('insufficient_funds', 'domain/order-many', two, sent(customer));
  assert.deepEqual([poor.required, poor.available, poor.shortfall], [25.98, 25, 0.98]);
  assert.equal(await reserved(customer), 0n);
  const rich = await domains.customer(10_000n);
  const guarded = { ...two, max_price: 25.97 };
  const changed = await requests.refused('price_changed', 'domain/order-many', guarded, sent(rich));
  assert.equal(changed.price, 25.98);
  const limit = 'UPDATE tokens SET spending_limit = 2000 WHERE account_id = $1';
  await pool.pg.query(limit, [rich.accountId]);
  await requests.refused('spending_limit_exceeded', 'domain/order-many', two, sent(rich));
  assert.equal(await reserved(rich), 0n);
});

test('a code is used for the names that it is good for, and refused if there is none', async () => {
  const customer = await domains.customer(20_000n);
  await pool.pg.query(
    `INSERT INTO discount_codes (code, percent, cycles, products, items, valid_from, max_uses, uses, created_at)
     VALUES ('TWOCOM', 5000, 1, '{domain}', '{com}', '2026-01-01', 2, 0, '2026-01-01')`,
  );
  const discount_code = 'twocom';
  const given = names('code-1.com', 'code-2.de', 'code-3.com', 'code-4.com');
  const ordered = await order(customer, given, { discount_code });
  assert.deepEqual(
    ordered.results.map((one: { charged: { discount: number } }) => one.charged.discount > 0),
    [true, false, true, false],
  );
  const none = { ...ALL, discount_code, names: names('code-5.de') };
  await requests.refused('discount_code_invalid', 'domain/order-many', none, sent(customer));
});

test('two orders for the same names at one moment: one gets them all, the other nothing, and it is told which', async () => {
  const [one, two] = [await domains.customer(20_000n), await domains.customer(20_000n)];
  const given = names('rival-1.com', 'rival-2.com', 'rival-3.com');
  const answers = await Promise.all([
    requests.call('domain/order-many', { ...ALL, names: given }, sent(one)),
    requests.call('domain/order-many', { ...ALL, names: given.toReversed() }, sent(two)),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409]);
  const refused = answers.find(({ status }) => status === 409);
  assert.ok(refused !== undefined);
  assert.equal(refused.body.error, 'order_items_refused', refused.text);
  assert.equal(refused.body.errors.length, 3);
  await domains.work();
  assert.deepEqual(await domains.booksProblems(), []);
});

test('a repeated key orders nothing twice', async () => {
  const customer = await domains.customer(10_000n);
  const given = { ...ALL, names: names('once-1.com', 'once-2.com') };
  const first = await requests.call('domain/order-many', given, { ...sent(customer), key: 'basket' });
  const again = await requests.call('domain/order-many', given, { ...sent(customer), key: 'basket' });
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.equal(await reserved(customer), 2_598n);
});

test('what came about is invoiced together, and does not wait for the rest for ever', async () => {
  const customer = await domains.customer(10_000n);
  await order(customer, names('is-there-now.com', 'comes-later.com'));
  await pool.pg.query(
    "INSERT INTO sandbox.registry_faults (command, fault, remaining, domain) VALUES ('create', 'timeout_before', 99, 'comes-later.com')",
  );
  await domains.work().catch(() => {});
  const invoices = async () => {
    await domains.run(issue);
    const { rows } = await pool.pg.query('SELECT gross FROM invoices WHERE account_id = $1 ORDER BY number', [
      customer.accountId,
    ]);
    return rows.length;
  };
  assert.equal(await invoices(), 0);
  clock.set(clock.now().add({ minutes: 16 }));
  assert.equal(await invoices(), 1);
});
