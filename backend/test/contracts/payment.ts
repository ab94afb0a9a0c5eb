import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import type { Instant } from '../../src/base/time.ts';
import type { CommandOutcome } from '../../src/drivers/outcome.ts';
import type {
  FoundPayment,
  PaymentEvent,
  PaymentOrder,
  PaymentProvider,
  Webhook,
} from '../../src/drivers/payment/port.ts';

/** A driver under test, with the part of customers and banks that the port does not have. */
export interface ContractSubject {
  readonly driver: PaymentProvider;
  readonly now: Instant;
  /** Each gives the webhooks that tell of it, as they come in. */
  pays(ref: string): Promise<readonly Webhook[]>;
  /** Lets a page go without money. */
  givesUp(ref: string): Promise<readonly Webhook[]>;
  /** Where payers can take money back. */
  disputes?(ref: string): Promise<readonly Webhook[]>;
  loses?(ref: string): Promise<readonly Webhook[]>;
  /** Where something can be kept: amounts whose charge in the customer's absence is declined, or stays under way. */
  readonly declinedAmount?: bigint;
  readonly openAmount?: bigint;
  /** The webhook with a signature of another moment. */
  signedAt(webhook: Webhook, moment: Instant): Webhook;
  close(): Promise<void>;
}

/** What every driver of the payment port keeps: what is booked relies on it. */
export function paymentContract(
  name: string,
  open: () => Promise<ContractSubject>,
  can: { readonly disputes: boolean; readonly keeps: boolean } = { disputes: true, keeps: true },
): void {
  describe(`the payment contract: ${name}`, () => {
    let subject: ContractSubject;
    before(async () => {
      subject = await open();
    });
    after(() => subject.close());

    const order = (change: Partial<PaymentOrder> = {}): PaymentOrder => ({
      paymentId: randomUUID(),
      amount: 25_00n,
      currency: 'EUR',
      description: 'Account top-up',
      returnUrl: 'https://hosting.example/?payment=1',
      locale: 'en',
      saveMethod: false,
      expiresAt: subject.now.add({ hours: 23 }),
      ...change,
    });
    const start = async (wanted: PaymentOrder) => done(await subject.driver.start(wanted));
    const found = async (ref: string): Promise<FoundPayment> => {
      const payment = await subject.driver.lookup(ref);
      assert.ok(payment, `${ref} is known`);
      return payment;
    };
    const told = async (webhooks: readonly Webhook[]): Promise<readonly PaymentEvent[]> =>
      await Promise.all(
        webhooks.map(async (webhook) => {
          const reading = await subject.driver.receive(webhook, subject.now);
          assert.ok(reading.kind === 'read', inspect(reading));
          return reading.event;
        }),
      );

    test('a payment that was started waits for money', async () => {
      const wanted = order();
      const { ref, redirectUrl } = await start(wanted);
      assert.match(redirectUrl, /^(https?:\/\/|\/)/);
      const { paymentId, facts, end } = await found(ref);
      assert.equal(paymentId, wanted.paymentId);
      assert.deepEqual(facts, { received: 0n, refunded: 0n, disputed: 0n, disputeWon: 0n });
      assert.equal(end, null);
    });

    test('started twice, also at the same time, it is one payment', async () => {
      const wanted = order();
      const refs = await Promise.all([start(wanted), start(wanted)]);
      refs.push(await start(wanted));
      assert.equal(new Set(refs.map(({ ref }) => ref)).size, 1);
      assert.equal(new Set(refs.map(({ redirectUrl }) => redirectUrl)).size, 1);
    });

    test('money that comes is told by webhook and by looking it up', async () => {
      const wanted = order();
      const { ref } = await start(wanted);
      const events = await told(await subject.pays(ref));
      assert.ok(events.length > 0);
      for (const event of events) {
        assert.equal(event.found?.paymentId, wanted.paymentId);
        assert.equal(event.found.facts.received, wanted.amount);
      }
      assert.equal((await found(ref)).facts.received, wanted.amount);
    });

    test('nothing is known of a payment that nobody started', async () => {
      assert.equal(await subject.driver.lookup('cs_test_unknown'), null);
    });

    test('a payment that is given up ends without money', async () => {
      const { ref } = await start(order());
      const events = await told(await subject.givesUp(ref));
      assert.ok(events.some((event) => event.found?.end));
      const { end, facts } = await found(ref);
      assert.ok(end);
      assert.equal(facts.received, 0n);
    });

    test('a refund is made once for its key, and adds up', async () => {
      const { ref } = await start(order());
      await subject.pays(ref);
      const first = { ref, amount: 5_00n, key: randomUUID() };
      await subject.driver.refund(first);
      assert.equal(done(await subject.driver.refund(first)).facts.refunded, 5_00n);
      const second = done(await subject.driver.refund({ ref, amount: 7_00n, key: randomUUID() }));
      assert.equal(second.facts.refunded, 12_00n);
      const tooMuch = await subject.driver.refund({ ref, amount: 20_00n, key: randomUUID() });
      assert.equal(tooMuch.kind, 'refused');
      assert.equal((await found(ref)).facts.refunded, 12_00n);
    });

    if (can.disputes) {
      test('a dispute takes the money, and a won one is told beside it', async () => {
        const { ref } = await start(order());
        await subject.pays(ref);
        const [disputed] = await told(await called(subject.disputes)(ref));
        assert.deepEqual(disputed?.found?.facts, {
          received: 25_00n,
          refunded: 0n,
          disputed: 25_00n,
          disputeWon: 0n,
        });
        const [won] = await told(await called(subject.loses)(ref));
        assert.deepEqual(won?.found?.facts, (await found(ref)).facts);
        assert.equal(won?.found?.facts.disputeWon, 25_00n);
        assert.equal(won.found.facts.disputed, 25_00n, 'facts only grow');
      });
    }

    const methods = () => subject.driver.saved ?? assert.fail('it keeps nothing');
    if (can.keeps) {
      const saved = async (): Promise<string> => {
        const { ref } = await start(order({ saveMethod: true }));
        await subject.pays(ref);
        const { savedMethod } = await found(ref);
        assert.ok(savedMethod, 'the method was kept');
        assert.notEqual(savedMethod.label, '');
        return savedMethod.ref;
      };
      const charge = (methodRef: string, amount: bigint, paymentId: string = randomUUID()) => ({
        paymentId,
        methodRef,
        amount,
        currency: 'EUR',
        description: 'Account top-up',
      });

      test('a method is kept only where that was asked for', async () => {
        const { ref } = await start(order());
        await subject.pays(ref);
        assert.equal((await found(ref)).savedMethod, null);
      });

      test('what was kept is charged once for a payment, however often that is asked for', async () => {
        const wanted = charge(await saved(), 20_00n);
        const first = done(await methods().charge(wanted));
        const again = done(await methods().charge(wanted));
        assert.equal(first.paymentId, wanted.paymentId);
        assert.equal(first.facts.received, 20_00n);
        assert.deepEqual(again, first);
        assert.deepEqual((await found(first.ref)).facts, first.facts);
      });

      test('a charge that is declined ends with the reason, and one under way does not end', async () => {
        const method = await saved();
        const declined = done(await methods().charge(charge(method, subject.declinedAmount ?? 0n)));
        assert.equal(declined.end?.state, 'failed');
        assert.notEqual(declined.end.reason, '');
        assert.equal(declined.facts.received, 0n);
        const open = done(await methods().charge(charge(method, subject.openAmount ?? 0n)));
        assert.equal(open.end, null);
        assert.equal(open.facts.received, 0n);
      });

      test('what was forgotten is not charged, and can be forgotten again', async () => {
        const method = await saved();
        done(await methods().forget(method));
        done(await methods().forget(method));
        assert.equal((await methods().charge(charge(method, 20_00n))).kind, 'refused');
      });
    } else {
      test('what was asked to be kept is not, and the driver says so', async () => {
        assert.equal(subject.driver.saved, null);
        const { ref } = await start(order({ saveMethod: true }));
        await subject.pays(ref);
        assert.equal((await found(ref)).savedMethod, null);
      });
    }

    test('a webhook of another hand, too old, or from the future is not believed', async () => {
      const { ref } = await start(order());
      const [webhook] = await subject.pays(ref);
      assert.ok(webhook);
      const { now } = subject;
      const changed = Buffer.from(webhook.body);
      changed.write(' ', changed.length - 1);
      const variants: Record<string, Webhook> = {
        changed: { ...webhook, body: changed },
        unsigned: { ...webhook, header: () => undefined },
        old: subject.signedAt(webhook, now.subtract({ seconds: 301 })),
        future: subject.signedAt(webhook, now.add({ seconds: 301 })),
        empty: { ...webhook, body: Buffer.alloc(0) },
      };
      for (const [variant, forged] of Object.entries(variants)) {
        assert.equal((await subject.driver.receive(forged, now)).kind, 'refused', variant);
      }
      for (const seconds of [-299, 299]) {
        const shifted = subject.signedAt(webhook, now.add({ seconds }));
        assert.equal((await subject.driver.receive(shifted, now)).kind, 'read', `${seconds} s`);
      }
    });
  });
}

function called<F>(method: F | undefined): F {
  return method ?? assert.fail('the contract of a provider with disputes needs them');
}

function done<T>(outcome: CommandOutcome<T>): T {
  assert.ok(outcome.kind === 'done', inspect(outcome));
  return outcome.result;
}
