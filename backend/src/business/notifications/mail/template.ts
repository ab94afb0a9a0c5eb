/** A service as a mail lists it; times as the wire prints them, amounts with their currency. */
export interface ListedService {
  readonly name: string;
  readonly product: string;
  readonly expire_at: string;
  readonly renewal: string | null;
}

/**
 * Every mail, and what its text needs: plain values, kept as JSON. What opens something (a link with a secret in
 * it) is a {@link MailSecrets} of the same name instead.
 */
export interface MailVariables {
  'account.email-verification': object;
  'account.password-reset': object;
  /** Somebody wanted to open an account with the address, who may not know that there is one. */
  'account.already-registered': { readonly ip: string };
  'account.invitation': { readonly invited_by: string; readonly role: string };
  /** To the address that it was before. */
  'account.email-changed': { readonly email: string; readonly ip: string };
  'account.password-changed': { readonly ip: string };
  'account.two-factor-changed': { readonly enabled: boolean; readonly ip: string };
  'account.accessed-by-operator': { readonly operator: string; readonly reason: string };
  /** One of the reasons that accounts are suspended for. */
  'account.suspended': { readonly reason: string };
  'account.unsuspended': object;
  /** The year to whose end invoices are kept. */
  'account.closed': { readonly payout: string | null; readonly kept_until: string };
  /** Nothing that was sent to it was accepted for days. */
  'account.webhook-disabled': { readonly host: string; readonly since: string; readonly error: string };
  'account.balance-low': { readonly balance: string; readonly threshold: string };
  'payment.received': { readonly amount: string; readonly method: string; readonly balance: string };
  'payment.failed': { readonly amount: string; readonly reason: string };
  'payment.charged-back': { readonly amount: string; readonly balance: string };
  'invoice.issued': {
    readonly number: string;
    readonly gross: string;
    readonly kind: 'invoice' | 'credit_note';
  };
  'statement.monthly': {
    readonly month: string;
    readonly opening: string;
    readonly credit: string;
    readonly debit: string;
    readonly closing: string;
  };
  /** Ends of terms that come near; what renews itself says what it will cost. */
  'service.expiring': { readonly services: readonly ListedService[] };
  /** Could not be renewed: the money does not reach. */
  'service.unpaid': { readonly services: readonly ListedService[]; readonly missing: string };
  /** Could not be renewed: a further term of that length is not sold any more. */
  'service.not-renewable': { readonly services: readonly ListedService[] };
  /** The terms ended, and the services were switched off. */
  'service.switched-off': { readonly services: readonly ListedService[]; readonly deleted_at: string };
  /** They were cancelled, and their terms ended. */
  'service.ended': { readonly services: readonly ListedService[]; readonly deleted_at: string };
  'service.deleted': { readonly services: readonly ListedService[] };
  /** by_mail: whether it can be answered by mail. */
  'ticket.created': { readonly number: string; readonly by_mail: boolean };
  'ticket.answered': {
    readonly number: string;
    readonly subject: string;
    readonly author: string;
    /** Lines. */
    readonly message: readonly string[];
    /** Names of what is attached. */
    readonly files: readonly string[];
    readonly closed: boolean;
    readonly by_mail: boolean;
  };
  'ticket.closed': {
    readonly number: string;
    readonly subject: string;
    readonly reopenable_until: string;
    /** For how many days nothing was said, when that is why; else null. */
    readonly silent_days: number | null;
    readonly by_mail: boolean;
  };
  /** Somebody asks for a domain. */
  'domain.transfer-requested': {
    readonly domain: string;
    readonly answer_until: string;
    /** What happens if nobody answers. */
    readonly silence: 'approves' | 'rejects';
  };
  /** Its lock against transfers was taken off. */
  'domain.unlocked': { readonly domain: string; readonly ip: string };
  /** To the owner of a domain: they have to prove their address. */
  'domain.contact-verification': { readonly domain: string };
  'domain.verification-failed': { readonly domain: string; readonly email: string };
  /** To whoever has to agree: the present owner, or the new one. */
  'domain.owner-change': {
    readonly domain: string;
    readonly side: 'present' | 'new';
    readonly new_owner: string;
    readonly until: string;
  };
  /** To the owner that a domain had. */
  'domain.owner-changed': { readonly domain: string; readonly new_owner: string; readonly ip: string };
  /** The code itself is in the answer of the request only. */
  'domain.authcode-issued': { readonly domain: string; readonly ip: string; readonly expires_at: string };
  'domain.authcode': { readonly domain: string; readonly expires_at: string };
  'domain.transferred-in': { readonly domain: string };
  'domain.transferred-out': { readonly domain: string };
  /** Its registry did not renew it; nothing was charged. */
  'domain.renewal-failed': { readonly domain: string; readonly expire_at: string };
  /** A premium name that became dearer. */
  'domain.price-changed': { readonly domain: string; readonly expire_at: string; readonly renewal: string };
  'domain.redemption': { readonly domain: string; readonly restorable_until: string };
  'service.cancelled': {
    readonly services: readonly ListedService[];
    readonly effective_at: string;
    /** Until when the cancellation can be taken back; null: it cannot. */
    readonly revocable_until: string | null;
  };
}
export type MailTemplate = keyof MailVariables;

/** Links with a secret in them: sealed in the database, never logged. */
export interface MailSecrets {
  'account.email-verification': { readonly link: string };
  'account.password-reset': { readonly link: string };
  'account.invitation': { readonly link: string };
  'domain.contact-verification': { readonly link: string };
  'domain.owner-change': { readonly link: string };
  'domain.authcode': { readonly authcode: string };
}
