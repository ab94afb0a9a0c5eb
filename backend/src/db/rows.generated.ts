// Made by `npm run generate` from the migrations. Do not edit.
import type { ColumnType, Generated } from 'kysely';
import type { Json } from '../base/canonical.ts';

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

export interface CatalogVersionsRow {
  version: number;
  document: ColumnType<Json, string>;
  note: string;
  created_at: Temporal.Instant;
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
}

export interface VouchersRow {
  code_hash: Buffer;
  amount: bigint;
  currency: string;
  description: string;
  expires_at: Temporal.Instant | null;
  redeemed_by: string | null;
  redeemed_at: Temporal.Instant | null;
  entry_id: string | null;
  created_at: Temporal.Instant;
}

export interface WorkerHeartbeatsRow {
  worker_id: string;
  host: string;
  pid: number;
  seen_at: Temporal.Instant;
}

export interface Rows {
  accounts: AccountsRow;
  addresses: AddressesRow;
  attempts: AttemptsRow;
  audit: AuditRow;
  catalog_versions: CatalogVersionsRow;
  discount_codes: DiscountCodesRow;
  discount_uses: DiscountUsesRow;
  discrepancies: DiscrepanciesRow;
  events: EventsRow;
  holds: HoldsRow;
  idempotency_keys: IdempotencyKeysRow;
  ledger_entries: LedgerEntriesRow;
  ledger_postings: LedgerPostingsRow;
  ledger_roots: LedgerRootsRow;
  license_bindings: LicenseBindingsRow;
  licenses: LicensesRow;
  nodes: NodesRow;
  orders: OrdersRow;
  quotes: QuotesRow;
  rate_windows: RateWindowsRow;
  servers: ServersRow;
  services: ServicesRow;
  settings: SettingsRow;
  signing_keys: SigningKeysRow;
  suspensions: SuspensionsRow;
  tasks: TasksRow;
  tokens: TokensRow;
  users: UsersRow;
  vouchers: VouchersRow;
  worker_heartbeats: WorkerHeartbeatsRow;
}
