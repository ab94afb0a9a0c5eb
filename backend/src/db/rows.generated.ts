// Made by `npm run generate` from the migrations. Do not edit.
import type { ColumnType, Generated } from 'kysely';
import type { Json } from '../base/canonical.ts';

export interface AccountClosingsRow {
  account_id: string;
  closed_at: Temporal.Instant;
  closed_by: string;
  reason: string;
  payout: bigint;
  currency: string;
  payout_entry: string | null;
  iban: string | null;
  account_holder: string | null;
  paid_at: Temporal.Instant | null;
  paid_by: string | null;
  paid_reference: string | null;
}

export interface AccountsRow {
  id: string;
  number: Generated<bigint>;
  state: string;
  currency: string;
  balance: Generated<bigint>;
  reserved: Generated<bigint>;
  credit_limit: Generated<bigint>;
  floor: Generated<bigint>;
  ledger_seq: Generated<bigint>;
  ledger_hash: Generated<Buffer>;
  ledger_at: Temporal.Instant | null;
  event_seq: Generated<bigint>;
  created_at: Temporal.Instant;
  tax_country: Generated<string>;
  tax_business: Generated<boolean>;
  address_version: Generated<number>;
  low_balance_threshold: bigint | null;
  auto_topup_amount: bigint | null;
  auto_topup_method: string | null;
  referred_by: string | null;
  suspended_reason: string | null;
  suspended_note: Generated<string>;
  suspended_at: Temporal.Instant | null;
}

export interface AddressHistoryRow {
  id: Generated<string>;
  address: string;
  server_id: string;
  account_id: string;
  created_at: Temporal.Instant;
  released_at: Temporal.Instant | null;
}

export interface AddressNameTasksRow {
  task_id: string;
  zone_id: string;
  version: number;
}

export interface AddressNamesRow {
  address: string;
  network: string;
  rdns: string;
}

export interface AddressesRow {
  address: string;
  family: number;
  host: string;
  gateway: string;
  state: string;
  server_id: string | null;
  rdns: string | null;
  released_at: Temporal.Instant | null;
  id: Generated<string>;
  null_route: string | null;
}

export interface AffiliateClicksRow {
  account_id: string;
  day: string;
  clicks: bigint;
}

export interface AffiliatePayoutsRow {
  id: string;
  account_id: string;
  amount: bigint;
  currency: string;
  method: string;
  state: string;
  entry_id: string | null;
  created_at: Temporal.Instant;
}

export interface AffiliatesRow {
  account_id: string;
  code: string;
  created_at: Temporal.Instant;
}

export interface AttemptsRow {
  bucket: string;
  window_start: Temporal.Instant;
  used: number;
}

export interface AuditRow {
  id: string;
  created_at: Temporal.Instant;
  account_id: string | null;
  user_id: string | null;
  token_id: string | null;
  operation: string;
  request_id: string;
  ip: string | null;
  subject: string | null;
  code: number;
  input: ColumnType<Json, string>;
}

export interface BankEntriesRow {
  id: string;
  bank_ref: string;
  iban: string;
  booked_on: string;
  amount: bigint;
  currency: string;
  debtor_name: string | null;
  debtor_iban: string | null;
  remittance: string;
  state: string;
  payment_id: string | null;
  account_id: string | null;
  entry_id: string | null;
  note: Generated<string>;
  imported_at: Temporal.Instant;
}

export interface BillingAddressVersionsRow {
  account_id: string;
  version: number;
  address: ColumnType<Json, string>;
  vat_state: string;
  created_at: Temporal.Instant;
}

export interface BillingAddressesRow {
  account_id: string;
  salutation: string;
  first_name: string;
  last_name: string;
  company: string | null;
  vat_id: string | null;
  street: string;
  house_number: string;
  address_addition: string | null;
  zip: string;
  city: string;
  region: string | null;
  country: string;
  phone: string;
  email: string | null;
  version: Generated<number>;
  updated_at: Temporal.Instant;
  vat_state: Generated<string>;
  vat_checked_at: Temporal.Instant | null;
  vat_name: string | null;
}

export interface CancellationsRow {
  id: string;
  service_id: string;
  account_id: string;
  mode: string;
  reason: string | null;
  comment: string | null;
  requested_by: string | null;
  requested_at: Temporal.Instant;
  effective_at: Temporal.Instant;
  revoked_at: Temporal.Instant | null;
}

export interface CannedRepliesRow {
  id: string;
  title: string;
  body: ColumnType<Json, string>;
  department: string | null;
  created_by: string | null;
  created_at: Temporal.Instant;
}

export interface CatalogVersionsRow {
  version: number;
  document: ColumnType<Json, string>;
  note: string;
  created_at: Temporal.Instant;
}

