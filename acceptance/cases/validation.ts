import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { orderedLicense } from '../catalogue.ts';
import { licenseDetails } from '../documented/interface.ts';
import { licenseValidation } from '../documented/payloads.ts';
import { refusal, success } from '../envelope.ts';
import type { Installation } from '../installation.ts';
import { at, type JsonObject, stringAt } from '../json.ts';
import { claimsIfSigned, verifiedClaims } from '../signed.ts';

/** What the licensed product asks, without a customer's token, and what it can check without asking. */
export function validationCases({ api }: Installation): void {
  test('panel/validate needs no token and says active for a bound address', async () => {
    const order = await orderedLicense(api, { ip_address: '192.0.2.50' });
    const answer = await validate(stringAt(order, '/license_key'), '192.0.2.50');
    assert.equal(answer.valid, true);
    assert.equal(answer.reason, 'active');
    assert.equal(answer.expire_at, order.expire_at);
    assert.notEqual(answer.lease_until, null);
    const license = success(await api.get('panel/details', { uuid: order.license_uuid }), licenseDetails);
    assert.notEqual(license.last_validated_at, null);
  });

  test('the signed text holds the whole answer and the nonce, under a published key', async () => {
    const order = await orderedLicense(api, { ip_address: '2001:db8::50' });
    const nonce = randomUUID();
    const answer = await validate(stringAt(order, '/license_key'), '2001:db8::50', nonce);
    const claims = await verifiedClaims(api, stringAt(answer, '/signed'));
    assert.equal(claims.nonce, nonce);
    for (const name of ['valid', 'reason', 'expire_at', 'features', 'lease_until']) {
      assert.deepEqual(at(claims, `/${name}`), at(answer, `/${name}`), name);
    }
  });

  test('a refusal is signed too, and a signed text that was changed does not verify', async () => {
    const answer = await validate(`HK-${randomUUID()}`, '192.0.2.50');
    const signed = stringAt(answer, '/signed');
    const claims = await verifiedClaims(api, signed);
    assert.equal(claims.valid, false);
    const forged = Buffer.from(JSON.stringify({ ...claims, valid: true })).toString('base64url');
    assert.equal(await claimsIfSigned(api, signed.replace(/\.[^.]+\./, `.${forged}.`)), null);
  });

  test('an unknown key is not_found, and an address that is not bound is told apart from a full license', async () => {
    const unknown = await validate(`HK-${randomUUID()}`, '192.0.2.50');
    assert.deepEqual([unknown.valid, unknown.reason], [false, 'not_found']);
    const roomy = await orderedLicense(api, { ip_address: '192.0.2.51' }, 2);
    const elsewhere = await validate(stringAt(roomy, '/license_key'), '192.0.2.52');
    assert.deepEqual([elsewhere.valid, elsewhere.reason], [false, 'ip_not_bound']);
    const uuid = stringAt(roomy, '/license_uuid');
    const limit = Number(at(success(await api.get('panel/details', { uuid })), '/package/ip_limit'));
    for (let bound = 1; bound < limit; bound++) {
      success(await api.post('panel/bind-ip', { uuid, ip_address: `203.0.113.${bound}` }));
    }
    const full = await validate(stringAt(roomy, '/license_key'), '192.0.2.52');
    assert.deepEqual([full.valid, full.reason], [false, 'ip_limit_reached']);
  });

  test('an address counts as soon as it is bound, and no longer once it is unbound', async () => {
    const order = await orderedLicense(api);
    const uuid = stringAt(order, '/license_uuid');
    const key = stringAt(order, '/license_key');
    const binding = { uuid, ip_address: '192.0.2.60' };
    assert.equal((await validate(key, '192.0.2.60')).valid, false);
    success(await api.post('panel/bind-ip', binding));
    assert.equal((await validate(key, '192.0.2.60')).valid, true);
    success(await api.post('panel/unbind-ip', binding));
    assert.equal((await validate(key, '192.0.2.60')).valid, false);
  });

  test('without ip_address the address of the caller is judged', async () => {
    const order = await orderedLicense(api, { ip_address: '192.0.2.70' });
    const json = { license_key: stringAt(order, '/license_key'), nonce: randomUUID() };
    const answer = success(
      await api.call('POST', 'panel/validate', { json, token: null }),
      licenseValidation,
    );
    assert.equal(answer.valid, false);
  });

  test('panel/validate needs a nonce', async () => {
    const json = { license_key: 'HK-x', ip_address: '192.0.2.1' };
    const answer = await api.call('POST', 'panel/validate', { json, token: null });
    assert.equal(at(refusal(answer, 422, 'validation_failed'), '/errors/0/pointer'), '/nonce');
  });

  test('panel/license-file can be verified offline and holds what the product must know', async () => {
    const order = await orderedLicense(api, { ip_address: '192.0.2.80' });
    const data = success(await api.get('panel/license-file', { uuid: order.license_uuid }));
    const claims = await verifiedClaims(api, stringAt(data, '/content'));
    assert.equal(claims.license_key, order.license_key);
    assert.equal(claims.license_uuid, order.license_uuid);
    assert.equal(claims.expire_at, order.expire_at);
    assert.deepEqual(claims.ip_addresses, ['192.0.2.80']);
  });

  async function validate(
    license_key: string,
    ip_address: string,
    nonce: string = randomUUID(),
  ): Promise<JsonObject> {
    const json = { license_key, ip_address, nonce };
    return success(await api.call('POST', 'panel/validate', { json, token: null }), licenseValidation);
  }
}
