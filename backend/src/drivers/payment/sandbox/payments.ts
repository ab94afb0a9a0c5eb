import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { CommandOutcome } from '../../outcome.ts';
import type {
  FoundPayment,
  PaymentCharge,
  PaymentOrder,
  PaymentProvider,
  PaymentRefund,
  SavedMethods,
  StartedPayment,
  Webhook,
  WebhookReading,
} from '../port.ts';
import { SIGNATURE_HEADER, signatureOf, signatureProblem } from './signature.ts';

export interface SandboxPaymentsOptions {
  /** A pool of the sandbox's own: each of its statements commits by itself, as another system's would. */
  readonly db: Executor;
  readonly clock: Clock;
  /** What its webhooks are signed with. */
  readonly secret: Buffer;
}

/** What can happen to a payment, caused by the customer or by their bank. */
export type Happening = 'pay' | 'decline' | 'refund' | 'dispute' | 'win';

/** A payment as its page shows it. */
export interface SandboxPayment {
  readonly ref: string;
  readonly payment_id: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly return_url: string | null;
  readonly saves: boolean;
  readonly state: 'open' | 'paid' | 'declined';
  readonly refunded: bigint;
  readonly disputed: bigint;
  readonly dispute_won: bigint;
  readonly happenings: number;
}

const COLUMNS =
  'ref, payment_id, amount, currency, return_url, saves, state, refunded, disputed, dispute_won, happenings';

const insert = statement<object>(
  'sandbox_start_payment',
  `INSERT INTO sandbox.payments (ref, payment_id, amount, currency, return_url, saves, state)
   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (payment_id) DO NOTHING`,
);
const byPayment = statement<SandboxPayment>(
  'sandbox_payment_of',
  `SELECT ${COLUMNS} FROM sandbox.payments WHERE payment_id = $1`,
);
const byRef = statement<SandboxPayment>(
  'sandbox_payment',
  `SELECT ${COLUMNS} FROM sandbox.payments WHERE ref = $1`,
);

const happens = (happening: Happening, set: string, condition: string) =>
  statement<SandboxPayment>(
    `sandbox_payment_${happening}`,
    `UPDATE sandbox.payments SET ${set}, happenings = happenings + 1 WHERE ref = $1 AND ${condition}
     RETURNING ${COLUMNS}`,
  );
const HAPPENINGS = {
  pay: happens('pay', `state = 'paid'`, `state = 'open'`),
  decline: happens('decline', `state = 'declined'`, `state = 'open'`),
  refund: happens('refund', 'refunded = amount', `state = 'paid' AND refunded < amount`),
  dispute: happens('dispute', 'disputed = amount', `state = 'paid' AND disputed = 0`),
  win: happens('win', 'dispute_won = disputed', 'dispute_won < disputed'),
};

const refund = statement<object>(
  'sandbox_refund',
  `WITH fitting AS (SELECT ref FROM sandbox.payments
     WHERE ref = $2 AND state = 'paid' AND refunded + $3 <= amount FOR UPDATE),
   kept AS (INSERT INTO sandbox.refunds (key, ref, amount) SELECT $1, ref, $3 FROM fitting
     ON CONFLICT (key) DO NOTHING RETURNING ref)
   UPDATE sandbox.payments p SET refunded = refunded + $3, happenings = happenings + 1
   FROM kept WHERE p.ref = kept.ref`,
);
const refundOf = statement<object>('sandbox_refund_of', 'SELECT FROM sandbox.refunds WHERE key = $1');

const keepMethod = statement<object>(
  'sandbox_keep_method',
  'INSERT INTO sandbox.payment_methods (ref) VALUES ($1) ON CONFLICT (ref) DO NOTHING',
);
const method = statement<{ removed: boolean }>(
  'sandbox_method',
  'SELECT removed FROM sandbox.payment_methods WHERE ref = $1',
);
const removeMethod = statement<object>(
  'sandbox_remove_method',
  'UPDATE sandbox.payment_methods SET removed = true WHERE ref = $1',
);

/** Charges of amounts that end in these cents are declined, or stay open until something happens to them. */
const DECLINED_CENTS = 13n;
const OPEN_CENTS = 17n;

const Body = z.object({
  id: z.string(),
  type: z.string(),
  payment: z.object({
    ref: z.string(),
    payment_id: z.uuid(),
    state: z.enum(['open', 'paid', 'declined']),
    saves: z.boolean(),
    amount: z.coerce.bigint(),
    currency: z.string(),
    refunded: z.coerce.bigint(),
    disputed: z.coerce.bigint(),
    dispute_won: z.coerce.bigint(),
  }),
});

/**
 * Payments that exist only as rows: nobody pays, somebody says that they did. It tells by webhooks like any other
 * provider, which whoever lets something happen has to deliver.
 */
export class SandboxPayments implements PaymentProvider {
  readonly title = { en: 'play money (sandbox)', de: 'Spielgeld (Sandbox)' };
  readonly saved: SavedMethods = {
    charge: (charge) => this.#charge(charge),
    forget: (methodRef) => this.#forget(methodRef),
  };
  readonly #db: Executor;
  readonly #clock: Clock;
  readonly #secret: Buffer;

