import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openServers } from '../../../test/servers.ts';
import purge from './purge.job.ts';

const site = await openServers();

test('what was mailed is kept for ninety days', async () => {
  const ages = [1, 89, 91, 400];
  for (const days of ages)
    await site.pool.pg.query(
      `INSERT INTO mails (id, cause, recipient, locale, template, variables, state, due_at, created_at)
       VALUES ($1, $2, 'a@example.com', 'en', 'account.password-changed', '{}', 'sent', $3, $3)`,
      [
        randomUUID(),
        `${days} days`,
        site.clock
          .now()
          .subtract({ hours: 24 * days })
          .toString(),
      ],
    );
  await site.run(purge);
  const { rows } = await site.pool.pg.query<{ cause: string }>('SELECT cause FROM mails ORDER BY created_at');
  assert.deepEqual(
    rows.map((row) => row.cause),
    ['89 days', '1 days'],
  );
});