export interface CertificateOrdersRow {
  id: Generated<bigint>;
  hostname: string;
  registered_domain: string;
  ordered_at: Temporal.Instant;
}

export interface CommissionProgressRow {
  account_id: string;
  ledger_seq: bigint;
}

export interface CommissionsRow {
  id: string;
  affiliate_id: string;
  order_id: string;
  product: string;
  order_total: bigint;
  amount: bigint;
  currency: string;
  state: string;
  created_at: Temporal.Instant;
  due_at: Temporal.Instant;
  payout_id: string | null;
}

export interface CommitMarkersRow {
  slot: string;
  marker: string;
  settled: Generated<boolean>;
  written_at: Temporal.Instant;
}

export interface ConsoleSessionsRow {
  id: string;
  server_id: string;
  account_id: string;
  user_id: string;
  token_id: string;
  request_id: string;
  ip: string;
  began_at: Temporal.Instant;
  limit_at: Temporal.Instant;
  seen_at: Temporal.Instant;
  ended_at: Temporal.Instant | null;
  reason: string | null;
  bytes_from_machine: Generated<bigint>;
  bytes_to_machine: Generated<bigint>;
}

export interface ConsoleTicketsRow {
  hash: Buffer;
  server_id: string;
  account_id: string;
  user_id: string;
  token_id: string;
  request_id: string;
  ip: string | null;
  created_at: Temporal.Instant;
  expires_at: Temporal.Instant;
}

export interface ContactsRow {
  id: string;
  account_id: string;
  handle: string;
  type: string;
  salutation: string;
  first_name: string;
  last_name: string;
  company: string | null;
  vat_id: string | null;
  company_number: string | null;
  street: string;
  house_number: string;
  address_addition: string | null;
  zip: string;
  city: string;
  region: string | null;
  country: string;
  phone: string;
  fax: string | null;
  email: string;
  birth_date: string | null;
  birth_place: string | null;
  birth_country: string | null;
  id_number: string | null;
  language: string;
  extra: ColumnType<Json, string>;
  verification: Generated<string>;
  verification_deadline: Temporal.Instant | null;
  version: Generated<number>;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
}

export interface DiscountCodesRow {
  code: string;
  percent: number;
  products: string[] | null;
  max_uses: number | null;
  max_uses_per_account: number | null;
  uses: Generated<number>;
  valid_from: Temporal.Instant;
  valid_until: Temporal.Instant | null;
  created_at: Temporal.Instant;
  cycles: Generated<number>;
  items: string[] | null;
  account_id: string | null;
  note: Generated<string>;
  created_by: string | null;
}

export interface DiscountUsesRow {
  code: string;
  order_id: string;
  account_id: string;
  created_at: Temporal.Instant;
}

export interface DiscrepanciesRow {
  id: string;
  backend: string;
  kind: string;
  subject: string;
  detail: ColumnType<Json, string>;
  found_at: Temporal.Instant;
  last_seen_at: Temporal.Instant;
  resolved_at: Temporal.Instant | null;
}

export interface DomainApprovalsRow {
  change_id: string;
  side: string;
  email: string;
  hash: Buffer;
  approved_at: Temporal.Instant | null;
}

export interface DomainChangesRow {
  id: string;
  domain_id: string;
  kind: string;
  state: string;
  order_id: string | null;
  undo: ColumnType<Json, string>;
  steps: ColumnType<Json, string>;
  locks: boolean;
  due_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
}

export interface DomainOrdersRow {
  order_id: string;
  domain_id: string;
  action: string;
  years: number;
  believed_expire_at: Temporal.Instant | null;
  premium_price: bigint | null;
  premium_renewal: bigint | null;
  discount_code: string | null;
  discount_percent: number | null;
  discount_left: number | null;
}

export interface DomainTransfersRow {
  id: string;
  domain_id: string;
  direction: string;
  from_domain_id: string | null;
  order_id: string | null;
  state: string;
  answer: string | null;
  requested_at: Temporal.Instant;
  act_at: Temporal.Instant;
  due_at: Temporal.Instant | null;
  closed_at: Temporal.Instant | null;
}

export interface DomainsRow {
  id: string;
  name: string;
  tld: string;
  registry: string;
  state: string;
  registered_at: Temporal.Instant | null;
  registry_expire_at: Temporal.Instant | null;
  statuses: ColumnType<Json, string>;
  seen_at: Temporal.Instant | null;
  transfer_lock: boolean;
  transfer_lock_until: Temporal.Instant | null;
  protection: Generated<boolean>;
  whois_privacy: boolean;
  whois_privacy_until: Temporal.Instant | null;
  owner_id: string | null;
  admin_id: string | null;
  tech_id: string | null;
  zone_id: string | null;
  nameservers: ColumnType<Json | null, string | null>;
  dns_hosted: boolean;
  dnssec: Generated<boolean>;
  ds: ColumnType<Json, string>;
  ds_remembered_until: Temporal.Instant | null;
  ns_remembered_until: Temporal.Instant | null;
  premium: Generated<boolean>;
  premium_renewal: bigint | null;
  premium_asked: bigint | null;
  premium_asked_at: Temporal.Instant | null;
  authcode_sealed: Buffer | null;
  authcode_expires_at: Temporal.Instant | null;
}

