import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUSTRIAN, AUSTRIAN_VAT } from '../../../test/addresses.ts';
import { LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import { SandboxVatRegister } from '../../drivers/vat/sandbox/register.ts';

const fixture = await openFixture();
const { data, refused } = openRequests(fixture, { ports: { vat: new SandboxVatRegister() } as never });

const STANDARD = { kind: 'standard', rate: 19, included: true, home_rate: 19 };

test('prices include the tax at home unless they are asked for without it', async () => {
  const gross = await data('panel/packages');
  assert.deepEqual([gross.tax_included, gross.tax], [true, STANDARD]);
  assert.deepEqual(gross.packages[0].pricings, { year: 43.89, month: 3.99, hour: 0.0067 });
  assert.deepEqual(gross.packages[0].durations[2], { duration: 3, duration_unit: 'month', gross: 11.97 });
  const net = await data('panel/packages', { display: 'net' });
  assert.deepEqual([net.tax_included, net.tax], [false, { ...STANDARD, included: false }]);
  assert.deepEqual(net.packages[0].pricings, { year: 36.88, month: 3.35, hour: 0.0056 });
  // Rounded once: three times 3.35 were 10.05.
  assert.deepEqual(net.packages[0].durations[2], { duration: 3, duration_unit: 'month', gross: 10.06 });
  await refused('validation_failed', 'panel/packages', { display: 'both' });
});

test('a customer sees how the prices are taxed for them, and pays the net price where they owe the tax', async () => {
  const { secret: token } = await fixture.customer(10_000n);
  assert.deepEqual((await data('panel/packages', {}, { token })).tax, STANDARD);
  await data('account/save-address', { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.valid }, { token });
  const net = await data('panel/packages', { display: 'net' }, { token });
  assert.deepEqual(net.tax, { kind: 'reverse_charge', rate: 0, included: false, home_rate: 19 });
  const order = { pack_uuid: LICENSE, duration: 3, tos: true, cancellation: true };
  const { charged } = await data('panel/order', order, { token });
  assert.equal(charged.gross, net.packages[0].durations[2].gross);
});
