import type { EventMember, EventMemberValue } from './event-member.ts';

interface EventText {
  /** When it happens. */
  readonly when: string;
  /** Members of its body. */
  readonly body: readonly EventMember[];
}

const events = <const T extends Record<string, EventText>>(table: T): T => table;

const EXPIRING = ['expire_at', 'days', 'auto_renew', 'renewal_minor', 'currency'] as const;
const UNPAID = ['expire_at', 'renewal_minor', 'currency'] as const;
const EXPIRED = ['expire_at', 'state', 'delete_at'] as const;
const CANCELLED = ['mode', 'state', 'effective_at', 'delete_at', 'refunded_minor', 'currency'] as const;
const SUSPENSION = ['reason', 'state', 'reasons'] as const;

/** Every type of event that an account's log can hold. */
export const EVENTS = events({
  'account.token_created': {
    when: 'An API token was made.',
    body: ['token_uuid', 'name', 'scopes', 'created_by'],
  },
  'account.token_revoked': { when: 'A token or a session was ended.', body: ['token_uuid', 'revoked_by'] },
  'account.password_changed': { when: "A person's password was changed or reset.", body: ['user_uuid'] },
  'account.email_changed': { when: "A person's e-mail address was changed.", body: ['user_uuid'] },
  'account.two_factor_changed': {
    when: 'A person switched two-factor authentication on or off.',
    body: ['user_uuid', 'enabled'],
  },
  'account.profile_changed': {
    when: 'A person changed their name, language or time zone.',
    body: ['user_uuid', 'changed'],
  },
  'account.suspended': {
    when: 'The account was suspended: it orders and renews nothing.',
    body: ['reason'],
  },
  'account.unsuspended': { when: 'The account may order and renew again.', body: [] },
  'account.closed': {
    when: 'The account was closed.',
    body: ['payout_minor', 'currency'],
  },
  'account.credit_limit_changed': {
    when: 'How far the balance may go below zero was changed.',
    body: ['credit_limit_minor', 'previous_minor', 'currency'],
  },
  'account.user_invited': {
    when: 'Somebody was invited to the account.',
    body: ['invitation_uuid', 'role', 'invited_by'],
  },
  'account.user_joined': { when: 'An invitation was accepted.', body: ['user_uuid', 'role'] },
  'account.user_changed': {
    when: 'The role of a person was changed, or they were switched off or on.',
    body: ['user_uuid', 'role', 'state', 'changed_by'],
  },
  'account.user_removed': { when: 'A person was removed.', body: ['user_uuid', 'removed_by'] },
  'account.accessed_by_operator': {
    when: "An operator began a session in the owner's place.",
    body: ['token_uuid', 'operator', 'reason', 'expires_at'],
  },
  'account.webhook_disabled': {
    when: 'A webhook was switched off, because nothing that was sent to it was accepted for seven days.',
    body: ['webhook_uuid', 'failing_since'],
  },
  'account.transaction_booked': {
    when: 'Money was booked: a top-up, a charge, a refund, a correction.',
    body: ['transaction_uuid', 'type', 'amount_minor', 'currency', 'order_id'],
  },
  'account.voucher_redeemed': {
    when: 'A voucher was turned into balance, or into a discount code.',
    body: ['voucher_uuid', 'type', 'transaction_uuid', 'discount_code'],
  },
  'account.tax_changed': {
    when: 'The customer is taxed in another way from now on: another country, or a VAT number that is confirmed or no more.',
    body: ['kind', 'rate', 'country', 'previous'],
  },
  'account.topup_succeeded': {
    when: 'Money that was paid in came.',
    body: ['payment_uuid', 'method', 'amount_minor', 'currency', 'automatic'],
  },
  'account.balance_low': {
    when: 'The balance fell below the threshold that the customer set.',
    body: ['balance_minor', 'threshold_minor', 'currency'],
  },
  'order.paid': {
    when: 'An order was charged, at once or when it was delivered.',
    body: ['order_id', 'gross_minor', 'currency'],
  },
  'order.refunded': {
    when: 'Money of an order was paid back to the balance.',
    body: ['order_id', 'refund_uuid', 'transaction_uuid', 'gross_minor', 'currency', 'basis'],
  },
  'order.failed': {
    when: 'An order could not be delivered; nothing was charged.',
    body: ['order_id', 'gross_minor', 'currency'],
  },
  'invoice.issued': {
    when: 'An invoice or a credit note was issued.',
    body: ['invoice_uuid', 'number', 'kind', 'gross_minor', 'currency'],
  },
  'license.issued': { when: 'A license was ordered and is in force.', body: ['package_uuid', 'expire_at'] },
  'license.bound': { when: 'An address was bound to a license.', body: ['ip_address'] },
  'license.unbound': { when: 'An address of a license was released.', body: ['ip_address'] },
  'server.provisioned': {
    when: 'A server that was ordered is there.',
    body: ['order_id', 'hostname', 'power_state'],
  },
  'server.power_changed': {
    when: 'A server was started, stopped or restarted by its customer, or switched off by the system in it (`shutdown`); `forced`: its power was cut for that.',
    body: ['action', 'power_state', 'forced'],
  },
  'server.reinstalled': {
    when: 'A server was installed anew.',
    body: ['os', 'hostname', 'generation'],
  },
  'server.password_changed': {
    when: 'The password of a server was changed; with `requires_reboot` it holds from its next start.',
    body: ['username', 'method', 'requires_reboot'],
  },
  'server.firewall_changed': {
    when: 'The firewall of a server was changed; `rules` is how many it has.',
    body: ['rules', 'policy_in', 'policy_out'],
  },
  'server.iso_changed': {
    when: 'A medium was put into the drive of a server, or taken out (null); with `requires_reboot` it is seen from the next start.',
    body: ['iso', 'boot', 'requires_reboot'],
  },
  'server.rescue_started': {
    when: 'A server was started from the rescue system.',
    body: ['username'],
  },
  'server.rescue_ended': { when: 'A server was started from its own disk again.', body: [] },
  'server.rdns_changed': {
    when: 'An address of a server was given another reverse name, or the default.',
    body: ['ip_address', 'rdns'],
  },
  'webspace.provisioned': {
    when: 'A webspace that was ordered is there.',
    body: ['order_id', 'username', 'hostname'],
  },
  'webspace.quota_warning': {
    when: 'The disk of a webspace is nine tenths full. In MiB.',
    body: ['disk_used', 'disk_total'],
  },
  'webspace.traffic_warning': {
    when: 'Nine tenths of the traffic of a webspace in this month are used. In GiB. Used up, it is suspended until the next month.',
    body: ['traffic_used', 'traffic_total'],
  },
  'license.suspended': { when: 'A reason to keep the license off was added.', body: SUSPENSION },
  'license.unsuspended': { when: 'A reason to keep the license off was lifted.', body: SUSPENSION },
  'server.suspended': { when: 'A reason to keep the server off was added.', body: SUSPENSION },
  'server.unsuspended': { when: 'A reason to keep the server off was lifted.', body: SUSPENSION },
  'webspace.suspended': { when: 'A reason to keep the webspace off was added.', body: SUSPENSION },
  'webspace.unsuspended': { when: 'A reason to keep the webspace off was lifted.', body: SUSPENSION },
  'domain.suspended': { when: 'A reason to keep the domain off was added.', body: SUSPENSION },
  'domain.unsuspended': { when: 'A reason to keep the domain off was lifted.', body: SUSPENSION },
  'license.expiring': { when: 'The end of the term of a license comes near.', body: EXPIRING },
  'license.renewed': {
    when: 'The term of the license was extended.',
    body: ['previous_expire_at', 'expire_at'],
  },
  'license.unpaid': { when: 'The license could not be renewed: the money does not reach.', body: UNPAID },
  'license.not_renewable': {
    when: 'The license could not be renewed: a further term of its length is not sold any more.',
    body: ['expire_at'],
  },
  'license.expired': { when: 'The term of a license ended, and it was switched off.', body: EXPIRED },
  'license.deleted': { when: 'The license was deleted for good.', body: [] },
  'server.expiring': { when: 'The end of the term of a server comes near.', body: EXPIRING },
  'server.renewed': {
    when: 'The term of the server was extended.',
    body: ['previous_expire_at', 'expire_at'],
  },
  'server.unpaid': { when: 'The server could not be renewed: the money does not reach.', body: UNPAID },
  'server.not_renewable': {
    when: 'The server could not be renewed: a further term of its length is not sold any more.',
    body: ['expire_at'],
  },
  'server.expired': { when: 'The term of a server ended, and it was switched off.', body: EXPIRED },
  'server.traffic_exceeded': {
    when: 'A server used more traffic than its billing period includes. In bytes; `throttled_to` in Mbit/s, null if it is not.',
    body: ['used', 'included', 'period_end', 'throttled_to'],
  },
  'server.unthrottled': {
    when: 'Another billing period began, and the server has its whole uplink again, in Mbit/s.',
    body: ['uplink'],
  },
  'server.deleted': { when: 'The server was deleted for good.', body: [] },
  'webspace.expiring': { when: 'The end of the term of a webspace comes near.', body: EXPIRING },
  'webspace.renewed': {
    when: 'The term of the webspace was extended.',
    body: ['previous_expire_at', 'expire_at'],
  },
  'webspace.unpaid': { when: 'The webspace could not be renewed: the money does not reach.', body: UNPAID },
  'webspace.not_renewable': {
    when: 'The webspace could not be renewed: a further term of its length is not sold any more.',
    body: ['expire_at'],
  },
  'webspace.expired': { when: 'The term of a webspace ended, and it was switched off.', body: EXPIRED },
  'webspace.deleted': { when: 'The webspace was deleted for good.', body: [] },
  'domain.registered': {
    when: 'A domain that was ordered is registered.',
    body: ['order_id', 'domain', 'expire_at'],
  },
  'domain.transfer_in_completed': {
    when: 'A domain that was ordered from another registrar, or another customer, is here.',
    body: ['order_id', 'domain', 'expire_at'],
  },
  'domain.transfer_out_requested': {
    when: 'Somebody asks for a domain; `silence` says what happens if nobody answers.',
    body: ['domain', 'transfer_uuid', 'answer_until', 'silence'],
  },
  'domain.contacts_changed': {
    when: 'The registry has other contacts of a domain, or another owner, as was asked for.',
    body: ['domain', 'task_uuid'],
  },
  'domain.nameservers_changed': {
    when: 'A domain is delegated to other name servers, as was asked for.',
    body: ['domain', 'task_uuid'],
  },
  'domain.whois_privacy_changed': {
    when: 'What the public sees of the owner of a domain changed, as was asked for.',
    body: ['domain', 'task_uuid'],
  },
  'domain.authcode_issued': {
    when: 'Somebody was given the authorisation code of a domain.',
    body: ['domain', 'expires_at'],
  },
  'domain.contact_verification_required': {
    when: 'The owner of a domain has to prove their e-mail address; after the deadline the domain is off.',
    body: ['domain', 'contact_uuid', 'deadline'],
  },
  'domain.contact_verified': {
    when: 'The e-mail address of a contact was proved.',
    body: ['contact_uuid'],
  },
  'domain.transfer_out_completed': {
    when: 'A domain went to another registrar, or to another customer.',
    body: ['domain'],
  },
  'domain.renewal_failed': {
    when: 'The registry did not renew a domain; nothing was charged.',
    body: ['expire_at', 'reason'],
  },
  'domain.price_changed': {
    when: 'The renewal of a premium domain became dearer than it was shown: it does not renew itself.',
    body: ['expire_at', 'renewal_minor', 'shown_minor', 'currency'],
  },
  'domain.redemption': {
    when: 'A domain was deleted at its registry, and can be restored for some time.',
    body: ['domain', 'restorable_until'],
  },
  'domain.restored': {
    when: 'A deleted domain was restored and renewed.',
    body: ['order_id', 'expire_at'],
  },
  'domain.dns_changed': {
    when: 'The name servers answer with a new version of the zone of a domain.',
    body: ['domain', 'version', 'serial'],
  },
  'domain.expiring': { when: 'The end of the term of a domain comes near.', body: EXPIRING },
  'domain.renewed': {
    when: 'The term of the domain was extended.',
    body: ['previous_expire_at', 'expire_at'],
  },
  'domain.unpaid': { when: 'The domain could not be renewed: the money does not reach.', body: UNPAID },
  'domain.not_renewable': {
    when: 'The domain could not be renewed: a further term of its length is not sold any more.',
    body: ['expire_at'],
  },
  'domain.expired': { when: 'The term of a domain ended, and it was switched off.', body: EXPIRED },
  'domain.deleted': { when: 'The domain was deleted for good.', body: [] },
  'license.cancelled': {
    when: 'A license was cancelled: at once, or to the end of its term.',
    body: CANCELLED,
  },
  'license.cancellation_revoked': {
    when: 'The cancellation of a license was taken back: it goes on.',
    body: ['expire_at'],
  },
  'server.cancelled': {
    when: 'A server was cancelled: at once, or to the end of its term.',
    body: CANCELLED,
  },
  'server.cancellation_revoked': {
    when: 'The cancellation of a server was taken back: it goes on.',
    body: ['expire_at'],
  },
  'webspace.cancelled': {
    when: 'A webspace was cancelled: at once, or to the end of its term.',
    body: CANCELLED,
  },
  'webspace.cancellation_revoked': {
    when: 'The cancellation of a webspace was taken back: it goes on.',
    body: ['expire_at'],
  },
  'domain.cancelled': {
    when: 'A domain was cancelled: at once, or to the end of its term.',
    body: CANCELLED,
  },
  'domain.cancellation_revoked': {
    when: 'The cancellation of a domain was taken back: it goes on.',
    body: ['expire_at'],
  },
  'ticket.created': {
    when: 'A ticket was opened.',
    body: ['number', 'subject', 'department', 'priority'],
  },
  'ticket.answered': {
    when: 'An operator answered a ticket.',
    body: ['number', 'message_uuid', 'state'],
  },
  'ticket.closed': {
    when: 'A ticket was closed: by its customer, by an operator, or by itself when no more was said.',
    body: ['number', 'by'],
  },
  'ticket.reopened': { when: 'A closed ticket was opened again.', body: ['number', 'by'] },
  'ticket.merged': {
    when: 'A ticket was closed, and everything in it moved into another.',
    body: ['number', 'into_uuid', 'into_number'],
  },
  'webhook.test': {
    when: 'A webhook was tried out; it is sent to that one alone.',
    body: ['webhook_uuid'],
  },
  'task.succeeded': {
    when: 'Work that was begun by a request is done.',
    body: ['task_uuid', 'type', 'error'],
  },
  'task.failed': {
    when: 'Work that was begun by a request came to nothing.',
    body: ['task_uuid', 'type', 'error'],
  },
  'task.cancelled': {
    when: 'Work that was begun by a request is not wanted any more.',
    body: ['task_uuid', 'type', 'error'],
  },
});

export type EventType = keyof typeof EVENTS;

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

/** The body of an event: the members that its type declares, and no others. */
type EventBody<T extends EventType> = (typeof EVENTS)[T]['body'] extends readonly []
  ? // An object type without members would take any.
    Readonly<Record<string, never>>
  : { readonly [Member in (typeof EVENTS)[T]['body'][number]]: EventMemberValue<Member> };

/** What happened, with the body that belongs to its type. */
export type EventOf<T extends EventType> = T extends EventType
  ? { readonly type: T; readonly body: EventBody<T> }
  : never;
