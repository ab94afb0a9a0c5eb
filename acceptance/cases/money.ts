import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Api } from '../api.ts';
import { cheapestPackage, licenseOrder, licensePackages } from '../catalogue.ts';
import { balanceMinor, everyEntry, major, minor, newCustomer } from '../customer.ts';
import { licenseOrder as orderShape } from '../documented/interface.ts';
import { balance as balanceShape, transactions as transactionsShape } from '../documented/payloads.ts';
import { refusal, success } from '../envelope.ts';
import type { Answer } from '../exchange.ts';
import type { Installation } from '../installation.ts';
import { at, listAt, numberAt, objectAt, stringAt } from '../json.ts';
import type { Operator } from '../operator.ts';

/** What an account can spend, under concurrency and repetition. Needs an operator, who puts money there. */
export function moneyCases({ api }: Installation, operator: Operator): void {
  test('64 orders at once on a balance that covers 10: 10 succeed, 54 get 402, nothing is overspent', async () => {
    const pack = await cheapestPackage(api);
    const price = await grossPrice(api, pack);
    const customer = await newCustomer(api, operator, 10 * price);
    let ended = false;
    const storm = Promise.all(
      Array.from({ length: 64 }, () => customer.api.post('panel/order', licenseOrder(pack))),
    ).finally(() => {
      ended = true;
    });
    const [answers, lowest] = await Promise.all([storm, lowestBalance(customer.api, () => ended)]);
    assert.ok(lowest >= 0, 'the balance was never seen below zero');

    const orders = answers.filter((answer) => answer.status === 200);
    assert.equal(orders.length, 10, statuses(answers));
    for (const order of orders) success(order, orderShape);
    for (const answer of answers.filter((one) => one.status !== 200)) {
      const body = refusal(answer, 402, 'insufficient_funds');
      assert.equal(minor(at(body, '/required')), price);
      const available = minor(at(body, '/available'));
      assert.ok(available >= 0 && available < price);
      assert.equal(minor(at(body, '/shortfall')), price - available);
      assert.match(stringAt(body, '/currency'), /^[A-Z]{3}$/);
    }
    await assertBooks(customer.api, { credited: 10 * price, orders: 10, price });
  });

  test('orders of different prices on a small balance: what is affordable later still goes through', async () => {
    const packages = await licensePackages(api);
    const cheap = packages[0];
    const dear = packages.at(-1);
    if (!cheap || !dear) assert.fail('two packages are needed');
    const price = await grossPrice(api, cheap);
    const customer = await newCustomer(api, operator, 3 * price);
    assert.ok(
      (await grossPrice(api, dear)) > 3 * price,
      'the dearest package costs more than three cheap ones',
    );
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        customer.api.post('panel/order', licenseOrder(index % 2 === 0 ? dear : cheap)),
      ),
    );
    assert.equal(answers.filter((answer) => answer.status === 200).length, 3, statuses(answers));
    assert.equal(answers.filter((answer) => answer.status === 402).length, 21, statuses(answers));
    await assertBooks(customer.api, { credited: 3 * price, orders: 3, price });
  });

  test('one Idempotency-Key sent 20 times at once: one license, one charge, one answer', async () => {
    const pack = await cheapestPackage(api);
    const price = await grossPrice(api, pack);
    const customer = await newCustomer(api, operator, 5 * price);
    const headers = { 'Idempotency-Key': randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => customer.api.post('panel/order', licenseOrder(pack), headers)),
    );
    for (const answer of answers) success(answer, orderShape);
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1, 'the answers are identical');
    const replayed = answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true');
    assert.equal(replayed.length, 19);
    await assertBooks(customer.api, { credited: 5 * price, orders: 1, price });
  });

  test('a key with another body, or for another operation, is idempotency_key_reused', async () => {
    const pack = await cheapestPackage(api);
    const price = await grossPrice(api, pack);
    const customer = await newCustomer(api, operator, 5 * price);
    const headers = { 'Idempotency-Key': `order ${randomUUID()}`.replace(' ', '-') };
    const first = await customer.api.post('panel/order', licenseOrder(pack), headers);
    const order = success(first, orderShape);
    const other = licenseOrder(pack, { custom_name: 'another' });
    refusal(await customer.api.post('panel/order', other, headers), 422, 'idempotency_key_reused');
    const renewal = { uuid: order.license_uuid, duration: 1 };
    refusal(await customer.api.post('panel/renew', renewal, headers), 422, 'idempotency_key_reused');
    const reordered = Object.fromEntries(Object.entries(licenseOrder(pack)).reverse());
    const again = await customer.api.post('panel/order', reordered, headers);
    assert.equal(again.text, first.text, 'the same body with its members in another order is the same body');
    assert.equal(again.headers['idempotent-replayed'], 'true');
    await assertBooks(customer.api, { credited: 5 * price, orders: 1, price });
  });

  test('a key belongs to its account: another customer may use the same', async () => {
    const pack = await cheapestPackage(api);
    const price = await grossPrice(api, pack);
    const headers = { 'Idempotency-Key': randomUUID() };
    const [one, two] = await Promise.all([
      newCustomer(api, operator, price),
      newCustomer(api, operator, price),
    ]);
    const first = success(await one.api.post('panel/order', licenseOrder(pack), headers), orderShape);
    const second = success(await two.api.post('panel/order', licenseOrder(pack), headers), orderShape);
    assert.notEqual(first.license_uuid, second.license_uuid);
  });

  test('402, then money, then the same key goes through and is charged once', async () => {
    const pack = await cheapestPackage(api);
    const price = await grossPrice(api, pack);
    const customer = await newCustomer(api, operator);
    const headers = { 'Idempotency-Key': randomUUID() };
    const order = () => customer.api.post('panel/order', licenseOrder(pack), headers);
    const short = refusal(await order(), 402, 'insufficient_funds');
    assert.equal(minor(at(short, '/available')), 0);
    assert.equal(minor(at(short, '/shortfall')), price);
    await operator.adjustBalance(customer.email, major(price));
    const paid = await order();
    success(paid, orderShape);
    assert.equal(paid.headers['idempotent-replayed'], undefined);
    const replay = await order();
    assert.equal(replay.text, paid.text);
    assert.equal(replay.headers['idempotent-replayed'], 'true');
    await assertBooks(customer.api, { credited: price, orders: 1, price });
  });

  test('a key that is empty, too long or not visible ASCII is idempotency_key_invalid', async () => {
    const pack = await cheapestPackage(api);
    for (const key of ['', 'x'.repeat(256), 'a b', 'schlüssel']) {
      const headers = { 'Idempotency-Key': key };
      const answer = await api.post('panel/order', licenseOrder(pack), headers);
      refusal(answer, 400, 'idempotency_key_invalid');
    }
  });

  test('a dry run ignores its key', async () => {
    const pack = await cheapestPackage(api);
    const headers = { 'Idempotency-Key': randomUUID() };
    success(await api.post('panel/order', licenseOrder(pack, { dry_run: true }), headers));
    const order = await api.post('panel/order', licenseOrder(pack), headers);
    success(order, orderShape);
    assert.equal(order.headers['idempotent-replayed'], undefined);
  });

  test('renewals at once on a balance that covers 3: the expiry moves by exactly 3 terms', async () => {
    const pack = await cheapestPackage(api);
    const price = await grossPrice(api, pack);
    const customer = await newCustomer(api, operator, 4 * price);
    const order = success(await customer.api.post('panel/order', licenseOrder(pack)), orderShape);
    const uuid = stringAt(order, '/license_uuid');
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => customer.api.post('panel/renew', { uuid, duration: 1 })),
    );
    const renewed = answers.filter((answer) => answer.status === 200);
    assert.equal(renewed.length, 3, statuses(answers));
    const steps = renewed.map((answer) => success(answer)).sort(byExpiry);
    let expiry = stringAt(order, '/expire_at');
    for (const step of steps) {
      assert.equal(step.previous_expire_at, expiry);
      expiry = stringAt(step, '/expire_at');
    }
    const license = success(await customer.api.get('panel/details', { uuid }));
    assert.equal(license.expire_at, expiry);
    assert.equal(await balanceMinor(customer.api), 0);
  });
}

