import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from '../api.ts';
import { cheapestPackage, licenseOrder, orderedLicense } from '../catalogue.ts';
import { licenseDetails, licenseOrder as licenseOrderShape, serverConfig } from '../documented/interface.ts';
import { refusal, success } from '../envelope.ts';
import type { Installation } from '../installation.ts';
import { at, listAt, numberAt, stringAt } from '../json.ts';
import { provisionedServer } from '../server.ts';
import { later } from '../term.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const FOUR = [
  ['POST', 'domain/check', { domain: 'example.com' }],
  ['GET', 'server/config', { uuid: UNKNOWN }],
  ['GET', 'panel/details', { uuid: UNKNOWN }],
  [
    'POST',
    'panel/order',
    { pack_uuid: UNKNOWN, duration: 1, tos: true, cancellation: true, discount_code: '' },
  ],
] as const;

/** The envelope, the fields and the authentication of the four operations the interface details. */
export function interfaceCases({ api }: Installation): void {
  for (const [method, path, json] of FOUR) {
    test(`${method} ${path} without a token is 401 and names the scheme`, async () => {
      const answer = await api.call(method, path, { json, token: null });
      refusal(answer, 401, 'token_missing');
      assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer\b/);
    });

    test(`${method} ${path} with a wrong token is 401 and names the scheme`, async () => {
      for (const token of ['wrong', `hk_${'A'.repeat(43)}`, `${api.token}x`]) {
        const answer = await api.call(method, path, { json, token });
        refusal(answer, 401, 'token_invalid');
        assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer\b/);
      }
    });
  }

  test('another scheme than Bearer is no token', async () => {
    const authorization = `Basic ${Buffer.from('demo:demo').toString('base64')}`;
    const answer = await api.call('GET', 'account/balance', { token: null, headers: { authorization } });
    refusal(answer, 401, 'token_missing', 'token_invalid');
    assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer\b/);
  });

  test('POST panel/order answers every documented field and says that the license was created', async () => {
    const pack = await cheapestPackage(api);
    const answer = await api.post('panel/order', licenseOrder(pack));
    const order = success(answer, licenseOrderShape);
    assert.match(stringAt(answer.body, '/response'), /license/i);
    assert.equal(order.duration, 1);
    assert.equal(order.duration_unit, 'month');
    assert.deepEqual(order.package, { uuid: pack.uuid, name: pack.name });
    assert.deepEqual(order.pricings, pack.pricings);
  });

  test('GET panel/details answers every documented field of the license ordered', async () => {
    const order = await orderedLicense(api, { ip_address: '192.0.2.10', custom_name: 'web 1' });
    const uuid = stringAt(order, '/license_uuid');
    const license = success(await api.get('panel/details', { uuid }), licenseDetails);
    assert.equal(license.uuid, uuid);
    assert.equal(license.license_key, order.license_key);
    assert.equal(license.expire_at, order.expire_at);
    assert.equal(license.custom_name, 'web 1');
    assert.equal(license.last_validated_at, null);
    assert.deepEqual(license.pricings, order.pricings);
    assert.equal(stringAt(license, '/package/uuid'), stringAt(order, '/package/uuid'));
    assert.equal(license.ip_bindings_count, 1);
    assert.equal(at(license, '/ip_bindings/0/ip_address'), '192.0.2.10');
  });

  test('a license nobody named has custom_name null and no bindings', async () => {
    const order = await orderedLicense(api);
    const license = success(await api.get('panel/details', { uuid: order.license_uuid }), licenseDetails);
    assert.equal(license.custom_name, null);
    assert.deepEqual(license.ip_bindings, []);
    assert.equal(license.ip_bindings_count, 0);
    assert.deepEqual(license.info, []);
  });

  test('the same license is ACTIVE in the order and active in the details', async () => {
    const order = await orderedLicense(api);
    const license = success(await api.get('panel/details', { uuid: order.license_uuid }));
    assert.equal(order.state, 'ACTIVE');
    assert.equal(license.state, 'active');
    assert.equal(license.state_text, 'Active');
  });

  test('GET panel/details answers the same bytes to a JSON body and to a query', async () => {
    const order = await orderedLicense(api);
    await sameBytes(api, 'panel/details', stringAt(order, '/license_uuid'));
  });

  test('GET server/config answers every documented field of a server that was provisioned', async () => {
    const order = await provisionedServer(api, { custom_name: 'first' });
    const uuid = stringAt(order, '/server_uuid');
    const config = success(await api.get('server/config', { uuid }), serverConfig);
    assert.equal(config.uuid, uuid);
    assert.equal(config.state, 'active');
    assert.equal(config.custom_name, 'first');
    const made = success(await api.get('task/details', { uuid: stringAt(order, '/task/uuid') }));
    const begun = stringAt(made, '/task/finished_at');
    assert.equal(config.expire_at, later(begun, { months: 1 }), 'the term begins when the server is there');
    assert.equal(stringAt(config, '/config/hostname'), order.hostname);
    assert.notEqual(stringAt(config, '/config/password'), '');
    assert.match(stringAt(config, '/config/ipv4/ip_address'), /^\d{1,3}(\.\d{1,3}){3}$/);
    assert.match(stringAt(config, '/config/ipv4/ip_gateway'), /^\d{1,3}(\.\d{1,3}){3}$/);
    assert.match(stringAt(config, '/config/ipv6/ip_address'), /^[0-9a-f:]+\/\d{1,3}$/, 'prefix notation');
    assert.match(stringAt(config, '/config/ipv6/ip_gateway'), /^[0-9a-f:]+$/);
    await sameBytes(api, 'server/config', uuid);
  });

  test('server/config says in text what server/list says in numbers', async () => {
    const order = await provisionedServer(api);
    const config = success(await api.get('server/config', { uuid: order.server_uuid }));
    const list = success(await api.get('server/list', { search: stringAt(order, '/hostname') }));
    const [server] = listAt(list, '/servers');
    if (server === undefined) assert.fail('server/list does not have the server');
    for (const size of ['cores', 'memory', 'disk']) {
      assert.equal(stringAt(config, `/config/${size}`), String(numberAt(server, `/${size}`)));
    }
    assert.deepEqual(at(config, '/hostsystem/datacenter'), at(server, '/datacenter'));
    assert.equal(at(config, '/hostsystem/node'), at(server, '/node'));
  });

  test('the password a customer chose is the one server/config shows', async () => {
    const password = 'correct horse battery staple';
    const order = await provisionedServer(api, { password });
    assert.equal(at(order, '/config/password'), null, 'a chosen password is not sent back by the order');
    const config = success(await api.get('server/config', { uuid: order.server_uuid }));
    assert.equal(at(config, '/config/password'), password);
  });

  test('the same parameter in body and query is fine when equal, else parameter_conflict', async () => {
    const order = await orderedLicense(api);
    const uuid = stringAt(order, '/license_uuid');
    success(await api.call('GET', 'panel/details', { json: { uuid }, query: { uuid } }), licenseDetails);
    const conflict = await api.call('GET', 'panel/details', { json: { uuid: UNKNOWN }, query: { uuid } });
    refusal(conflict, 400, 'parameter_conflict');
  });

  test('a GET with a JSON content type and no body takes its parameters from the query', async () => {
    const order = await orderedLicense(api);
    const answer = await api.call('GET', 'panel/details', {
      query: { uuid: stringAt(order, '/license_uuid') },
      headers: { 'content-type': 'application/json' },
    });
    success(answer, licenseDetails);
  });
}

async function sameBytes(api: Api, path: string, uuid: string): Promise<void> {
  const byBody = await api.call('GET', path, { json: { uuid } });
  const byQuery = await api.call('GET', path, { query: { uuid } });
  assert.equal(byBody.status, 200);
  assert.equal(byQuery.text, byBody.text);
}