export interface EventsRow {
  account_id: string;
  sequence: bigint;
  id: string;
  type: string;
  resource_type: string | null;
  resource_id: string | null;
  body: ColumnType<Json, string>;
  created_at: Temporal.Instant;
}

export interface ExportPartsRow {
  content_id: string;
  number: number;
  export_id: string;
  content: Buffer;
}

export interface ExportsRow {
  id: string;
  account_id: string;
  task_id: string;
  content_id: string | null;
  size: bigint | null;
  sha256: Buffer | null;
  created_at: Temporal.Instant;
  expires_at: Temporal.Instant;
}

export interface FailingBackendsRow {
  name: string;
  reason: string;
  since: Temporal.Instant;
  probes: Generated<number>;
  probe_at: Temporal.Instant;
}

export interface FailingJobsRow {
  backend: string;
  name: string;
  payload: ColumnType<Json, string>;
}

export interface HoldsRow {
  order_id: string;
  account_id: string;
  amount: bigint;
  state: string;
  entry_id: string;
  created_at: Temporal.Instant;
  closed_at: Temporal.Instant | null;
}

export interface IdempotencyKeysRow {
  namespace: string;
  key: string;
  operation: string;
  request_hash: Buffer;
  code: number;
  answer_sealed: Buffer;
  created_at: Temporal.Instant;
}

export interface IncomingMailsRow {
  id: string;
  digest: Buffer;
  sender: string;
  recipient: string;
  size: number;
  authenticated_domain: string | null;
  content: Buffer | null;
  state: string;
  reason: string | null;
  from_address: Generated<string>;
  from_name: Generated<string>;
  subject: Generated<string>;
  excerpt: Generated<string>;
  ticket_id: string | null;
  user_id: string | null;
  message_id: string | null;
  received_at: Temporal.Instant;
  handled_at: Temporal.Instant | null;
  handled_by: string | null;
}

export interface InvoiceDocumentsRow {
  invoice_id: string;
  format: string;
  content: Buffer;
  sha256: Buffer;
  created_at: Temporal.Instant;
}

export interface InvoiceSeriesRow {
  series: string;
  year: number;
  last: bigint;
  issue_date: string;
  issued_at: Temporal.Instant;
}

export interface InvoicesRow {
  id: string;
  account_id: string;
  kind: string;
  series: string;
  year: number;
  sequence: bigint;
  number: string;
  currency: string;
  lines: ColumnType<Json, string>;
  net: bigint;
  tax_kind: string;
  tax_rate: number;
  tax_country: string;
  tax: bigint;
  gross: bigint;
  buyer: ColumnType<Json, string>;
  seller: ColumnType<Json, string>;
  locale: string;
  corrects: string | null;
  issue_date: string;
  issued_at: Temporal.Instant;
}

export interface JobFaultsRow {
  name: string;
  key: string;
  times: number;
  last_at: Temporal.Instant;
  error: string;
}

export interface LedgerEntriesRow {
  account_id: string;
  seq: bigint;
  id: string;
  kind: string;
  currency: string;
  amount: bigint;
  tax: bigint;
  balance_after: bigint;
  description: string;
  order_id: string | null;
  resource_type: string | null;
  resource_id: string | null;
  created_at: Temporal.Instant;
  prev_hash: Buffer;
  hash: Buffer;
}

export interface LedgerHeadsRow {
  account_id: string;
  day: string;
  seq: bigint;
}

export interface LedgerMarksRow {
  account_id: string;
  kind: string;
  seq: bigint;
  entries: bigint;
  credit: bigint;
  debit: bigint;
}

export interface LedgerPostingsRow {
  entry_id: string;
  position: number;
  ledger_account: string;
  currency: string;
  amount: bigint;
}

export interface LedgerRootsRow {
  day: string;
  accounts: bigint;
  root: Buffer;
  key_id: string;
  signature: Buffer;
  created_at: Temporal.Instant;
  subtrees: Buffer | null;
  subtree_starts: string[] | null;
}

export interface LicenseBindingsRow {
  id: Generated<bigint>;
  license_id: string;
  ip_address: string;
  description: string;
  created_at: Temporal.Instant;
}

export interface LicensesRow {
  id: string;
  key_hash: Buffer;
  key_sealed: Buffer;
  last_validated_at: Temporal.Instant | null;
}

