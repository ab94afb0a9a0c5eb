import type { Instant } from '../base/time.ts';

/** What the members of events are: one kind for each name, in every event that has it. `| null`: not always known. */
export const EVENT_MEMBERS = {
  action: 'text',
  amount_minor: 'integer',
  answer_until: 'time',
  auto_renew: 'boolean',
  automatic: 'boolean',
  balance_minor: 'integer',
  basis: 'text',
  boot: 'text',
  by: 'text',
  changed: 'texts',
  changed_by: 'uuid | null',
  contact_uuid: 'uuid',
  country: 'text',
  created_by: 'uuid | null',
  credit_limit_minor: 'integer',
  currency: 'text',
  days: 'integer',
  deadline: 'time',
  delete_at: 'time | null',
  department: 'text',
  discount_code: 'text | null',
  disk_total: 'integer',
  disk_used: 'integer',
  domain: 'text',
  effective_at: 'time',
  enabled: 'boolean',
  error: 'text | null',
  expire_at: 'time | null',
  expires_at: 'time',
  failing_since: 'time',
  forced: 'boolean',
  generation: 'integer',
  gross_minor: 'integer',
  hostname: 'text',
  included: 'integer',
  into_number: 'text',
  into_uuid: 'uuid',
  invitation_uuid: 'uuid',
  invited_by: 'uuid',
  invoice_uuid: 'uuid',
  ip_address: 'text',
  iso: 'text | null',
  kind: 'text',
  message_uuid: 'uuid',
  method: 'text',
  mode: 'text',
  name: 'text',
  number: 'text',
  operator: 'text',
  order_id: 'uuid | null',
  os: 'text',
  package_uuid: 'uuid',
  payment_uuid: 'uuid',
  payout_minor: 'integer',
  period_end: 'time',
  policy_in: 'text',
  policy_out: 'text',
  power_state: 'text',
  previous: 'object',
  previous_expire_at: 'time',
  previous_minor: 'integer',
  priority: 'text',
  rate: 'number',
  rdns: 'text | null',
  reason: 'text | null',
  reasons: 'texts',
  refund_uuid: 'uuid',
  refunded_minor: 'integer',
  removed_by: 'uuid',
  renewal_minor: 'integer | null',
  requires_reboot: 'boolean',
  restorable_until: 'time',
  revoked_by: 'uuid | null',
  role: 'text',
  rules: 'integer',
  scopes: 'texts',
  serial: 'integer',
  shown_minor: 'integer',
  silence: 'text',
  state: 'text',
  subject: 'text',
  task_uuid: 'uuid',
  threshold_minor: 'integer',
  throttled_to: 'integer | null',
  token_uuid: 'uuid',
  traffic_total: 'integer',
  traffic_used: 'integer',
  transaction_uuid: 'uuid | null',
  transfer_uuid: 'uuid',
  type: 'text',
  uplink: 'integer',
  used: 'integer',
  user_uuid: 'uuid',
  username: 'text',
  version: 'integer',
  voucher_uuid: 'uuid',
  webhook_uuid: 'uuid',
} as const satisfies Readonly<Record<string, EventMemberKind | `${EventMemberKind} | null`>>;

export type EventMemberKind =
  | 'boolean'
  | 'integer'
  | 'number'
  | 'object'
  | 'text'
  | 'texts'
  | 'time'
  | 'uuid';

export type EventMember = keyof typeof EVENT_MEMBERS;

interface KindTypes {
  readonly boolean: boolean;
  readonly integer: number;
  readonly number: number;
  readonly object: object;
  readonly text: string;
  readonly texts: readonly string[];
  readonly time: Instant;
  readonly uuid: string;
}

/** The type of a member in the program. */
export type EventMemberValue<M extends EventMember> =
  (typeof EVENT_MEMBERS)[M] extends `${infer Kind extends EventMemberKind} | null`
    ? KindTypes[Kind] | null
    : KindTypes[(typeof EVENT_MEMBERS)[M] & EventMemberKind];

/** What a member is, and whether it may be null. */
export function eventMember(name: EventMember): {
  readonly kind: EventMemberKind;
  readonly isNullable: boolean;
} {
  const [kind = '', nothing] = EVENT_MEMBERS[name].split(' | ');
  return { kind: kind as EventMemberKind, isNullable: nothing !== undefined };
}
