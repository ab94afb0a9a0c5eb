import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openFixture } from '../../../../test/fixture.ts';
import { transaction } from '../../../db/transaction.ts';
import { foundIntent, PAYMENT_KEY } from '../../../drivers/payment/stripe/found.ts';
import { begunPayment, paymentOf } from './payment.ts';
import { recordFound } from './record.ts';

const fixture = await openFixture();
const { pool, clock } = fixture;

test('what came in another currency is not booked as ours', async () => {
  const who = await fixture.customer(0n);
  const payment = begunPayment(
    {
      id: randomUUID(),
      account_id: who.accountId,
      method: 'stripe',
      amount: 25_00n,
      currency: 'EUR',
      reference: null,
      return_url: null,
      locale: 'en',
      save_method: false,
      automatic: false,
      payment_method_id: null,
    },
    clock.now(),
  );
  await transaction(pool, (tx) => tx.kysely.insertInto('payments').values(payment).execute());
  const intent = {
    id: 'pi_1',
    amount_received: 500_000,
    currency: 'jpy',
    status: 'succeeded',
    metadata: { [PAYMENT_KEY]: payment.id },
    latest_charge: null,
    setup_future_usage: null,
  };
  const found = foundIntent(intent as never, []);
  assert.ok(found);
  await recordFound(pool, clock.now(), payment, found).catch(() => {});
  assert.equal(await fixture.balanceOf(who), 0n);
  assert.equal((await paymentOf(pool, payment.id))?.state, 'pending');
});
