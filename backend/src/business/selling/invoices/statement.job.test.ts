import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../../test/fixture.ts';
import { openInvoicing } from '../../../../test/invoicing.ts';
import statement from './statement.job.ts';

const fixture = await openFixture();
const { clock, pool, customer } = fixture;
const { order, run } = openInvoicing(fixture);

test('each customer whose balance a month moved is mailed its statement once, however often the job runs', async () => {
  clock.set(Temporal.Instant.from('2027-01-15T12:00:00Z'));
  const [mover, idle] = [await customer(10_000n), await customer(0n)];
  await order(mover);
  clock.set(Temporal.Instant.from('2027-01-31T23:30:00Z')); // February in Frankfurt
  await order(mover);
  const late = await customer(500n);
  clock.set(Temporal.Instant.from('2027-02-01T12:20:00Z'));
  await run(statement);
  await run(statement);
  const mails = await pool.kysely
    .selectFrom('mails')
    .selectAll()
    .where('template', '=', 'statement.monthly')
    .execute();
  assert.deepEqual(
    mails.map((mail) => [mail.cause, mail.variables]),
    [
      [
        `statement:${mover.accountId}:2027-01`,
        {
          month: '2027-01',
          opening: '0.00 EUR',
          credit: '100.00 EUR',
          debit: '3.99 EUR',
          closing: '96.01 EUR',
        },
      ],
    ],
  );
  clock.set(Temporal.Instant.from('2027-03-01T12:20:00Z'));
  await run(statement);
  const { rows } = await pool.pg.query(
    `SELECT account_id FROM mails WHERE cause LIKE 'statement:%:2027-02' ORDER BY 1`,
  );
  assert.deepEqual(
    rows.map((row) => row.account_id),
    [mover.accountId, late.accountId].sort(),
  );
  assert.ok(!rows.some((row) => row.account_id === idle.accountId));
});
