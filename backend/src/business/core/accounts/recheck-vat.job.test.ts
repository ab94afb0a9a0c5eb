import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { AUSTRIAN } from '../../../../test/addresses.ts';
import type { Customer } from '../../../../test/fixture.ts';
import { openRequests } from '../../../../test/requests.ts';
import { openServers } from '../../../../test/servers.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import type { VatAnswer, VatRegister } from '../../../drivers/vat/port.ts';
import recheck from './recheck-vat.job.ts';

const site = await openServers();
const { pool, clock } = site;

/** What each number comes to; others are away. */
class Register implements VatRegister {
  readonly answers = new Map<string, VatAnswer>();
  readonly asked: string[] = [];

  async check(vatId: string): Promise<VatAnswer> {
    this.asked.push(vatId);
    const answer = this.answers.get(vatId);
    if (answer === undefined) throw new BackendUnavailable('register');
    return answer;
  }

  /** What was asked since this was called last. */
  takeAsked(): string[] {
    return this.asked.splice(0);
  }
}
const register = new Register();
const { data } = openRequests(site, { ports: { vat: register } as never });

const VALID: VatAnswer = { state: 'valid', name: 'Engines', address: null, reference: 'R1' };
const VIENNA = 'ATU12345678';
const GRAZ = 'ATU87654321';
const ITALIAN = { ...AUSTRIAN, zip: '00118', city: 'Roma', country: 'IT', vat_id: 'IT12345678901' };

beforeEach(async () => {
  await pool.pg.query('DELETE FROM billing_addresses');
  register.answers.clear();
  register.asked.length = 0;
});

async function saved(input: object): Promise<Customer> {
  const customer = await site.customer(0n);
  await data('account/save-address', { ...AUSTRIAN, ...input }, { token: customer.secret });
  register.takeAsked();
  return customer;
}

async function after(time: { hours: number }): Promise<string[]> {
  clock.set(clock.now().add(time));
  await site.run(recheck, {}, { ports: { vat: register } as never });
  return register.takeAsked();
}

const read = (customer: Customer) => data('account/get-address', {}, { token: customer.secret });

async function events(customer: Customer): Promise<unknown[]> {
  const { rows } = await pool.pg.query<{ kind: string }>(
    `SELECT body->>'kind' AS kind FROM events WHERE account_id = $1 AND type = 'account.tax_changed' ORDER BY sequence`,
    [customer.accountId],
  );
  return rows.map(({ kind }) => kind);
}

test('a number that the register could not say anything of is asked for each hour until it answers', async () => {
  const customer = await saved({ vat_id: VIENNA });
  assert.deepEqual(await after({ hours: 0 }), []);
  assert.deepEqual(await after({ hours: 1 }), [VIENNA]);
  assert.deepEqual(await after({ hours: 0 }), []);
  register.answers.set(VIENNA, VALID);
  assert.deepEqual(await after({ hours: 1 }), [VIENNA]);
  assert.deepEqual(await after({ hours: 24 }), []);
  assert.equal((await read(customer)).vat_validation.state, 'valid');
  assert.deepEqual(await events(customer), ['reverse_charge']);
  const { rows } = await pool.pg.query(
    'SELECT state FROM vat_checks WHERE account_id = $1 ORDER BY checked_at',
    [customer.accountId],
  );
  assert.deepEqual(rows, [{ state: 'unavailable' }, { state: 'unavailable' }, { state: 'valid' }]);
});

test('a confirmation that grows old is renewed, daily when the register is away, and ends after 90 days', async () => {
  register.answers.set(VIENNA, VALID);
  const customer = await saved({ vat_id: VIENNA });
  assert.deepEqual(await after({ hours: 59 * 24 }), []);
  assert.deepEqual(await after({ hours: 24 }), [VIENNA]);
  assert.deepEqual(await after({ hours: 59 * 24 }), []);
  register.answers.clear();
  assert.deepEqual(await after({ hours: 24 }), [VIENNA]);
  assert.deepEqual(await after({ hours: 1 }), []);
  assert.deepEqual(await after({ hours: 23 }), [VIENNA]);
  assert.equal((await read(customer)).vat_validation.state, 'valid');
  assert.deepEqual(await events(customer), ['reverse_charge']);
  assert.deepEqual(await after({ hours: 30 * 24 }), [VIENNA]);
  assert.equal((await read(customer)).vat_validation.state, 'unavailable');
  assert.deepEqual(await events(customer), ['reverse_charge', 'standard']);
});

test('a number that is registered no more ends the reverse charge at once', async () => {
  register.answers.set(VIENNA, VALID);
  const customer = await saved({ vat_id: VIENNA });
  register.answers.set(VIENNA, { state: 'invalid' });
  await after({ hours: 61 * 24 });
  assert.equal((await read(customer)).vat_validation.state, 'invalid');
  assert.deepEqual(await events(customer), ['reverse_charge', 'standard']);
  assert.deepEqual(await after({ hours: 24 }), []);
});

test('a member state that is away is asked once, and holds up no other', async () => {
  await saved({ vat_id: VIENNA });
  await saved({ vat_id: GRAZ });
  const roman = await saved(ITALIAN);
  register.answers.set(ITALIAN.vat_id, VALID);
  const asked = await after({ hours: 1 });
  assert.equal(asked.filter((number) => number.startsWith('AT')).length, 1);
  assert.equal((await read(roman)).vat_validation.state, 'valid');
});

test('more numbers than are read at once are all asked for', async () => {
  const count = 60;
  const one = await saved({ vat_id: VIENNA });
  await pool.pg.query(
    `WITH copied AS (
       INSERT INTO accounts OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
         'number', a.number + 1000 + n))).* FROM accounts a, generate_series(1, $2) n WHERE a.id = $1 RETURNING id)
     INSERT INTO billing_addresses SELECT (jsonb_populate_record(b, jsonb_build_object('account_id', c.id))).*
     FROM billing_addresses b, copied c WHERE b.account_id = $1`,
    [one.accountId, count],
  );
  register.answers.set(VIENNA, VALID);
  assert.equal((await after({ hours: 1 })).length, count + 1);
  assert.deepEqual(await after({ hours: 1 }), []);
});

test('an address that was changed while its number was asked for is left alone', async () => {
  const customer = await saved({ vat_id: VIENNA });
  const { secret: token } = customer;
  const changing: VatRegister = {
    async check(vatId) {
      if (vatId === VIENNA) await data('account/save-address', { ...AUSTRIAN, vat_id: null }, { token });
      return VALID;
    },
  };
  clock.set(clock.now().add({ hours: 1 }));
  await site.run(recheck, {}, { ports: { vat: changing } as never });
  assert.equal((await read(customer)).vat_validation.state, 'not_checked');
  assert.deepEqual(await events(customer), []);
});

test('a closed account is not asked for', async () => {
  const customer = await saved({ vat_id: VIENNA });
  await pool.pg.query(`UPDATE accounts SET state = 'closed' WHERE id = $1`, [customer.accountId]);
  assert.deepEqual(await after({ hours: 1 }), []);
});
