import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { openFixture } from '../../test/fixture.ts';
import type { Executor } from '../db/pool.ts';
import { transaction } from '../db/transaction.ts';
import { LastUsed } from './last-used.ts';

const fixture = await openFixture();
const { pool, clock } = fixture;
const log = pino({ level: 'silent' });

async function lastUsed(tokenId: string): Promise<string | null> {
  const { rows } = await pool.pg.query<{ last_used_at: Temporal.Instant | null }>(
    'SELECT last_used_at FROM tokens WHERE id = $1',
    [tokenId],
  );
  return rows[0]?.last_used_at?.toString() ?? null;
}

/** Counts the statements that go to the database. */
function counted(): Executor & { statements: number } {
  const executor = {
    statements: 0,
    kysely: pool.kysely,
    run: ((statement, values) => {
      executor.statements += 1;
      return pool.run(statement, values);
    }) as Executor['run'],
  };
  return executor;
}

test('many uses of many tokens are one statement, and a second use within the minute is none', async () => {
  const customers = await Promise.all(Array.from({ length: 5 }, () => fixture.customer(0n)));
  const db = counted();
  const marks = new LastUsed(db, log);
  for (let use = 0; use < 20; use += 1) for (const { tokenId } of customers) marks.note(tokenId, clock.now());
  await marks.settled();
  for (const { tokenId } of customers) assert.equal(await lastUsed(tokenId), clock.now().toString());
  for (const { tokenId } of customers) marks.note(tokenId, clock.now().add({ seconds: 59 }));
  await marks.settled();
  assert.equal(db.statements, 1);
});

test('what another process wrote within the minute stays', async () => {
  const { tokenId } = await fixture.customer(0n);
  const [one, other] = [new LastUsed(pool, log), new LastUsed(pool, log)];
  one.note(tokenId, clock.now());
  await one.settled();
  other.note(tokenId, clock.now().add({ seconds: 30 }));
  await other.settled();
  assert.equal(await lastUsed(tokenId), clock.now().toString());
  other.note(tokenId, clock.now().add({ seconds: 91 }));
  await other.settled();
  assert.equal(await lastUsed(tokenId), clock.now().add({ seconds: 91 }).toString());
});

test('a token whose row an order holds is not waited for', async () => {
  const { tokenId } = await fixture.customer(0n);
  const marks = new LastUsed(pool, log);
  await transaction(pool, async (tx) => {
    await tx.kysely.updateTable('tokens').set({ spent: 1n }).where('id', '=', tokenId).execute();
    marks.note(tokenId, clock.now());
    await marks.settled();
  });
  assert.equal(await lastUsed(tokenId), null);
});

test('a database that is away costs nothing but the mark', async () => {
  const broken = { kysely: pool.kysely, run: () => Promise.reject(new Error('away')) };
  const marks = new LastUsed(broken, log);
  marks.note('0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', clock.now());
  await marks.settled();
});
