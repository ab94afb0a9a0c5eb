// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Customer, DEAR_LICENSE, LICENSE, openFixture } from '../../test/fixture.ts';
import { wireAmount } from '../base/money.ts';
import { adjustBalance } from '../business/core/accounts/adjust.ts';
import { importCatalog } from '../business/core/catalog/import.ts';
import { syncInventories } from '../business/products.ts';
import { transaction } from '../db/transaction.ts';
import order from '../operations/panel/order.ts';
import renew from '../operations/panel/renew.ts';
import { BatchQueue } from './batch-queue.ts';
import { type WriteItem, type WriteOutcome, writeTogether } from './write.ts';

const fixture = await openFixture();
const { pool, customer, item, clock } = fixture;
const consent = { tos: true, cancellation: true };
const queued = () => new BatchQueue((items) => writeTogether(pool, items), true);

function kindOf(outcome: WriteOutcome): string {
  if (outcome.kind === 'refused') return outcome.refusal.code;
  return outcome.kind === 'answered' && outcome.replayed ? 'replayed' : outcome.kind;
}
function dataOf(outcome: WriteOutcome | undefined): Record<string, unknown> {
  assert.equal(outcome?.kind, 'answered');
  return (outcome as WriteOutcome & { kind: 'answered' }).data as Record<string, unknown>;
}
async function licensesOf(who: Customer): Promise<number> {
  const rows = await pool.kysely
    .selectFrom('services')
    .select('id')
    .where('account_id', '=', who.accountId)
    .execute();
  return rows.length;
}

test('64 orders at once on a balance that covers 10: exactly 10 succeed, 54 are short of funds', async () => {
  const who = await customer(10n * 399n + 398n);
  const queue = queued();
  const outcomes = await Promise.all(
    Array.from({ length: 64 }, () =>
      queue.submit(item(order, who, { pack_uuid: LICENSE, duration: 1, ...consent })),
    ),
  );
  const kinds = Map.groupBy(outcomes, kindOf);
  assert.equal(kinds.get('answered')?.length, 10);
  assert.equal(kinds.get('insufficient_funds')?.length, 54);
  assert.equal(await fixture.balanceOf(who), 398n);
  assert.equal(await licensesOf(who), 10);
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('one key sent 20 times at once is one license and one charge, and every answer is the same', async () => {
  const who = await customer(10_000n);
  const queue = queued();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () =>
      queue.submit(item(order, who, { pack_uuid: LICENSE, duration: 1, ...consent }, 'the-key')),
    ),
  );
  const bodies = new Set(
    outcomes.map((outcome) => (outcome.kind === 'answered' ? outcome.answer.body : outcome.kind)),
  );
  assert.equal(bodies.size, 1);
  assert.deepEqual(outcomes.map(kindOf).sort(), ['answered', ...Array(19).fill('replayed')]);
  assert.equal(await licensesOf(who), 1);
  assert.equal(await fixture.balanceOf(who), 10_000n - 399n);
});

test('a key is bound to its request and its operation', async () => {
  const who = await customer(10_000n);
  const queue = queued();
  const first = await queue.submit(item(order, who, { pack_uuid: LICENSE, duration: 1, ...consent }, 'k'));
  const other = await queue.submit(item(order, who, { pack_uuid: LICENSE, duration: 2, ...consent }, 'k'));
  assert.equal(kindOf(other), 'idempotency_key_reused');
  const uuid = dataOf(first).license_uuid as string;
  const [elsewhere] = await writeTogether(pool, [item(renew, who, { uuid, duration: 1 }, 'k')]);
  assert.ok(elsewhere !== undefined);
  assert.equal(kindOf(elsewhere), 'idempotency_key_reused');
});

test('a refusal is not remembered: after a top-up the same key works', async () => {
  const who = await customer(0n);
  const queue = queued();
  const input = { pack_uuid: LICENSE, duration: 1, ...consent };
  assert.equal(kindOf(await queue.submit(item(order, who, input, 'later'))), 'insufficient_funds');
  await transaction(pool, (tx) =>
    adjustBalance(tx, who.accountId, { amount: 399n, reason: 'top-up' }, clock.now()),
  );
  assert.equal(kindOf(await queue.submit(item(order, who, input, 'later'))), 'answered');
  assert.equal(await fixture.balanceOf(who), 0n);
});

