import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Customer, LICENSE, openFixture } from '../../../test/fixture.ts';
import { canonicalAddress } from '../../base/ip.ts';
import { license } from '../../business/licenses/license.ts';
import type { ReadContext } from '../../operation.ts';
import { writeTogether } from '../../wire/write.ts';
import bindIp from './bind-ip.ts';
import licenseFile from './license-file.ts';
import order from './order.ts';
import publicKey from './public-key.ts';
import validate from './validate.ts';

/** The verifier exactly as the guide prints it. */
const guide = readFileSync(new URL('../../../../docs/guides/verifying-licenses.md', import.meta.url), 'utf8');
const code = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
const { verified, allows } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
  verified(jws: string, keys: unknown): Record<string, unknown>;
  allows(claims: unknown, address: string, now?: Date): boolean;
};

const fixture = await openFixture();
const { pool, customer, item } = fixture;
const reading = (who: Customer) =>
  ({ ...fixture.context(who), db: pool, ports: {} }) as unknown as ReadContext;
const keysOf = async (who: Customer) =>
  ((await publicKey.read?.(reading(who), {}, undefined)) as { keys: unknown } | undefined)?.keys;

async function write(operation: typeof order, who: Customer, input: object) {
  const [outcome] = await writeTogether(pool, [item(operation, who, input)]);
  assert.equal(outcome?.kind, 'answered');
  return (outcome as { data: Record<string, unknown> }).data;
}

async function ordered(ip: string) {
  const who = await customer(10_000n);
  const data = await write(order, who, {
    pack_uuid: LICENSE,
    duration: 1,
    tos: true,
    cancellation: true,
    ip_address: ip,
  });
  return { who, uuid: data.license_uuid as string, key: data.license_key as string };
}

test("the guide's verifier believes a license file, and none of which a byte was changed", async () => {
  const { who, uuid, key } = await ordered('192.0.2.7');
  const [found] = await license.load(pool, [{ accountId: who.accountId, uuid }]);
  const file = (await licenseFile.read?.(reading(who), { uuid }, found)) as { content: string };
  const keys = await keysOf(who);
  const claims = verified(file.content, keys);
  assert.equal(claims.license_key, key);
  assert.ok(allows(claims, '192.0.2.7', new Date('2027-01-20')));
  assert.ok(!allows(claims, '192.0.2.8', new Date('2027-01-20')));
  assert.ok(!allows(claims, '192.0.2.7', new Date('2028-01-20')));
  const [header = '', body = '', signature = ''] = file.content.split('.');
  const forged = Buffer.from(JSON.stringify({ ...claims, expire_at: '2099-01-01 00:00:00' })).toString(
    'base64url',
  );
  assert.throws(() => verified(`${header}.${forged}.${signature}`, keys), /signature/);
  assert.throws(() => verified(`${header}.${body}.${signature.slice(0, -4)}AAAA`, keys), /signature/);
  assert.throws(() => verified(file.content, []), /known key/);
});

test('an online answer is signed over the nonce, and says why a license is not in force', async () => {
  const { who, key } = await ordered('2001:db8::7');
  const keys = await keysOf(who);
  const ask = (input: object) => write(validate, who, { license_key: key, nonce: 'nonce-12345', ...input });
  const good = await ask({ ip_address: '2001:DB8:0::7' });
  assert.deepEqual([good.valid, good.reason], [true, 'active']);
  const claims = verified(good.signed as string, keys);
  assert.deepEqual(
    [claims.valid, claims.nonce, claims.ip_address],
    [true, 'nonce-12345', canonicalAddress('2001:db8::7')],
  );
  assert.equal((await ask({ ip_address: '192.0.2.1' })).reason, 'ip_limit_reached');
  assert.equal((await ask({ license_key: 'HK-NO' })).reason, 'not_found');
  assert.equal(
    (await ask({ license_key: ` ${key.toLowerCase()}`, ip_address: '2001:db8::7' })).reason,
    'active',
  );
  fixture.clock.set(fixture.clock.now().add({ hours: 24 * 40 }));
  const late = await ask({ ip_address: '2001:db8::7' });
  assert.deepEqual([late.valid, late.reason, late.lease_until], [false, 'expired', null]);
});

test('a license binds as many addresses as its package allows, and the same one only once', async () => {
  const { who, uuid } = await ordered('192.0.2.1');
  await assert.rejects(write(bindIp, who, { uuid, ip_address: '192.0.2.2' }), /ip_limit_reached/);
  const again = await write(bindIp, who, { uuid, ip_address: '192.0.2.1', description: 'web' });
  assert.equal(again.ip_bindings_count, 1);
});
