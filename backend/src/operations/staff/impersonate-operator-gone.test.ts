import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';

const fixture = await openFixture();
const { data } = openRequests(fixture);

test('an operator who is disabled is in no customer’s place any more', async () => {
  const who = await fixture.customer(0n);
  const staff = await staffToken(fixture);
  const input = { customer_uuid: who.accountId, reason: 'Ticket 4711' };
  const { token, token_uuid } = await data('staff/impersonate', input, { token: staff });
  await data('account/session', {}, { token });
  await fixture.pool.pg.query(
    "UPDATE users SET state = 'disabled' WHERE id = (SELECT impersonated_by FROM tokens WHERE id = $1)",
    [token_uuid],
  );
  const { refused } = openRequests(fixture); // another process remembers nothing
  await refused('token_revoked', 'account/session', {}, { token });
  await refused(
    'token_revoked',
    'account/topup-settings',
    { low_balance_threshold: 1, auto_topup: null },
    { token },
  );
});
