import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { data, refused } = requests;
const people = openPeople(fixture, requests);

test('with a second factor, a session lets nobody else in without a code: neither a token nor an invited person', async () => {
  const ada = await people.owner();
  const { app } = await people.secondFactor(ada);
  const token = { name: 'stolen', scopes: ['*'] };
  const person = { email: 'thief@example.net', role: 'admin' };
  await refused('two_factor_required', 'account/token-create', token, ada.sent);
  await refused('two_factor_required', 'account/user-invite', person, ada.sent);
  people.later();
  await refused('two_factor_invalid', 'account/token-create', { ...token, code: '000000' }, ada.sent);
  await data('account/token-create', { ...token, code: app.code() }, ada.sent);
  people.later();
  await data('account/user-invite', { ...person, code: app.code() }, ada.sent);
});

test('a session of who has a second factor lets nobody do more without it', async () => {
  const ada = await people.owner();
  const member = await people.member(ada, 'readonly');
  const { app } = await people.secondFactor(ada);
  const { sent } = ada;
  const raise = { uuid: member.userId, role: 'admin' };
  await refused('two_factor_required', 'account/user-update', raise, sent);
  // Less than before asks for nothing, more once more.
  await data('account/user-update', { uuid: member.userId, state: 'disabled' }, sent);
  await refused('two_factor_required', 'account/user-update', { uuid: member.userId, state: 'active' }, sent);
  people.later();
  await data('account/user-update', { ...raise, state: 'active', code: app.code() }, sent);
});

test('without a second factor, a session that was left open lets nobody in who stays without the password', async () => {
  const ada = await people.owner();
  const member = await people.member(ada, 'readonly');
  const { uuid: invited } = await data(
    'account/user-invite',
    { email: 'reader@example.net', role: 'readonly' },
    ada.sent,
  );
  assert.ok(invited, 'who may less than that is invited as before');
  const asking = [
    ['account/token-create', { name: 'stolen', scopes: ['panel:read'] }],
    ['account/user-invite', { email: 'thief@example.net', role: 'admin' }],
    ['account/user-update', { uuid: member.userId, role: 'admin' }],
  ] as const;
  for (const [path, input] of asking) {
    await refused('password_required', path, input, ada.sent);
    await refused('password_required', path, { ...input, code: '000000' }, ada.sent);
    await refused('password_invalid', path, { ...input, password: 'a guess' }, ada.sent);
  }
  const { tokens } = await data('account/tokens', { type: 'api' }, ada.sent);
  assert.deepEqual(tokens, []);
  for (const [path, input] of asking) await data(path, { ...input, password: PASSWORD }, ada.sent);
  // An API token was made with the password itself.
  const token = await people.apiToken(ada);
  await data('account/token-create', { name: 'further', scopes: ['panel:read'] }, { token });
  const { rows } = await fixture.pool.pg.query(
    'SELECT input::text FROM audit WHERE account_id = $1 AND operation = ANY($2)',
    [ada.accountId, asking.map(([path]) => path)],
  );
  assert.equal(rows.filter(({ input }) => input.includes(PASSWORD)).length, 0);
});

const WEBHOOK = { url: 'https://hooks.example.com/', events: ['*'] };
const THIEF = 'https://thief.example.net/';

test('with a second factor, a session has nobody told of what happens without a code: neither by another webhook, nor at another address, nor of more', async () => {
  const ada = await people.owner();
  // A code proves nothing of who has no second factor, and none is asked for.
  const { uuid } = await data('account/webhook-create', WEBHOOK, ada.sent);
  await data('account/webhook-update', { uuid, url: `${WEBHOOK.url}2` }, ada.sent);
  const token = await people.apiToken(ada);
  const { app } = await people.secondFactor(ada);
  const stolen = { ...WEBHOOK, url: THIEF };
  const led = { uuid, url: THIEF };
  await refused('two_factor_required', 'account/webhook-create', stolen, ada.sent);
  await refused('two_factor_required', 'account/webhook-update', led, ada.sent);
  people.later();
  await refused('two_factor_invalid', 'account/webhook-create', { ...stolen, code: '000000' }, ada.sent);
  await refused('two_factor_invalid', 'account/webhook-update', { ...led, code: '000000' }, ada.sent);
  const urls = async (): Promise<string[]> =>
    (await data('account/webhooks', {}, ada.sent)).webhooks.map(({ url }: { url: string }) => url);
  assert.deepEqual(await urls(), [`${WEBHOOK.url}2`]);
  // Where it goes stays: what else is changed of it lets nobody know more than they chose.
  const fewer = { uuid, url: `${WEBHOOK.url}2`, active: false, events: ['server.*'] };
  await data('account/webhook-update', fewer, ada.sent);
  await data('account/webhook-update', { uuid, events: ['server.provisioned'] }, ada.sent);
  for (const events of [['server.*'], ['server.provisioned', 'order.paid'], ['*']])
    await refused('two_factor_required', 'account/webhook-update', { uuid, events }, ada.sent);
  await data('account/webhook-update', { uuid, ...WEBHOOK, code: app.code() }, ada.sent);
  await refused('two_factor_invalid', 'account/webhook-create', { ...WEBHOOK, code: app.code() }, ada.sent);
  people.later();
  await data('account/webhook-create', { ...WEBHOOK, code: app.code() }, ada.sent);
  // An API token was made with a code itself.
  await data('account/webhook-create', WEBHOOK, { token });
  await data('account/webhook-update', { uuid, url: `${WEBHOOK.url}3` }, { token });
  assert.deepEqual(await urls(), [`${WEBHOOK.url}3`, WEBHOOK.url, WEBHOOK.url]);
});