export interface MailedLinksRow {
  id: string;
  purpose: string;
  hash: Buffer;
  user_id: string | null;
  account_id: string | null;
  email: string;
  role: string | null;
  created_at: Temporal.Instant;
  expires_at: Temporal.Instant;
  used_at: Temporal.Instant | null;
}

export interface MailsRow {
  id: string;
  cause: string;
  account_id: string | null;
  user_id: string | null;
  recipient: string | null;
  locale: string | null;
  template: string;
  variables: ColumnType<Json, string>;
  secrets_sealed: Buffer | null;
  state: string;
  attempts: Generated<number>;
  due_at: Temporal.Instant;
  failure: string | null;
  created_at: Temporal.Instant;
  sent_at: Temporal.Instant | null;
  thread: ColumnType<Json | null, string | null>;
}

export interface NodesRow {
  host: string;
  name: string;
  cores_total: number;
  cores_used: Generated<number>;
  memory_total: number;
  memory_used: Generated<number>;
  disk_total: number;
  disk_used: Generated<number>;
  active: Generated<boolean>;
  problem: string | null;
  probed_at: Temporal.Instant | null;
}

export interface NoticesRow {
  id: string;
  severity: string;
  title: ColumnType<Json, string>;
  body: ColumnType<Json, string>;
  starts_at: Temporal.Instant;
  ends_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
}

export interface OrdersRow {
  id: string;
  account_id: string;
  token_id: string | null;
  product: string;
  action: string;
  service_id: string;
  state: string;
  price_version: number;
  currency: string;
  lines: ColumnType<Json, string>;
  net: bigint;
  discount: bigint;
  tax_rate: number;
  tax: bigint;
  gross: bigint;
  discount_code: string | null;
  duration: number;
  duration_unit: string;
  period_from: Temporal.Instant;
  period_to: Temporal.Instant;
  terms_version: string | null;
  entry_id: string;
  failure: string | null;
  created_at: Temporal.Instant;
  closed_at: Temporal.Instant | null;
  description: Generated<string>;
  tax_kind: Generated<string>;
  tax_country: Generated<string>;
  address_version: Generated<number>;
  automatic: Generated<boolean>;
  consent_hash: Buffer | null;
  consent_ip: string | null;
  invoice_id: string | null;
  basket_id: string | null;
}

export interface PaymentEventsRow {
  provider: string;
  event_id: string;
  type: string;
  payment_id: string | null;
  created_at: Temporal.Instant;
}

export interface PaymentMethodsRow {
  id: string;
  account_id: string;
  provider: string;
  provider_ref: string;
  label: string;
  created_at: Temporal.Instant;
  removed_at: Temporal.Instant | null;
}

export interface PaymentsRow {
  id: string;
  account_id: string;
  method: string;
  amount: bigint;
  currency: string;
  state: string;
  reference: string | null;
  provider_ref: string | null;
  redirect_url: string | null;
  return_url: string | null;
  locale: Generated<string>;
  save_method: Generated<boolean>;
  automatic: Generated<boolean>;
  payment_method_id: string | null;
  failure: string | null;
  received: Generated<bigint>;
  refunded: Generated<bigint>;
  disputed: Generated<bigint>;
  dispute_won: Generated<bigint>;
  booked_received: Generated<bigint>;
  booked_refunded: Generated<bigint>;
  booked_disputed: Generated<bigint>;
  booked_dispute_won: Generated<bigint>;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
}

export interface QuotesRow {
  id: string;
  account_id: string;
  request_hash: Buffer;
  price_version: number;
  net: bigint;
  gross: bigint;
  created_at: Temporal.Instant;
  valid_until: Temporal.Instant;
}

export interface RateWindowsRow {
  bucket: string;
  window_start: Temporal.Instant;
  used: number;
}

export interface RecoveryCodesRow {
  user_id: string;
  hash: Buffer;
  used_at: Temporal.Instant | null;
}

export interface RefundsRow {
  id: string;
  account_id: string;
  order_id: string;
  basis: string;
  gross: bigint;
  tax: bigint;
  period_from: Temporal.Instant;
  reason: string;
  entry_id: string;
  created_by: string | null;
  created_at: Temporal.Instant;
  invoice_id: string | null;
}

export interface RegistryMessagesRow {
  registry: string;
  id: string;
  at: Temporal.Instant;
  text: string;
  domain: string | null;
  received_at: Temporal.Instant;
}

export interface SchedulesRow {
  name: string;
  last_minute: Temporal.Instant;
}

export interface ServerBackupSchedulesRow {
  server_id: string;
  hour: number;
  weekday: number | null;
  keep: number;
  due_at: Temporal.Instant;
}

export interface ServerBackupsRow {
  id: string;
  server_id: string;
  kind: string;
  name: string;
  state: string;
  size_bytes: bigint | null;
  created_at: Temporal.Instant;
  finished_at: Temporal.Instant | null;
  os: string | null;
  hostname: string | null;
  username: string | null;
}

