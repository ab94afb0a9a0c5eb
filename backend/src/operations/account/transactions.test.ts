import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Customer, LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import { wireTime } from '../../base/time.ts';
import { adjustBalance } from '../../business/core/accounts/adjust.ts';
import { transaction } from '../../db/transaction.ts';

const fixture = await openFixture();
const { data, refused } = openRequests(fixture);

interface Row {
  uuid: string;
  id: number;
  type: string;
  direction: string;
  amount: number;
  amount_minor: number;
  balance_after: number;
  state: string;
  description: string;
  reference: { type: string; uuid: string } | null;
  order_id: string | null;
  payment_method: string | null;
  created_at: string;
  booked_at: string | null;
}

const MINUTES_A_DAY = 24 * 60;

async function adjust(customer: Customer, amount: bigint, reason: string, paidBy?: string): Promise<void> {
  const adjustment = { amount, reason, ...(paidBy === undefined ? {} : { paidBy }) };
  await transaction(fixture.pool, (tx) =>
    adjustBalance(tx, customer.accountId, adjustment, fixture.clock.now()),
  );
}

async function order(customer: Customer): Promise<string> {
  const request = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  return (await data('panel/order', request, { token: customer.secret })).license_uuid;
}

/** An order that a back end has not delivered yet, as `server/order` leaves it. */
async function hold(customer: Customer, amount: bigint): Promise<string> {
  const [orderId, serviceId] = [randomUUID(), randomUUID()];
  const now = fixture.clock.now();
  await transaction(fixture.pool, async (tx) => {
    await tx.kysely
      .insertInto('orders')
      .values({
        id: orderId,
        account_id: customer.accountId,
        product: 'server',
        action: 'create',
        service_id: serviceId,
        state: 'pending',
        price_version: 1,
        currency: 'EUR',
        description: 'Cloud S (month)',
        lines: '[]',
        net: amount,
        discount: 0n,
        tax_rate: 0,
        tax: 0n,
        gross: amount,
        duration: 1,
        duration_unit: 'month',
        period_from: now,
        period_to: now.add({ hours: 720 }),
        entry_id: randomUUID(),
        created_at: now,
      })
      .execute();
    await tx.kysely
      .insertInto('holds')
      .values({
        order_id: orderId,
        account_id: customer.accountId,
        amount,
        state: 'open',
        entry_id: randomUUID(),
        created_at: now,
      })
      .execute();
    await tx.kysely
      .updateTable('accounts')
      .set((of) => ({ reserved: of('reserved', '+', amount) }))
      .where('id', '=', customer.accountId)
      .execute();
  });
  return serviceId;
}

const passTime = (minutes: number) => fixture.clock.set(fixture.clock.now().add({ minutes }));

/** Every row, page by page, each page as full as it can be and no row skipped or twice. */
async function everyPage(customer: Customer, request: object, perPage: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await data(
      'account/transactions',
      { ...request, page, per_page: perPage },
      { token: customer.secret },
    );
    const { total, total_pages } = answer.pagination;
    assert.equal(total_pages, Math.ceil(total / perPage));
    assert.equal(answer.transactions.length, Math.max(0, Math.min(perPage, total - rows.length)));
    rows.push(...answer.transactions);
    if (page >= total_pages) return rows;
  }
}