test('an order that is too dear leaves room for a cheaper one behind it', async () => {
  const who = await customer(500n);
  const outcomes = await writeTogether(pool, [
    item(order, who, { pack_uuid: DEAR_LICENSE, duration: 1, ...consent }),
    item(order, who, { pack_uuid: LICENSE, duration: 1, ...consent }),
  ]);
  assert.deepEqual(outcomes.map(kindOf), ['insufficient_funds', 'answered']);
});

test('an account that another transaction holds leaves the batch, waits alone, and gets its answer', async () => {
  const [held, free] = await Promise.all([customer(1_000n), customer(1_000n)]);
  const rival = await pool.pg.connect();
  await rival.query('BEGIN');
  await rival.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [held.accountId]);
  const input = { pack_uuid: LICENSE, duration: 1, ...consent };
  const together = await writeTogether(pool, [item(order, held, input), item(order, free, input)]);
  assert.deepEqual(together.map(kindOf), ['locked', 'answered']);
  const waiting = queued().submit(item(order, held, input));
  await rival.query('COMMIT');
  rival.release();
  assert.equal(kindOf(await waiting), 'answered');
});

test('a token that was revoked after it was remembered is refused inside the transaction', async () => {
  const who = await customer(1_000n);
  await pool.kysely
    .updateTable('tokens')
    .set({ revoked_at: clock.now() })
    .where('id', '=', who.tokenId)
    .execute();
  const [outcome] = await writeTogether(pool, [
    item(order, who, { pack_uuid: LICENSE, duration: 1, ...consent }),
  ]).catch((error) => [{ kind: 'refused', refusal: error } as WriteOutcome]);
  assert.ok(outcome !== undefined);
  assert.equal(kindOf(outcome), 'token_revoked');
  assert.equal(await licensesOf(who), 0);
});

test("a token's budget of the day bounds what it orders, and the next day it is fresh", async () => {
  const who = await customer(10_000n, { spendingLimit: 1_000n });
  const queue = queued();
  const input = { pack_uuid: LICENSE, duration: 1, ...consent };
  const outcomes = await Promise.all([1, 2, 3].map(() => queue.submit(item(order, who, input))));
  assert.deepEqual(outcomes.map(kindOf).sort(), ['answered', 'answered', 'spending_limit_exceeded']);
  clock.set(clock.now().add({ hours: 24 }));
  assert.equal(kindOf(await queue.submit(item(order, who, input))), 'answered');
});

test('a quote holds its price when the catalogue gets dearer, and no longer after it expires', async () => {
  const who = await customer(100_000n);
  const queue = queued();
  const input = { pack_uuid: LICENSE, duration: 2, ...consent };
  const quoted = dataOf(await queue.submit(item(order, who, { ...input, dry_run: true })));
  const quote = quoted.quote as { quote_uuid: string; gross: number };
  const dearer = structuredClone(fixture.catalog);
  for (const pack of dearer.license_packages) pack.pricings.month *= 2n;
  await transaction(pool, (tx) => importCatalog(tx, dearer, 'dearer', clock.now(), syncInventories));
  const guarded = await queue.submit(item(order, who, { ...input, max_price: quote.gross }));
  assert.equal(kindOf(guarded), 'price_changed');
  const held = dataOf(await queue.submit(item(order, who, { ...input, quote_uuid: quote.quote_uuid })));
  assert.equal((held.charged as { gross: number }).gross, quote.gross);
  const otherRequest = await queue.submit(
    item(order, who, { ...input, duration: 3, quote_uuid: quote.quote_uuid }),
  );
  assert.equal(kindOf(otherRequest), 'validation_failed');
  clock.set(clock.now().add({ hours: 25 }));
  const late = await queue.submit(item(order, who, { ...input, quote_uuid: quote.quote_uuid }));
  assert.equal(kindOf(late), 'quote_expired');
  await transaction(pool, (tx) => importCatalog(tx, fixture.catalog, 'back', clock.now(), syncInventories));
});

const steps = fc.array(
  fc.record({
    who: fc.integer({ min: 0, max: 2 }),
    what: fc.constantFrom('order', 'dear', 'unknown', 'dry', 'no-consent'),
    duration: fc.constantFrom(1, 2, 3, 5, 12),
    code: fc.constantFrom('', 'half', 'nothing'),
    key: fc.constantFrom(null, null, 'a', 'b'),
  }),
  { minLength: 1, maxLength: 12 },
);