export interface ServerChangesRow {
  server_id: string;
  task_id: string;
  wanted: ColumnType<Json, string>;
  secret_sealed: Buffer | null;
  due_at: Temporal.Instant | null;
  given_up_at: Temporal.Instant | null;
}

export interface ServerFirewallsRow {
  server_id: string;
  policy_in: string;
  policy_out: string;
  rules: ColumnType<Json, string>;
  version: number;
}

export interface ServerMetersRow {
  server_id: string;
  seen_at: Temporal.Instant;
  uptime: bigint;
  cpu: number | null;
  mem: bigint | null;
  disk: bigint | null;
  diskread: bigint | null;
  diskwrite: bigint | null;
  netin: bigint | null;
  netout: bigint | null;
}

export interface ServerMetricsRow {
  step: number;
  server_id: string;
  at: Temporal.Instant;
  cpu_n: number;
  mem_n: number;
  disk_n: number;
  diskread_n: number;
  diskwrite_n: number;
  netin_n: number;
  netout_n: number;
  cpu_avg: number | null;
  mem_avg: number | null;
  disk_avg: number | null;
  diskread_avg: number | null;
  diskwrite_avg: number | null;
  netin_avg: number | null;
  netout_avg: number | null;
  cpu_max: number | null;
  mem_max: number | null;
  disk_max: number | null;
  diskread_max: number | null;
  diskwrite_max: number | null;
  netin_max: number | null;
  netout_max: number | null;
}

export interface ServerRollUpsRow {
  step: number;
  rolled_up_to: Temporal.Instant | null;
}

export interface ServerSnapshotsRow {
  id: string;
  server_id: string;
  name: string;
  state: string;
  created_at: Temporal.Instant;
  taken_at: Temporal.Instant | null;
}

export interface ServerTrafficRow {
  server_id: string;
  period_from: Temporal.Instant;
  period_to: Temporal.Instant;
  bytes_in: Generated<bigint>;
  bytes_out: Generated<bigint>;
  included: bigint | null;
  exceeded_at: Temporal.Instant | null;
}

export interface ServersRow {
  id: string;
  host: string;
  node: string;
  hostname: string;
  os: string;
  username: string;
  password_sealed: Buffer | null;
  ssh_keys: Generated<string[]>;
  user_data_sealed: Buffer | null;
  cores: number;
  memory: number;
  disk: number;
  uplink: number;
  backup_slots: Generated<number>;
  generation: Generated<number>;
  wanted_power: Generated<string>;
  power_state: Generated<string>;
  removed_at: Temporal.Instant | null;
  generations: Generated<number>;
  reboots: Generated<number>;
  password_revision: Generated<number>;
  protect_delete: Generated<boolean>;
  protect_reinstall: Generated<boolean>;
  throttled_to: number | null;
  mail_open: Generated<boolean>;
  iso: string | null;
  iso_first: Generated<boolean>;
  rescue_since: Temporal.Instant | null;
  uplink_due: Generated<boolean>;
  reach_due: Generated<boolean>;
}

export interface ServiceNoticesRow {
  service_id: string;
  expire_at: Temporal.Instant;
  kind: string;
  created_at: Temporal.Instant;
}

export interface ServicesRow {
  id: string;
  number: Generated<bigint>;
  account_id: string;
  product: string;
  item: string;
  name: string;
  custom_name: string | null;
  state: string;
  auto_renew: boolean;
  duration: number;
  duration_unit: string;
  anchor_day: number;
  expire_at: Temporal.Instant;
  version: Generated<number>;
  created_at: Temporal.Instant;
  ended_at: Temporal.Instant | null;
  due_at: Generated<Temporal.Instant | null>;
  renew_priority: Generated<number>;
  announced_version: number | null;
  discount_code: string | null;
  discount_percent: number | null;
  discount_left: number | null;
  term_gross: bigint | null;
  delete_at: Temporal.Instant | null;
}

export interface SettingsRow {
  name: string;
  value: ColumnType<Json, string>;
  updated_at: Temporal.Instant;
}

export interface SigningKeysRow {
  id: string;
  public_key: Buffer;
  private_key_sealed: Buffer;
  created_at: Temporal.Instant;
  retired_at: Temporal.Instant | null;
}

export interface SshKeysRow {
  id: string;
  account_id: string;
  name: string;
  public_key: string;
  fingerprint: string;
  created_at: Temporal.Instant;
}

export interface SuspensionsRow {
  service_id: string;
  reason: string;
  note: Generated<string>;
  since: Temporal.Instant;
  resumes_as: Generated<string>;
}

