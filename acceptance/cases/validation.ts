import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { orderedLicense } from '../catalogue.ts';
import { licenseDetails } from '../documented/interface.ts';
import { licenseValidation } from '../documented/payloads.ts';
import { success } from '../envelope.ts';
import type { Installation } from '../installation.ts';
import { at, type JsonObject, stringAt } from '../json.ts';

/** What the licensed product asks, without a customer's token, and what it can check without asking. */
export function validationCases({ api }: Installation): void {
  test('panel/validate needs no token and says active for a bound address', async () => {
    const order = await orderedLicense(api, { ip_address: '192.0.2.50' });
    const answer = await validate(stringAt(order, '/license_key'), '192.0.2.50');
    assert.equal(answer.valid, true);
    assert.equal(answer.reason, 'active');
    assert.equal(answer.expire_at, order.expire_at);
    const license = success(await api.get('panel/details', { uuid: order.license_uuid }), licenseDetails);
    assert.notEqual(license.last_validated_at, null);
  });

  test('panel/validate says not_found for a key nobody has', async () => {
    const answer = await validate(`HK-${randomUUID()}`, '192.0.2.50');
    assert.equal(answer.valid, false);
    assert.equal(answer.reason, 'not_found');
  });

  async function validate(license_key: string, ip_address: string): Promise<JsonObject> {
    const json = { license_key, ip_address, nonce: randomUUID() };
    return success(await api.call('POST', 'panel/validate', { json, token: null }), licenseValidation);
  }

  void at;
}