test('property: coalesced and one-by-one execution come to the same outcomes, refusals included', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 3, maxLength: 3 }),
      async (script, balances) => {
        run += 1;
        const together = await play(`T${run}`, script, balances, (items) => writeTogether(pool, items));
        const singly = await play(`S${run}`, script, balances, async (items) => {
          const outcomes: WriteOutcome[] = [];
          for (const one of items) {
            outcomes.push(
              ...(await writeTogether(pool, [one]).catch((error) => [
                { kind: 'refused', refusal: error } as WriteOutcome,
              ])),
            );
          }
          return outcomes;
        });
        assert.deepEqual(together, singly);
      },
    ),
    { numRuns: 40 },
  );
  assert.deepEqual(await fixture.booksProblems(), []);
});

/** Plays a script with fresh customers; answers what became of each step and what is left of the balances. */
async function play(
  name: string,
  script: readonly { who: number; what: string; duration: number; code: string; key: string | null }[],
  balances: readonly number[],
  write: (items: readonly WriteItem[]) => Promise<WriteOutcome[]>,
): Promise<unknown> {
  const customers = await Promise.all(balances.map((balance) => customer(BigInt(balance) + 399n)));
  await pool.kysely
    .insertInto('discount_codes')
    .values({
      code: `${name}HALF`,
      percent: 5_000,
      products: ['license'],
      max_uses: 3,
      max_uses_per_account: 2,
      valid_from: clock.now(),
      valid_until: null,
      created_at: clock.now(),
    })
    .execute();
  const owned = await Promise.all(
    customers.map(async (who) => {
      const outcomes = await writeTogether(pool, [
        item(order, who, { pack_uuid: LICENSE, duration: 1, ...consent }),
      ]);
      return dataOf(outcomes[0]).license_uuid as string;
    }),
  );
  const items = script.map((step) => {
    const who = customers[step.who];
    if (who === undefined) throw new Error('no such customer');
    const code = step.code === 'half' ? `${name.toLowerCase()}half` : step.code === '' ? '' : 'NO-SUCH-CODE';
    const common = { duration: step.duration, discount_code: code };
    const { key } = step;
    switch (step.what) {
      case 'unknown':
        return item(order, who, { pack_uuid: owned[step.who], ...common, ...consent }, key);
      case 'dear':
        return item(order, who, { pack_uuid: DEAR_LICENSE, ...common, ...consent }, key);
      case 'dry':
        return item(order, who, { pack_uuid: LICENSE, ...common, dry_run: true });
      case 'no-consent':
        return item(order, who, { pack_uuid: LICENSE, ...common, tos: true }, key);
      default:
        return item(order, who, { pack_uuid: LICENSE, ...common, ...consent }, key);
    }
  });
  const outcomes = await write(items);
  const left = await Promise.all(customers.map((who) => fixture.balanceOf(who)));
  return {
    left: left.map((balance) => wireAmount(balance)),
    outcomes: outcomes.map((outcome) => {
      const kind = kindOf(outcome);
      if (outcome.kind !== 'answered' || outcome.replayed) return kind;
      const data = outcome.data as {
        charged?: { gross: number };
        quote?: { gross: number; sufficient_funds: boolean };
      };
      return [kind, data.charged?.gross ?? data.quote?.gross, data.quote?.sufficient_funds];
    }),
  };
}

test('property: renewals of one license in one batch extend it one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(1, 2, 3), { minLength: 1, maxLength: 8 }),
      async (durations) => {
        const who = await customer(100_000n);
        const [first] = await writeTogether(pool, [
          item(order, who, { pack_uuid: LICENSE, duration: 1, ...consent }),
        ]);
        const uuid = dataOf(first).license_uuid as string;
        const outcomes = await writeTogether(
          pool,
          durations.map((duration) => item(renew, who, { uuid, duration })),
        );
        let previous = dataOf(first).expire_at;
        for (const outcome of outcomes) {
          assert.equal(dataOf(outcome).previous_expire_at, previous);
          previous = dataOf(outcome).expire_at;
        }
        const service = await pool.kysely
          .selectFrom('services')
          .select('expire_at')
          .where('id', '=', uuid)
          .executeTakeFirstOrThrow();
        assert.equal(`${service.expire_at.toString().slice(0, 19).replace('T', ' ')}`, previous);
      },
    ),
    { numRuns: 10 },
  );
  assert.deepEqual(await fixture.booksProblems(), []);
});