export interface TasksRow {
  id: string;
  account_id: string;
  type: string;
  state: string;
  progress: Generated<number>;
  step: string | null;
  resource_type: string;
  resource_id: string;
  order_id: string | null;
  error: string | null;
  error_message: string | null;
  created_at: Temporal.Instant;
  started_at: Temporal.Instant | null;
  finished_at: Temporal.Instant | null;
  trouble: string | null;
}

export interface TicketAttachmentsRow {
  id: string;
  message_id: string;
  account_id: string;
  position: number;
  filename: string;
  content_type: string;
  size: number;
  sha256: Buffer;
  content: Buffer | null;
  created_at: Temporal.Instant;
}

export interface TicketCountsRow {
  account_id: string;
  state: string;
  tickets: bigint;
}

export interface TicketMessagesRow {
  ticket_id: string;
  seq: number;
  id: string;
  account_id: string;
  author_type: string;
  author_id: string | null;
  author_name: string;
  internal: boolean;
  body: string;
  subject: string | null;
  mail_id: string | null;
  created_at: Temporal.Instant;
  search: Generated<string>;
}

export interface TicketsRow {
  id: string;
  number: Generated<bigint>;
  account_id: string;
  requester_id: string | null;
  subject: string;
  department: string;
  priority: string;
  state: string;
  resource_type: string | null;
  resource_id: string | null;
  assigned_to: string | null;
  messages_seq: Generated<number>;
  messages_count: Generated<number>;
  customer_read_seq: Generated<number>;
  staff_read_seq: Generated<number>;
  customer_unread: Generated<number>;
  staff_unread: Generated<number>;
  last_message_at: Temporal.Instant;
  last_author_type: string;
  last_excerpt: string;
  waiting_since: Temporal.Instant | null;
  due_at: Temporal.Instant | null;
  first_response_due_at: Temporal.Instant | null;
  first_response_at: Temporal.Instant | null;
  rating: number | null;
  text_hash: Buffer;
  duplicate_of: string | null;
  merged_into: string | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  reopened_at: Temporal.Instant | null;
  closed_at: Temporal.Instant | null;
  reopenable_until: Temporal.Instant | null;
}

export interface TokensRow {
  id: string;
  account_id: string | null;
  user_id: string;
  kind: string;
  name: string;
  hash: Buffer;
  scopes: string[];
  ip_allowlist: Generated<string[]>;
  resource_allowlist: string[] | null;
  dry_run_only: Generated<boolean>;
  spending_limit: bigint | null;
  spent_on: string | null;
  spent: Generated<bigint>;
  created_at: Temporal.Instant;
  expires_at: Temporal.Instant | null;
  revoked_at: Temporal.Instant | null;
  last_used_at: Temporal.Instant | null;
  impersonated_by: string | null;
  may_order_new: Generated<boolean>;
}

export interface UsersRow {
  id: string;
  account_id: string | null;
  email: string;
  email_verified_at: Temporal.Instant | null;
  password_hash: string | null;
  first_name: string;
  last_name: string;
  locale: string;
  timezone: string;
  role: string;
  state: string;
  created_at: Temporal.Instant;
  totp_sealed: Buffer | null;
  totp_confirmed_at: Temporal.Instant | null;
  totp_step: bigint | null;
  removed_at: Temporal.Instant | null;
  staff_role: string | null;
}

export interface VatChecksRow {
  id: string;
  account_id: string;
  vat_id: string;
  state: string;
  name: string | null;
  address: string | null;
  reference: string | null;
  checked_at: Temporal.Instant;
}

export interface VouchersRow {
  code_hash: Buffer;
  amount: bigint | null;
  currency: string | null;
  description: string;
  expires_at: Temporal.Instant | null;
  redeemed_by: string | null;
  redeemed_at: Temporal.Instant | null;
  entry_id: string | null;
  created_at: Temporal.Instant;
  id: string;
  kind: Generated<string>;
  percent: number | null;
  products: string[] | null;
  discount_code: string | null;
  tail: Generated<string>;
  revoked_at: Temporal.Instant | null;
  created_by: string | null;
}

export interface WebHostsRow {
  name: string;
  webspaces_total: number;
  webspaces_used: Generated<number>;
  disk_total: bigint;
  disk_used: Generated<bigint>;
  active: Generated<boolean>;
  sftp_fingerprints: Generated<string[]>;
}

export interface WebhookDeliveriesRow {
  id: string;
  webhook_id: string;
  kind: string;
  event_id: string;
  event_type: string;
  sequence: bigint;
  event_at: Temporal.Instant;
  state: string;
  attempts: Generated<number>;
  log: ColumnType<Json, string>;
  created_at: Temporal.Instant;
  due_at: Temporal.Instant | null;
  finished_at: Temporal.Instant | null;
}

