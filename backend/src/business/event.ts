interface EventText {
  /** When it happens. */
  readonly when: string;
  /** Members of its body. */
  readonly body: readonly string[];
}

const events = <const T extends Record<string, EventText>>(
  table: T,
): { readonly [Type in keyof T]: EventText } => table;

const SUSPENSION = ['reason', 'state', 'reasons'];

/** Every type of event that an account's log can hold. */
export const EVENTS = events({
  'account.token_created': {
    when: 'An API token was made.',
    body: ['token_uuid', 'name', 'scopes', 'created_by'],
  },
  'account.token_revoked': { when: 'A token or a session was ended.', body: ['token_uuid', 'revoked_by'] },
  'account.transaction_booked': {
    when: 'Money was booked: a top-up, a charge, a refund, a correction.',
    body: ['transaction_uuid', 'type', 'amount_minor', 'currency', 'order_id'],
  },
  'order.paid': {
    when: 'An order was charged, at once or when it was delivered.',
    body: ['order_id', 'gross_minor', 'currency'],
  },
  'order.failed': {
    when: 'An order could not be delivered; nothing was charged.',
    body: ['order_id', 'gross_minor', 'currency'],
  },
  'license.issued': { when: 'A license was ordered and is in force.', body: ['package_uuid', 'expire_at'] },
  'license.renewed': {
    when: 'The term of a license was extended.',
    body: ['previous_expire_at', 'expire_at'],
  },
  'license.bound': { when: 'An address was bound to a license.', body: ['ip_address'] },
  'license.unbound': { when: 'An address of a license was released.', body: ['ip_address'] },
  'server.provisioned': {
    when: 'A server that was ordered is there.',
    body: ['order_id', 'hostname', 'power_state'],
  },
  'license.suspended': { when: 'A reason to keep the license off was added.', body: SUSPENSION },
  'license.unsuspended': { when: 'A reason to keep the license off was lifted.', body: SUSPENSION },
  'server.suspended': { when: 'A reason to keep the server off was added.', body: SUSPENSION },
  'server.unsuspended': { when: 'A reason to keep the server off was lifted.', body: SUSPENSION },
  'webspace.suspended': { when: 'A reason to keep the webspace off was added.', body: SUSPENSION },
  'webspace.unsuspended': { when: 'A reason to keep the webspace off was lifted.', body: SUSPENSION },
  'domain.suspended': { when: 'A reason to keep the domain off was added.', body: SUSPENSION },
  'domain.unsuspended': { when: 'A reason to keep the domain off was lifted.', body: SUSPENSION },
  'task.succeeded': {
    when: 'Work that was begun by a request is done.',
    body: ['task_uuid', 'type', 'error'],
  },
  'task.failed': {
    when: 'Work that was begun by a request came to nothing.',
    body: ['task_uuid', 'type', 'error'],
  },
});

export type EventType = keyof typeof EVENTS;
