import type { Amount } from '../../base/money.ts';
import type { Instant } from '../../base/time.ts';
import type { CommandOutcome } from '../outcome.ts';

/** The method of transfers to the seller's own account, which no provider stands behind. */
export const BANK = 'bank';

/** The money of a payment so far, in minor units of its currency: sums since its beginning, which only grow. */
export interface PaymentFacts {
  readonly received: Amount;
  readonly refunded: Amount;
  /** Taken back by the payer's bank, and what of that was given back after a dispute was won. */
  readonly disputed: Amount;
  readonly disputeWon: Amount;
}

/** Why no money is expected any more. Should it come all the same, it counts. */
export interface PaymentEnd {
  readonly state: 'failed' | 'cancelled';
  /** The provider's word, such as `insufficient_funds`. */
  readonly reason: string;
}

/** What a provider knows of a payment. */
export interface FoundPayment {
  readonly ref: string;
  /** Our id of it, as the provider was given it at the start. */
  readonly paymentId: string;
  /** ISO 4217: what the facts are in. */
  readonly currency: string;
  readonly facts: PaymentFacts;
  /** null: it is open, or money came. */
  readonly end: PaymentEnd | null;
  /** What the customer paid with, where they let the provider keep it. */
  readonly savedMethod: SavedMethod | null;
}

export interface SavedMethod {
  readonly ref: string;
  /** What the customer knows it by, such as `Visa 4242`. */
  readonly label: string;
}

/** A payment that a customer makes on the provider's page. */
export interface PaymentOrder {
  /** Ours: one payment for one id, however often it is started. */
  readonly paymentId: string;
  readonly amount: Amount;
  /** ISO 4217, divided into hundredths. */
  readonly currency: string;
  readonly description: string;
  readonly returnUrl: string;
  readonly locale: string;
  /** Whether the provider shall keep what the customer pays with, for charges in their absence. */
  readonly saveMethod: boolean;
  /** After this the page takes no money: at most 24 hours from now. */
  readonly expiresAt: Instant;
}

export interface StartedPayment {
  readonly ref: string;
  /** Where the customer pays: absolute, or a path of this installation. */
  readonly redirectUrl: string;
}

/** A payment by what a provider keeps, in the customer's absence. */
export interface PaymentCharge {
  readonly paymentId: string;
  readonly methodRef: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly description: string;
}

export interface PaymentRefund {
  readonly ref: string;
  readonly amount: Amount;
  /** One refund for one key, however often it is asked for. */
  readonly key: string;
}

/** What a provider calls us with, as it came. */
export interface Webhook {
  readonly body: Buffer;
  /** By its name in lower case. */
  header(name: string): string | undefined;
}

export type WebhookReading =
  /** Not from the provider, too old, or from the future: nothing of it is believed. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'read'; readonly event: PaymentEvent };

export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  /** The payment that it is about; null where it is about none of ours. */
  readonly found: FoundPayment | null;
}

/**
 * Takes payments. Whatever is thrown (BackendUnavailable) leaves the outcome unknown: every command may be
 * repeated with the same ids for half a day, and does nothing twice.
 */
export interface PaymentProvider {
  /** What customers read in mails: “online payment (Stripe)”. */
  readonly title: MethodTitle;
  /** null: nothing that customers pay with can be kept, and charged in their absence. */
  readonly saved: SavedMethods | null;
  start(order: PaymentOrder): Promise<CommandOutcome<StartedPayment>>;
  /** null: the provider knows no such payment. */
  lookup(ref: string): Promise<FoundPayment | null>;
  refund(refund: PaymentRefund): Promise<CommandOutcome<FoundPayment>>;
  /** May ask the provider for the payment that the event is about. */
  receive(webhook: Webhook, now: Instant): Promise<WebhookReading>;
  /** What keeps it from taking payments for us; null: nothing. */
  problem(): Promise<string | null>;
}

/** What customers pay with, kept by the provider. */
export interface SavedMethods {
  /** Declined is `done` with an end; without money and without an end it is under way. */
  charge(charge: PaymentCharge): Promise<CommandOutcome<FoundPayment>>;
  /** Ends that the provider keeps a method; also when it does so no longer. */
  forget(methodRef: string): Promise<CommandOutcome<null>>;
}

/** The name of a way to pay, by language. */
export type MethodTitle = Readonly<Record<'en' | 'de', string>>;

/** A transfer that a customer makes by themselves. */
export interface TransferOrder {
  readonly amount: Amount;
  readonly currency: string;
  /** What the transfer is recognised by. */
  readonly reference: string;
}

export interface TransferInstructions {
  readonly iban: string;
  readonly bic: string | null;
  readonly bank: string | null;
  readonly beneficiary: string;
  readonly reference: string;
  /** The QR code that banking apps read (EPC069-12); null for other currencies than the euro. */
  readonly epcQr: { readonly text: string; readonly svg: string } | null;
}

/** What operations may ask. */
export interface PaymentQueries {
  /** How customers can pay now. */
  methods(): readonly string[];
  /** Whether what customers pay with by this method can be kept. */
  keeps(method: string): boolean;
  /** What a method is called in texts; null: it is not known (any more). */
  title(method: string): MethodTitle | null;
  /** How to transfer; null while the seller has no bank account. */
  transferInstructions(order: TransferOrder): Promise<TransferInstructions | null>;
}

/** What jobs and webhooks may use. */
export interface Payments extends PaymentQueries {
  /** null: this way to pay has no provider, or is not set up (any more). */
  provider(method: string): PaymentProvider | null;
  /** Every provider that is set up, with what keeps it from taking payments; null: nothing. */
  problems(): Promise<readonly { readonly title: MethodTitle; readonly problem: string | null }[]>;
}