export interface WebhooksRow {
  id: string;
  account_id: string;
  url: string;
  description: string;
  events: string[];
  secret_sealed: Buffer | null;
  active: boolean;
  created_at: Temporal.Instant;
  removed_at: Temporal.Instant | null;
  disabled_at: Temporal.Instant | null;
  cursor: bigint;
  due_at: Temporal.Instant | null;
  quiet_until: Temporal.Instant | null;
  roused: Generated<boolean>;
  taken_until: Temporal.Instant | null;
  taken_at: Temporal.Instant | null;
  turns: Generated<bigint>;
  failing_since: Temporal.Instant | null;
  pauses: Generated<number>;
  holds_line: Generated<boolean>;
  last_success_at: Temporal.Instant | null;
}

export interface WebspaceBackupsRow {
  id: string;
  webspace_id: string;
  kind: string;
  state: string;
  task_id: string | null;
  size_bytes: Generated<bigint>;
  created_at: Temporal.Instant;
  finished_at: Temporal.Instant | null;
}

export interface WebspaceDatabasesRow {
  id: string;
  webspace_id: string;
  name: string;
  password_sealed: Buffer | null;
  created_at: Temporal.Instant;
  deleted_at: Temporal.Instant | null;
}

export interface WebspaceDomainsRow {
  id: string;
  webspace_id: string;
  hostname: string;
  document_root: string;
  proof: string | null;
  proven_at: Temporal.Instant | null;
  challenge: string;
  tls_state: Generated<string>;
  tls_expire_at: Temporal.Instant | null;
  tls_due_at: Temporal.Instant | null;
  tls_failures: Generated<number>;
  tls_problem: string | null;
  created_at: Temporal.Instant;
}

export interface WebspaceRestoresRow {
  task_id: string;
  webspace_id: string;
  backup_id: string;
  created_at: Temporal.Instant;
}

export interface WebspaceSftpKeysRow {
  id: string;
  webspace_id: string;
  name: string;
  public_key: string;
  fingerprint: string;
  created_at: Temporal.Instant;
}

export interface WebspaceUsageRow {
  webspace_id: string;
  day: string;
  disk: Generated<number>;
  database_bytes: Generated<bigint>;
  traffic_bytes: Generated<bigint>;
  requests: Generated<bigint>;
}

export interface WebspacesRow {
  id: string;
  host: string;
  uid: Generated<number>;
  username: string;
  php_version: string;
  disk: number;
  password_sealed: Buffer | null;
  disk_used: Generated<number>;
  inodes_used: bigint | null;
  sampled_at: Temporal.Instant | null;
  warned: Generated<boolean>;
  removed_at: Temporal.Instant | null;
  traffic_warned: string | null;
  traffic_stopped: string | null;
}

export interface WorkerHeartbeatsRow {
  worker_id: string;
  host: string;
  pid: number;
  seen_at: Temporal.Instant;
  started: Generated<string>;
}

export interface ZoneAliasesRow {
  zone_id: string;
  name: string;
  target: string;
  addresses: string[];
  due_at: Temporal.Instant;
}

export interface ZoneDraftsRow {
  domain_id: string;
  user_id: string | null;
  records: ColumnType<Json, string>;
}

export interface ZoneRecordsRow {
  id: string;
  zone_id: string;
  name: string;
  type: string;
  content: string;
  ttl: number;
  priority: number | null;
  weight: number | null;
  port: number | null;
  disabled: boolean;
  comment: string | null;
  managed_by: string;
}

export interface ZoneRevisionsRow {
  id: string;
  zone_id: string;
  version: number;
  user_id: string | null;
  comment: string | null;
  diff: ColumnType<Json, string>;
  dnssec: boolean | null;
  task_id: string | null;
  created_at: Temporal.Instant;
  octets: Generated<number>;
}

export interface ZoneUnpublishedRow {
  zone_id: string;
  name: string;
  type: string;
  version: number;
}

export interface ZonesRow {
  id: string;
  domain_id: string | null;
  name: string;
  version: Generated<number>;
  revision_id: string | null;
  default_ttl: Generated<number>;
  records: number;
  characters: number;
  aliases: Generated<number>;
  nameservers: string[];
  dnssec: Generated<string>;
  dnssec_wanted: Generated<boolean>;
  dnssec_due_at: Temporal.Instant | null;
  signed: Generated<boolean>;
  ds: ColumnType<Json, string>;
  serial: Generated<bigint>;
  published_version: Generated<number>;
  published_at: Temporal.Instant | null;
  visible_version: Generated<number>;
  nameservers_current: Generated<number>;
  checked_at: Temporal.Instant | null;
  check_at: Temporal.Instant | null;
  whole_version: Generated<number>;
  lease: string | null;
  leased_until: Temporal.Instant | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
  remove_at: Temporal.Instant | null;
  removed_at: Temporal.Instant | null;
  gone_at: Temporal.Instant | null;
  history_octets: Generated<bigint>;
}

