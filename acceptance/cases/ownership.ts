import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { orderedLicense } from '../catalogue.ts';
import { newCustomer } from '../customer.ts';
import { refusal, success, timeless } from '../envelope.ts';
import type { Installation } from '../installation.ts';
import { at, listAt, stringAt } from '../json.ts';
import type { Operator } from '../operator.ts';
import { provisionedServer } from '../server.ts';

/** Another customer's things are as absent as things that never were. */
export function ownershipCases({ api }: Installation, operator: Operator): void {
  test('a foreign UUID and an unknown one get the same answer', async () => {
    const stranger = (await newCustomer(api, operator)).api;
    const license = stringAt(await orderedLicense(api, { ip_address: '192.0.2.1' }), '/license_uuid');
    const order = await provisionedServer(api);
    const server = stringAt(order, '/server_uuid');
    const task = stringAt(order, '/task/uuid');
    const tokens = listAt(success(await api.get('account/tokens')), '/tokens');
    const token = stringAt(tokens[0] ?? null, '/uuid');
    const requests: [string, string, string, Record<string, unknown>][] = [
      ['GET', 'panel/details', license, {}],
      ['GET', 'panel/license-file', license, {}],
      ['POST', 'panel/renew', license, { duration: 1 }],
      ['POST', 'panel/renew', license, { duration: 1, dry_run: true }],
      ['POST', 'panel/bind-ip', license, { ip_address: '192.0.2.9' }],
      ['POST', 'panel/unbind-ip', license, { ip_address: '192.0.2.1' }],
      ['POST', 'panel/rename', license, { custom_name: 'mine' }],
      ['GET', 'server/config', server, {}],
      ['GET', 'server/status', server, {}],
      ['GET', 'task/details', task, {}],
      ['POST', 'account/token-revoke', token, {}],
    ];
    for (const [method, path, foreign, more] of requests) {
      const theirs = await stranger.call(method, path, { json: { uuid: foreign, ...more } });
      const nobodys = await stranger.call(method, path, { json: { uuid: randomUUID(), ...more } });
      refusal(theirs, 404, 'not_found');
      refusal(nobodys, 404, 'not_found');
      assert.deepEqual(timeless(theirs.body), timeless(nobodys.body), path);
    }
    const mine = success(await api.get('panel/details', { uuid: license }));
    assert.equal(mine.custom_name, null);
    assert.equal(at(mine, '/ip_bindings_count'), 1);
  });

  test('the lists of a new customer are empty whatever others have', async () => {
    const stranger = (await newCustomer(api, operator)).api;
    for (const [path, member] of [
      ['panel/list', 'licenses'],
      ['server/list', 'servers'],
      ['task/list', 'tasks'],
      ['account/transactions', 'transactions'],
    ] as const) {
      const data = success(await stranger.get(path));
      assert.deepEqual(listAt(data, `/${member}`), [], path);
      assert.equal(at(data, '/pagination/total'), 0, path);
    }
  });
}