/** A customer with a history over some days: money in and out, orders, and holds at the end. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('adjust'), amount: fc.integer({ min: -500, max: 2000 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('order'), amount: fc.constant(0) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait'),
      amount: fc.integer({ min: 1, max: 2 * MINUTES_A_DAY }),
    }),
  },
);

test('paging gives the whole ledger in order, whatever is filtered by, and the summary is its sum', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.array(fc.bigInt(1n, 900n), { maxLength: 4 }),
      fc.record({
        perPage: fc.integer({ min: 1, max: 9 }),
        order: fc.constantFrom('asc', 'desc'),
        from: fc.option(fc.nat(20)),
        to: fc.option(fc.nat(20)),
        type: fc.option(fc.constantFrom('topup', 'order', 'adjustment', 'refund')),
        direction: fc.option(fc.constantFrom('credit', 'debit')),
        search: fc.option(fc.constantFrom('License', 'correction', '%')),
        resource: fc.boolean(),
      }),
      async (steps, held, asked) => {
        const customer = await fixture.customer(0n);
        const begun = fixture.clock.now();
        let resource: string | null = null;
        await adjust(customer, 20_000n, 'first payment', 'bank');
        for (const { kind, amount } of steps) {
          if (kind === 'wait') passTime(amount);
          else if (kind === 'order') resource = await order(customer);
          else if (amount > 1000) await adjust(customer, BigInt(amount), 'a payment', 'bank');
          else if (amount !== 0) await adjust(customer, BigInt(amount), 'a correction');
        }
        for (const amount of held) {
          passTime(1);
          resource = await hold(customer, amount);
        }
        const day = (days: number) => wireTime(begun.add({ hours: 24 * days })).slice(0, 10);
        const request = {
          order: asked.order,
          ...(asked.from === null ? {} : { from: day(asked.from) }),
          ...(asked.to === null ? {} : { to: day(asked.to) }),
          ...(asked.type === null ? {} : { type: asked.type }),
          ...(asked.direction === null ? {} : { direction: asked.direction }),
          ...(asked.search === null ? {} : { search: asked.search }),
          ...(asked.resource && resource !== null ? { resource_uuid: resource } : {}),
        };
        const all = await everyPage(customer, { order: 'asc' }, 100);
        const booked = all.filter((row) => row.state === 'booked');
        const inPeriod = (row: Row) =>
          (request.from === undefined || row.created_at.slice(0, 10) >= request.from) &&
          (request.to === undefined || row.created_at.slice(0, 10) <= request.to);
        const expected = all.filter(
          (row) =>
            inPeriod(row) &&
            (request.type === undefined || row.type === request.type) &&
            (request.direction === undefined || row.direction === request.direction) &&
            (request.search === undefined ||
              row.description.toLowerCase().includes(request.search.toLowerCase())) &&
            (request.resource_uuid === undefined || row.reference?.uuid === request.resource_uuid),
        );
        if (asked.order === 'desc') expected.reverse();
        assert.deepEqual(await everyPage(customer, request, asked.perPage), expected);

        const { summary } = await data('account/transactions', request, { token: customer.secret });
        const cents = (row: Row) => (row.direction === 'credit' ? row.amount_minor : -row.amount_minor);
        const before = booked.filter(
          (row) => request.from !== undefined && row.created_at.slice(0, 10) < request.from,
        );
        const backwards = request.from !== undefined && request.to !== undefined && request.to < request.from;
        const until = backwards ? before : [...before, ...booked.filter(inPeriod)];
        const sum = (rows: Row[]) => rows.reduce((total, row) => total + cents(row), 0);
        const matching = expected.filter((row) => row.state === 'booked');
        assert.deepEqual(summary, {
          credit: sum(matching.filter((row) => row.direction === 'credit')) / 100,
          debit: Math.abs(sum(matching.filter((row) => row.direction === 'debit'))) / 100,
          opening_balance: sum(before) / 100,
          closing_balance: sum(until) / 100,
        });
      },
    ),
    { numRuns: 60 },
  );
  // Holds were written here without their servers; all else of the books must hold.
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('the whole list is the ledger itself: dense, and each balance follows from the one before', async () => {
  const customer = await fixture.customer(5_000n);
  for (let count = 0; count < 5; count += 1) await order(customer);
  await adjust(customer, -5_000n, 'taken back');
  const rows = await everyPage(customer, { order: 'asc' }, 2);
  let balance = 0;
  for (const [index, row] of rows.entries()) {
    balance += row.direction === 'credit' ? row.amount_minor : -row.amount_minor;
    assert.equal(row.id, index + 1);
    assert.equal(row.balance_after, balance / 100);
    assert.equal(row.booked_at, row.created_at);
  }
  assert.equal(rows.length, 7);
  assert.equal((await data('account/balance', {}, { token: customer.secret })).balance_minor, balance);
});

test('a pending order is newer than all that is booked, and shows the balance that will be', async () => {
  const customer = await fixture.customer(5_000n);
  const first = await hold(customer, 1_000n);
  passTime(1);
  const second = await hold(customer, 250n);
  await adjust(customer, 100n, 'after the holds');
  const [newest, older, booked] = await everyPage(customer, {}, 2);
  assert.deepEqual(
    [newest, older].map((row) => [
      row?.state,
      row?.id,
      row?.reference?.uuid,
      row?.balance_after,
      row?.booked_at,
    ]),
    [
      ['pending', 0, second, 38.5, null],
      ['pending', 0, first, 41, null],
    ],
  );
  assert.equal(older?.description, 'Cloud S (month)');
  assert.equal(booked?.description, 'after the holds');
  assert.deepEqual(await everyPage(customer, { type: 'renewal' }, 2), []);
});

test('a top-up says how it was paid', async () => {
  const customer = await fixture.customer(0n);
  await adjust(customer, 1_000n, 'bank transfer', 'bank');
  await adjust(customer, 1_000n, 'courtesy');
  const rows = await everyPage(customer, {}, 10);
  assert.deepEqual(
    rows.map((row) => [row.type, row.payment_method]),
    [
      ['adjustment', null],
      ['topup', 'bank'],
    ],
  );
});

test('as CSV the page comes as text too, and no text of it is a formula', async () => {
  const customer = await fixture.customer(0n);
  await adjust(customer, 123_456n, '=HYPERLINK("https://example.com"), thanks');
  await adjust(customer, -5n, '-5\r\nlines');
  const sent = { token: customer.secret };
  const answer = await data('account/transactions', { format: 'csv', order: 'asc' }, sent);
  const [one, two] = answer.transactions;
  assert.equal(
    answer.csv,
    'uuid,id,created_at,state,type,description,amount,tax,currency,balance_after,reference_type,reference_uuid,order_id\r\n' +
      `${one.uuid},1,${one.created_at},booked,adjustment,"'=HYPERLINK(""https://example.com""), thanks",1234.56,0.00,EUR,1234.56,,,\r\n` +
      `${two.uuid},2,${two.created_at},booked,adjustment,"'-5\r\nlines",-0.05,0.00,EUR,1234.51,,,\r\n`,
  );
  assert.equal((await data('account/transactions', {}, sent)).csv, undefined);
  await data('account/transactions', { format: 'csv', per_page: 1000 }, sent);
  await refused('validation_failed', 'account/transactions', { per_page: 101 }, sent);
  await refused('validation_failed', 'account/transactions', { format: 'csv', per_page: 1001 }, sent);
});

test('days that are none are refused, and the last page of a long list is not too deep', async () => {
  const { secret: token } = await fixture.customer(100n);
  for (const from of [
    '2027-02-29',
    '2027-13-01',
    '0000-01-01',
    '3000-01-01',
    '1969-12-31',
    'yesterday',
    '2027-1-1',
  ]) {
    const body = await refused('validation_failed', 'account/transactions', { from }, { token });
    assert.equal(body.errors[0].pointer, '/from');
  }
  assert.deepEqual(
    (await data('account/transactions', { page: 1_000_000, per_page: 100 }, { token })).transactions,
    [],
  );
  assert.equal(
    (await data('account/transactions', { from: '1970-01-01', to: '2999-12-31' }, { token })).transactions
      .length,
    1,
  );
});

test('nobody sees another customer’s transactions', async () => {
  const [one, other] = [await fixture.customer(100n), await fixture.customer(200n)];
  const license = await order(await fixture.customer(1_000n));
  assert.equal((await everyPage(one, {}, 10))[0]?.amount, 1);
  assert.equal((await everyPage(other, {}, 10))[0]?.amount, 2);
  assert.deepEqual(await everyPage(one, { resource_uuid: license }, 10), []);
});