function byExpiry(a: object, b: object): number {
  return JSON.stringify(a, ['expire_at']) < JSON.stringify(b, ['expire_at']) ? -1 : 1;
}

async function grossPrice(api: Api, pack: ReturnType<typeof objectAt>): Promise<number> {
  const data = success(await api.post('panel/order', licenseOrder(pack, { dry_run: true })));
  return numberAt(data, '/quote/gross_minor');
}

/** The lowest balance seen while something else goes on. */
async function lowestBalance(api: Api, ended: () => boolean): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  while (!ended()) {
    const data = success(await api.get('account/balance'));
    lowest = Math.min(lowest, numberAt(data, '/balance_minor'), minor(at(data, '/available')));
  }
  return lowest;
}

/** Licenses, debits and balance tell one story, and the transactions add up to the balance row by row. */
async function assertBooks(
  api: Api,
  expected: { credited: number; orders: number; price: number },
): Promise<void> {
  const licenses = await everyEntry(api, 'panel/list', 'licenses');
  assert.equal(licenses.length, expected.orders, 'one license an order');
  const data = success(await api.get('account/transactions', { per_page: 100 }), transactionsShape);
  const rows = listAt(data, '/transactions').map((row) => objectAt(row, ''));
  const debits = rows.filter((row) => row.direction === 'debit');
  assert.equal(debits.length, expected.orders, 'one charge an order');
  assert.equal(new Set(debits.map((row) => row.order_id)).size, expected.orders);
  for (const row of debits) assert.equal(row.amount_minor, expected.price);
  const sum = rows.reduce(
    (total, row) => total + numberAt(row, '/amount_minor') * (row.direction === 'credit' ? 1 : -1),
    0,
  );
  const left = expected.credited - expected.orders * expected.price;
  assert.equal(sum, left, 'credits less debits');
  const balance = success(await api.get('account/balance'), balanceShape);
  assert.equal(balance.balance_minor, left);
  assert.equal(minor(at(balance, '/balance')), left);
  assert.equal(minor(at(balance, '/reserved')), 0);
  assert.equal(minor(at(balance, '/available')), left + minor(at(balance, '/credit_limit')));
  assert.equal(minor(at(data, '/summary/closing_balance')), left);
  for (const row of rows) assert.ok(minor(at(row, '/balance_after')) >= 0);
}

function statuses(answers: readonly Answer[]): string {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer.status] = (counts[answer.status] ?? 0) + 1;
  return JSON.stringify(counts);
}
