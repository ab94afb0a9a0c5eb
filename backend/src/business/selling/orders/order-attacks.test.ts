import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Customer, LICENSE, openFixture } from '../../../../test/fixture.ts';
import { openRequests } from '../../../../test/requests.ts';
import { transaction } from '../../../db/transaction.ts';
import order from '../../../operations/panel/order.ts';
import renew from '../../../operations/panel/renew.ts';
import { lockAccounts, newUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { type WriteOutcome, writeTogether } from '../../../wire/write.ts';
import { issueToken, newTokenSecret, type TokenDraft } from '../../core/access/token.ts';
import { importCatalog } from '../../core/catalog/import.ts';
import { syncInventories } from '../../products.ts';
import { releaseHolds } from './hold.ts';
import { decideOrder, loadOrderState, type OrderRequest } from './order.ts';

const fixture = await openFixture();
const { pool, customer, item, clock, catalogs } = fixture;
const { call, data } = openRequests(fixture);
const START = clock.now();
const input = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };

const refused = (error: unknown): WriteOutcome[] => [{ kind: 'refused', refusal: error as never }];
const kindOf = (outcome: WriteOutcome | undefined): string =>
  outcome?.kind === 'refused' ? outcome.refusal.code : (outcome?.kind ?? 'none');
function dataOf(outcome: WriteOutcome | undefined): Record<string, string> {
  assert.equal(kindOf(outcome), 'answered');
  return (outcome as WriteOutcome & { kind: 'answered' }).data as Record<string, string>;
}
async function anotherToken(who: Customer, draft: Partial<TokenDraft>): Promise<string> {
  const secret = newTokenSecret();
  const owners = {
    accountId: who.accountId,
    userId: who.userId,
    kind: 'api' as const,
    name: 'x',
    scopes: ['*'],
    expiresAt: null,
  };
  await issueToken(pool, { ...owners, ...draft }, secret, clock.now());
  return secret;
}

for (const max_price of [0.1 + 0.2, 1.1 + 2.2, 1e-20]) {
  test(`max_price ${max_price} lets no dearer order through`, async () => {
    const who = await customer(10_000n);
    const answer = await call('panel/order', { ...input, max_price }, { token: who.secret });
    assert.notEqual(answer.status, 200, answer.text);
    assert.equal(await fixture.balanceOf(who), 10_000n);
  });
}

test('who renews a license that ran out gets a term that is not over already', async () => {
  const who = await customer(10_000n);
  const [first] = await writeTogether(pool, [item(order, who, input)]);
  const { license_uuid: uuid, license_key } = dataOf(first);
  clock.set(START.add({ hours: 24 * 92 }));
  const nonce = '12345678';
  assert.equal(
    (await data('panel/validate', { license_key, ip_address: '192.0.2.1', nonce })).reason,
    'expired',
  );
  const [again] = await writeTogether(pool, [item(renew, who, { uuid, duration: 1 })]);
  const ends = Temporal.Instant.from(`${dataOf(again).expire_at?.replace(' ', 'T')}Z`);
  const now = clock.now();
  clock.set(START);
  assert.ok(Temporal.Instant.compare(ends, now) > 0, `paid at ${now} for a term that ended at ${ends}`);
});

test('a month that is paid is a month, whatever hours came before it', async () => {
  const mixed = structuredClone(fixture.catalog);
  for (const pack of mixed.license_packages) pack.durations.push({ duration: 36, duration_unit: 'hour' });
  await transaction(pool, (tx) => importCatalog(tx, mixed, 'hours', clock.now(), syncInventories));
  const who = await customer(1_000_000n);
  clock.set(Temporal.Instant.from('2027-01-10T12:00:00Z'));
  const [first] = await writeTogether(pool, [item(order, who, input)]);
  const uuid = dataOf(first).license_uuid;
  for (let time = 0; time < 12; time += 1) {
    await writeTogether(pool, [item(renew, who, { uuid, duration: 36, duration_unit: 'hour' })]);
  }
  const [month] = await writeTogether(pool, [item(renew, who, { uuid, duration: 1 })]);
  clock.set(START);
  await transaction(pool, (tx) => importCatalog(tx, fixture.catalog, 'back', clock.now(), syncInventories));
  const { previous_expire_at, expire_at } = dataOf(month);
  assert.deepEqual([previous_expire_at, expire_at], ['2027-02-28 12:00:00', '2027-03-28 12:00:00']);
});

