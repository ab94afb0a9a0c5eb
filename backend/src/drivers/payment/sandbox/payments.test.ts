import assert from 'node:assert/strict';
import { paymentContract } from '../../../../test/contracts/payment.ts';
import { createTestDatabase } from '../../../../test/database.ts';
import { SetClock } from '../../../base/clock.ts';
import type { Instant } from '../../../base/time.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import type { PaymentProvider, Webhook } from '../port.ts';
import { type Happening, SandboxPayments } from './payments.ts';
import { SIGNATURE_HEADER, signatureOf } from './signature.ts';

async function opened() {
  const database = await createTestDatabase();
  const db = new Pool({ url: database.url, size: 2, name: 'sandbox', role: APPLICATION_ROLE });
  const now = Temporal.Instant.from('2027-01-15T12:00:00Z');
  const secret = Buffer.from('a secret of tests');
  const driver = new SandboxPayments({ db, clock: new SetClock(now), secret });
  const happens = (happening: Happening) => async (ref: string) => {
    const webhook = await driver.happen(ref, happening);
    assert.ok(webhook, `${happening} happens to ${ref}`);
    return [webhook];
  };
  return {
    driver,
    now,
    pays: happens('pay'),
    givesUp: happens('decline'),
    disputes: happens('dispute'),
    loses: happens('win'),
    declinedAmount: 20_13n,
    openAmount: 20_17n,
    signedAt: (webhook: Webhook, moment: Instant) => ({
      body: webhook.body,
      header: (name: string) =>
        name === SIGNATURE_HEADER ? signatureOf(secret, webhook.body, moment) : undefined,
    }),
    async close() {
      await db.end();
      await database.drop();
    },
  };
}

paymentContract('sandbox', opened);

paymentContract(
  'a provider that keeps nothing, and whose payers take nothing back',
  async () => {
    const { disputes: _, loses: __, driver, ...site } = await opened();
    const plain: PaymentProvider = {
      title: driver.title,
      saved: null,
      start: (order) => driver.start({ ...order, saveMethod: false }),
      lookup: (ref) => driver.lookup(ref),
      refund: (refund) => driver.refund(refund),
      receive: (webhook, now) => driver.receive(webhook, now),
      problem: () => driver.problem(),
    };
    return { ...site, driver: plain };
  },
  { disputes: false, keeps: false },
);