export interface Rows {
  account_closings: AccountClosingsRow;
  accounts: AccountsRow;
  address_history: AddressHistoryRow;
  address_name_tasks: AddressNameTasksRow;
  address_names: AddressNamesRow;
  addresses: AddressesRow;
  affiliate_clicks: AffiliateClicksRow;
  affiliate_payouts: AffiliatePayoutsRow;
  affiliates: AffiliatesRow;
  attempts: AttemptsRow;
  audit: AuditRow;
  bank_entries: BankEntriesRow;
  billing_address_versions: BillingAddressVersionsRow;
  billing_addresses: BillingAddressesRow;
  cancellations: CancellationsRow;
  canned_replies: CannedRepliesRow;
  catalog_versions: CatalogVersionsRow;
  certificate_orders: CertificateOrdersRow;
  commission_progress: CommissionProgressRow;
  commissions: CommissionsRow;
  commit_markers: CommitMarkersRow;
  console_sessions: ConsoleSessionsRow;
  console_tickets: ConsoleTicketsRow;
  contacts: ContactsRow;
  discount_codes: DiscountCodesRow;
  discount_uses: DiscountUsesRow;
  discrepancies: DiscrepanciesRow;
  domain_approvals: DomainApprovalsRow;
  domain_changes: DomainChangesRow;
  domain_orders: DomainOrdersRow;
  domain_transfers: DomainTransfersRow;
  domains: DomainsRow;
  events: EventsRow;
  export_parts: ExportPartsRow;
  exports: ExportsRow;
  failing_backends: FailingBackendsRow;
  failing_jobs: FailingJobsRow;
  holds: HoldsRow;
  idempotency_keys: IdempotencyKeysRow;
  incoming_mails: IncomingMailsRow;
  invoice_documents: InvoiceDocumentsRow;
  invoice_series: InvoiceSeriesRow;
  invoices: InvoicesRow;
  job_faults: JobFaultsRow;
  ledger_entries: LedgerEntriesRow;
  ledger_heads: LedgerHeadsRow;
  ledger_marks: LedgerMarksRow;
  ledger_postings: LedgerPostingsRow;
  ledger_roots: LedgerRootsRow;
  license_bindings: LicenseBindingsRow;
  licenses: LicensesRow;
  mailed_links: MailedLinksRow;
  mails: MailsRow;
  nodes: NodesRow;
  notices: NoticesRow;
  orders: OrdersRow;
  payment_events: PaymentEventsRow;
  payment_methods: PaymentMethodsRow;
  payments: PaymentsRow;
  quotes: QuotesRow;
  rate_windows: RateWindowsRow;
  recovery_codes: RecoveryCodesRow;
  refunds: RefundsRow;
  registry_messages: RegistryMessagesRow;
  schedules: SchedulesRow;
  server_backup_schedules: ServerBackupSchedulesRow;
  server_backups: ServerBackupsRow;
  server_changes: ServerChangesRow;
  server_firewalls: ServerFirewallsRow;
  server_meters: ServerMetersRow;
  server_metrics: ServerMetricsRow;
  server_roll_ups: ServerRollUpsRow;
  server_snapshots: ServerSnapshotsRow;
  server_traffic: ServerTrafficRow;
  servers: ServersRow;
  service_notices: ServiceNoticesRow;
  services: ServicesRow;
  settings: SettingsRow;
  signing_keys: SigningKeysRow;
  ssh_keys: SshKeysRow;
  suspensions: SuspensionsRow;
  tasks: TasksRow;
  ticket_attachments: TicketAttachmentsRow;
  ticket_counts: TicketCountsRow;
  ticket_messages: TicketMessagesRow;
  tickets: TicketsRow;
  tokens: TokensRow;
  users: UsersRow;
  vat_checks: VatChecksRow;
  vouchers: VouchersRow;
  web_hosts: WebHostsRow;
  webhook_deliveries: WebhookDeliveriesRow;
  webhooks: WebhooksRow;
  webspace_backups: WebspaceBackupsRow;
  webspace_databases: WebspaceDatabasesRow;
  webspace_domains: WebspaceDomainsRow;
  webspace_restores: WebspaceRestoresRow;
  webspace_sftp_keys: WebspaceSftpKeysRow;
  webspace_usage: WebspaceUsageRow;
  webspaces: WebspacesRow;
  worker_heartbeats: WorkerHeartbeatsRow;
  zone_aliases: ZoneAliasesRow;
  zone_drafts: ZoneDraftsRow;
  zone_records: ZoneRecordsRow;
  zone_revisions: ZoneRevisionsRow;
  zone_unpublished: ZoneUnpublishedRow;
  zones: ZonesRow;
}