test('an account is never charged in another currency than its own', async () => {
  const who = await customer(10_000n);
  const francs = { ...structuredClone(fixture.catalog), currency: 'CHF' };
  await transaction(pool, (tx) => importCatalog(tx, francs, 'francs', clock.now(), syncInventories));
  await writeTogether(pool, [item(order, who, input)]).catch(refused);
  await transaction(pool, (tx) => importCatalog(tx, fixture.catalog, 'back', clock.now(), syncInventories));
  const { rows } = await pool.pg.query(
    `SELECT o.currency AS ordered, e.currency AS booked FROM orders o JOIN ledger_entries e ON e.id = o.entry_id
     WHERE o.account_id = $1 AND o.currency <> e.currency`,
    [who.accountId],
  );
  assert.deepEqual(rows, []);
});

test('the budget of a day counts once, also when clocks differ around midnight', async () => {
  const who = await customer(10_000n, { spendingLimit: 400n });
  const kinds: string[] = [];
  for (const at of ['2027-01-16T00:00:00.5Z', '2027-01-15T23:59:59.9Z', '2027-01-16T00:00:01Z']) {
    clock.set(Temporal.Instant.from(at));
    const [outcome] = await writeTogether(pool, [item(order, who, input)]).catch(refused);
    kinds.push(kindOf(outcome));
  }
  clock.set(START);
  assert.deepEqual(kinds, ['answered', 'spending_limit_exceeded', 'spending_limit_exceeded']);
});

test('a repeated key gives a token nothing that the token could not get itself (scopes)', async () => {
  const who = await customer(10_000n);
  const body = { name: 'ci', scopes: ['*'] };
  await data('account/token-create', body, { token: who.secret, key: '1' });
  const billing = await anotherToken(who, { scopes: ['account:*'] });
  const answer = await call('account/token-create', body, { token: billing, key: '1' });
  assert.notEqual(answer.status, 200, 'a token of scope account:* was given a token of scope *');
});

test('a repeated key gives a token nothing that the token could not get itself (resources)', async () => {
  const who = await customer(10_000n);
  const one = await data('panel/order', input, { token: who.secret });
  const other = await data('panel/order', input, { token: who.secret });
  const renewal = { uuid: one.license_uuid, duration: 1 };
  await data('panel/renew', renewal, { token: who.secret, key: 'r' });
  const narrow = await anotherToken(who, { resourceAllowlist: [other.license_uuid] });
  const answer = await call('panel/renew', renewal, { token: narrow, key: 'r' });
  assert.notEqual(answer.status, 200, 'a token without the license was given its key');
});

test('a user who was disabled changes nothing any more, also within the 900 ms', async () => {
  const who = await customer(10_000n);
  await pool.pg.query("UPDATE users SET state = 'disabled' WHERE id = $1", [who.userId]);
  const [outcome] = await writeTogether(pool, [item(order, who, input)]).catch(refused);
  assert.equal(kindOf(outcome), 'token_revoked');
});

test('a renewal that came to nothing can be ordered again', async () => {
  const who = await customer(10_000n);
  const [first] = await writeTogether(pool, [item(order, who, input)]);
  const serviceId = dataOf(first).license_uuid ?? '';
  const attempt = () =>
    transaction(pool, async (tx) => {
      const uow = newUnitOfWork(clock.now(), await lockAccounts(tx, [who.accountId]));
      const state = await loadOrderState(tx, catalogs, []);
      const request: OrderRequest = {
        product: 'license',
        action: 'renew',
        accountId: who.accountId,
        tokenId: null,
        serviceId,
        item: 'x',
        title: 'x',
        duration: 1,
        unit: 'month',
        periodFrom: Temporal.Instant.from('2027-02-15T12:00:00Z'),
        anchorDay: 15,
        lines: () => [{ description: 'x', quantity: 1, unitPrice: 39_900n }],
        discountCode: undefined,
        maxPrice: undefined,
        quoteId: undefined,
        dryRun: false,
        fingerprint: [],
        consent: null,
        settlement: 'hold',
      };
      const outcome = decideOrder(uow, state, request);
      assert.ok(outcome.kind === 'ordered');
      await uow.changes.send(tx);
      return outcome.order.id;
    });
  const failed = await attempt();
  await transaction(pool, async (tx) => {
    const uow = newUnitOfWork(clock.now(), await lockAccounts(tx, [who.accountId]));
    await releaseHolds(tx, uow, [failed], 'refused');
    await uow.changes.send(tx);
  });
  await attempt();
});

test('a renewed license that stays suspended is not called ACTIVE', async () => {
  const who = await customer(10_000n);
  const { license_uuid: uuid } = await data('panel/order', input, { token: who.secret });
  await pool.pg.query("UPDATE services SET state = 'suspended' WHERE id = $1", [uuid]);
  await pool.pg.query("INSERT INTO suspensions (service_id, reason, since) VALUES ($1, 'abuse', now())", [
    uuid,
  ]);
  const renewed = await call('panel/renew', { uuid, duration: 1 }, { token: who.secret });
  assert.notEqual(renewed.body.data?.state, 'ACTIVE');
});
