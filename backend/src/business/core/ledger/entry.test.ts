import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { LICENSE, openFixture } from '../../../../test/fixture.ts';
import order from '../../../operations/panel/order.ts';
import { writeTogether } from '../../../wire/write.ts';
import { entryHash } from './entry.ts';
import { merkleRoot } from './merkle.ts';
import signHeads from './sign-heads.job.ts';

const { database, pool, customer, item, sealer, signer, clock, catalogs } = await openFixture();

async function chainProblems(accountId: string): Promise<string[]> {
  const entries = await pool.kysely
    .selectFrom('ledger_entries')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('seq')
    .execute();
  const problems: string[] = [];
  let previous: Buffer = Buffer.alloc(32);
  for (const entry of entries) {
    const postings = await pool.kysely
      .selectFrom('ledger_postings')
      .selectAll()
      .where('entry_id', '=', entry.id)
      .orderBy('position')
      .execute();
    const expected = entryHash(
      { ...entry, prev_hash: previous },
      postings.map((posting) => ({ ledgerAccount: posting.ledger_account, amount: posting.amount })),
    );
    if (!expected.equals(entry.hash)) problems.push(`entry ${entry.seq}`);
    previous = entry.hash;
  }
  return problems;
}

test("a customer's chain can be computed again from what is stored, and a changed cent shows", async () => {
  const who = await customer(10_000n);
  const input = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  await writeTogether(
    pool,
    [1, 2, 3].map(() => item(order, who, input)),
  );
  assert.deepEqual(await chainProblems(who.accountId), []);
  // Only the owner of the tables can do this; the application's role may not.
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query('UPDATE ledger_entries SET amount = amount + 1 WHERE account_id = $1 AND seq = 2', [
    who.accountId,
  ]);
  await owner.end();
  assert.deepEqual(await chainProblems(who.accountId), ['entry 2']);
});

test('the signed root of a day covers every head, in order', async () => {
  assert.equal(signHeads.kind, 'maintenance');
  if (signHeads.kind !== 'maintenance') return;
  await customer(500n);
  const context = { now: clock.now(), catalogs, sealer, signer, log: undefined as never };
  await signHeads.run(pool, context, undefined as never);
  await signHeads.run(pool, context, undefined as never);
  const roots = await pool.kysely.selectFrom('ledger_roots').selectAll().execute();
  assert.equal(roots.length, 1);
  const heads = await pool.kysely
    .selectFrom('accounts')
    .select(['id', 'ledger_seq', 'ledger_hash'])
    .where('ledger_seq', '>', 0n)
    .orderBy('id')
    .execute();
  const leaves = heads.map((head) => ({ account: head.id, seq: head.ledger_seq, hash: head.ledger_hash }));
  assert.deepEqual(roots[0]?.root, merkleRoot(leaves));
  const [first, ...rest] = leaves;
  assert.ok(first !== undefined);
  assert.notDeepEqual(roots[0]?.root, merkleRoot(rest));
  assert.notDeepEqual(roots[0]?.root, merkleRoot([...rest, first]));
});