  constructor({ db, clock, secret }: SandboxPaymentsOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#secret = secret;
  }

  async start(order: PaymentOrder): Promise<CommandOutcome<StartedPayment>> {
    const { ref } = await this.#opened(order, order.returnUrl, order.saveMethod, 'open');
    return { kind: 'done', result: { ref, redirectUrl: `/sandbox/pay/${ref}` } };
  }

  async #charge(charge: PaymentCharge): Promise<CommandOutcome<FoundPayment>> {
    const [kept] = await this.#db.run(method, [charge.methodRef]);
    if (kept === undefined || kept.removed) return { kind: 'refused', reason: 'payment_method_removed' };
    const cents = charge.amount % 100n;
    const state = cents === DECLINED_CENTS ? 'declined' : cents === OPEN_CENTS ? 'open' : 'paid';
    return { kind: 'done', result: found(await this.#opened(charge, null, false, state)) };
  }

  async lookup(ref: string): Promise<FoundPayment | null> {
    const payment = await this.find(ref);
    return payment === null ? null : found(payment);
  }

  async refund({ ref, amount, key }: PaymentRefund): Promise<CommandOutcome<FoundPayment>> {
    await this.#db.run(refund, [key, ref, amount]);
    const [made] = await this.#db.run(refundOf, [key]);
    const payment = await this.lookup(ref);
    if (made === undefined || payment === null) return { kind: 'refused', reason: 'not_refundable' };
    return { kind: 'done', result: payment };
  }

  async #forget(methodRef: string): Promise<CommandOutcome<null>> {
    await this.#db.run(removeMethod, [methodRef]);
    return { kind: 'done', result: null };
  }

  async receive(webhook: Webhook, now: Instant): Promise<WebhookReading> {
    const problem = signatureProblem(this.#secret, webhook.body, webhook.header(SIGNATURE_HEADER), now);
    if (problem !== null) return { kind: 'refused', reason: problem };
    const { id, type, payment } = Body.parse(JSON.parse(webhook.body.toString('utf8')));
    return { kind: 'read', event: { id, type, found: found(payment) } };
  }

  /** The payment, for its page. */
  async problem(): Promise<string | null> {
    return null;
  }

  async find(ref: string): Promise<SandboxPayment | null> {
    const [payment] = await this.#db.run(byRef, [ref]);
    return payment ?? null;
  }

  /** Lets something happen to a payment, and gives the webhook that tells of it; null: it cannot, as it stands. */
  async happen(ref: string, happening: Happening): Promise<Webhook | null> {
    const [payment] = await this.#db.run(HAPPENINGS[happening], [ref]);
    if (payment === undefined) return null;
    if (happening === 'pay' && payment.saves) await this.#db.run(keepMethod, [methodRefOf(payment)]);
    return this.#webhook(payment, happening);
  }

  /** Tells once more how a payment was answered, as providers do when nobody heard; null: it was not answered. */
  async repeat(ref: string): Promise<Webhook | null> {
    const payment = await this.find(ref);
    if (payment === null || payment.state === 'open') return null;
    return this.#webhook(payment, payment.state === 'paid' ? 'pay' : 'decline');
  }

  #webhook(payment: SandboxPayment, happening: Happening): Webhook {
    const { return_url, happenings, ...told } = payment;
    const body = Buffer.from(
      JSON.stringify(
        { id: `${payment.ref}-${happenings}`, type: `payment.${happening}`, payment: told },
        (_, value) => (typeof value === 'bigint' ? value.toString() : value),
      ),
    );
    const signature = signatureOf(this.#secret, body, this.#clock.now());
    return { body, header: (name) => (name === SIGNATURE_HEADER ? signature : undefined) };
  }

  async #opened(
    order: Pick<PaymentOrder, 'paymentId' | 'amount' | 'currency'>,
    returnUrl: string | null,
    saves: boolean,
    state: SandboxPayment['state'],
  ): Promise<SandboxPayment> {
    const { paymentId, amount, currency } = order;
    const ref = `sp_${randomBytes(12).toString('hex')}`;
    await this.#db.run(insert, [ref, paymentId, amount, currency, returnUrl, saves, state]);
    const [payment] = await this.#db.run(byPayment, [paymentId]);
    if (payment === undefined) throw new Error(`the sandbox lost payment ${paymentId}`);
    return payment;
  }
}

const methodRefOf = ({ ref }: { readonly ref: string }) => `spm_${ref}`;

function found(payment: Omit<SandboxPayment, 'return_url' | 'happenings'>): FoundPayment {
  const { ref, payment_id, state, amount, refunded, disputed, dispute_won, saves } = payment;
  return {
    ref,
    paymentId: payment_id,
    currency: payment.currency,
    facts: { received: state === 'paid' ? amount : 0n, refunded, disputed, disputeWon: dispute_won },
    end: state === 'declined' ? { state: 'failed', reason: 'declined' } : null,
    savedMethod: saves && state === 'paid' ? { ref: methodRefOf(payment), label: 'Sandbox card' } : null,
  };
}
