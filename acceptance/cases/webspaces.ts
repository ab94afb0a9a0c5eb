import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from '../api.ts';
import { balanceMinor, minor, newCustomer } from '../customer.ts';
import { quote } from '../documented/interface.ts';
import { details, list, order as orderShape, packages, renewal, status } from '../documented/webspace.ts';
import { refusal, success } from '../envelope.ts';
import { assertForeign } from '../foreign.ts';
import type { Installation } from '../installation.ts';
import { at, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../json.ts';
import type { Operator } from '../operator.ts';
import { finishedTask } from '../server.ts';
import { object } from '../shape.ts';

const TERM = { duration: 1, tos: true, cancellation: true };

/** Webspaces on the sandbox's web server. */
export function webspaceCases({ api }: Installation, operator: Operator): void {
  const funded = async () => (await newCustomer(api, operator, 100_00)).api;

  test('each operation on webspaces has its one method', async () => {
    for (const [wrong, path] of [
      ['POST', 'webspace/packages'],
      ['POST', 'webspace/details'],
      ['GET', 'webspace/renew'],
      ['POST', 'webspace/status'],
      ['GET', 'webspace/order'],
      ['POST', 'webspace/list'],
    ] as const)
      refusal(await api.call(wrong, path), 405, 'method_not_allowed');
  });

  test('packages are public, and sell nothing that is not built', async () => {
    const data = success(await api.as(null).get('webspace/packages'), packages);
    for (const pack of listAt(data, '/packages'))
      assert.deepEqual(
        ['mailboxes', 'ftp_accounts', 'cron_jobs', 'ssh'].map((name) => at(pack, `/limits/${name}`)),
        [0, 0, 0, false],
      );
  });

  test('a webspace is ordered, shown, renewed and listed, and each answer has every documented field', async () => {
    const customer = await funded();
    const pack = await cheapest(customer);
    const wanted = { ...TERM, pack_uuid: pack.uuid, custom_name: 'Shop' };
    const dry = success(
      await customer.post('webspace/order', { ...wanted, dry_run: true }),
      object({ quote }),
    );
    assert.equal(await balanceMinor(customer), 100_00);
    const order = await ordered(customer, wanted);
    assert.deepEqual(at(order, '/charged/gross'), at(dry, '/quote/gross'));
    assert.match(stringAt(order, '/access/password'), /^\S{12,}$/);
    const uuid = stringAt(order, '/webspace_uuid');
    const shown = success(await customer.get('webspace/details', { uuid }), details);
    assert.deepEqual(
      [shown.state, shown.custom_name, at(shown, '/access/username'), at(shown, '/package/uuid')],
      ['active', 'Shop', at(order, '/access/username'), pack.uuid],
    );
    assert.equal(JSON.stringify(shown).includes(stringAt(order, '/access/password')), false);
    assert.deepEqual(listAt(shown, '/domains').length, 1);
    const health = success(await customer.get('webspace/status', { uuid }), status);
    assert.deepEqual(health.services, { web: 'up', database: 'up', sftp: 'up' });
    const renewed = success(await customer.post('webspace/renew', { uuid, duration: 1 }), renewal);
    assert.equal(renewed.previous_expire_at, shown.expire_at);
    assert.equal(
      await balanceMinor(customer),
      100_00 - minor(at(order, '/charged/gross')) - minor(at(renewed, '/charged/gross')),
    );
    const listed = success(await customer.get('webspace/list', { search: 'shop' }), list);
    assert.deepEqual(
      [
        at(listed, '/pagination/total'),
        at(listed, '/webspaces/0/uuid'),
        at(listed, '/webspaces/0/expire_at'),
      ],
      [1, uuid, renewed.expire_at],
    );
  });

  test('a name of one’s own is not served before it is proven, and how to prove it is said', async () => {
    const customer = await funded();
    const pack = await cheapest(customer);
    const domain = `www.${stringAt(pack, '/uuid').slice(0, 8)}.example.net`;
    const order = await ordered(customer, { ...TERM, pack_uuid: pack.uuid, domain });
    const shown = success(await customer.get('webspace/details', { uuid: order.webspace_uuid }), details);
    const named = listAt(shown, '/domains').find((one) => at(one, '/domain') === domain) ?? null;
    assert.deepEqual([at(named, '/proof'), at(named, '/tls/state')], [null, 'none']);
    assert.match(stringAt(named, '/challenge/name'), new RegExp(`\\.${domain.replaceAll('.', '\\.')}$`));
    assert.notEqual(shown.domain, domain, 'until then it goes by the name that every webspace has');
  });

  test('what cannot be ordered costs nothing; a password that was chosen is not sent back', async () => {
    const customer = await funded();
    const pack = await cheapest(customer);
    const order = { ...TERM, pack_uuid: pack.uuid };
    for (const [wrong, status, code] of [
      [{ tos: false }, 422, 'terms_not_accepted'],
      [{ cancellation: false }, 422, 'cancellation_not_acknowledged'],
      [{ duration: 35 }, 422, 'validation_failed'],
      [{ php_version: '4.4' }, 422, 'validation_failed'],
      [{ password: 'short' }, 422, 'validation_failed'],
      [{ max_price: 0.01 }, 409, 'price_changed'],
      [{ pack_uuid: '00000000-0000-4000-8000-000000000000' }, 404, 'not_found'],
    ] as const)
      refusal(await customer.post('webspace/order', { ...order, ...wrong }), status, code);
    assert.equal(await balanceMinor(customer), 100_00);
    const chosen = await ordered(customer, { ...order, password: 'correct horse battery' });
    assert.equal(at(chosen, '/access/password'), null);
    const poor = (await newCustomer(api, operator)).api;
    refusal(await poor.post('webspace/order', order), 402, 'insufficient_funds');
  });

  test('a webspace is to other customers as if it never was', async () => {
    const customer = await funded();
    const stranger = (await newCustomer(api, operator)).api;
    const pack = await cheapest(customer);
    const uuid = stringAt(await ordered(customer, { ...TERM, pack_uuid: pack.uuid }), '/webspace_uuid');
    await assertForeign(stranger, [
      ['GET', 'webspace/details', uuid, {}],
      ['GET', 'webspace/status', uuid, {}],
      ['POST', 'webspace/renew', uuid, { duration: 1 }],
      ['POST', 'webspace/password', uuid, {}],
      ['POST', 'webspace/domain-add', uuid, { domain: 'www.example.org' }],
      ['GET', 'webspace/backups', uuid, {}],
      ['GET', 'webspace/logs', uuid, {}],
    ]);
    assert.deepEqual(listAt(success(await stranger.get('webspace/list'), list), '/webspaces'), []);
  });
}

async function cheapest(customer: Api): Promise<JsonObject> {
  const data = success(await customer.get('webspace/packages'));
  const [pack] = listAt(data, '/packages')
    .map((one) => objectAt(one, ''))
    .sort((a, b) => numberAt(a, '/pricings/month') - numberAt(b, '/pricings/month'));
  return pack ?? assert.fail('webspace/packages sells nothing');
}

/** Orders a webspace and waits until it is there; gives the order's payload. */
async function ordered(customer: Api, wanted: object): Promise<JsonObject> {
  const answer = await customer.post('webspace/order', wanted);
  const order = success(answer, orderShape, answer.status === 200 ? 200 : 202);
  const task = await finishedTask(customer, stringAt(order, '/task/uuid'));
  assert.equal(task.state, 'succeeded', JSON.stringify(task));
  return order;
}
