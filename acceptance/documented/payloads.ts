import {
  anything,
  array,
  boolean,
  currency,
  exactly,
  filledString,
  integer,
  money,
  nullable,
  number,
  object,
  oneOf,
  string,
  timestamp,
  uuid,
} from '../shape.ts';
import { bindings, charged, pricings } from './interface.ts';

/* Payloads of the payload document, sections 2, 3, 7 and 10, for the operations the suite calls. */

export const serviceState = oneOf(
  'pending',
  'provisioning',
  'active',
  'suspended',
  'cancel_scheduled',
  'expired',
  'cancelled',
  'deleted',
  'error',
);
const durationUnit = oneOf('hour', 'month', 'year');
export const pagination = object({ page: integer, per_page: integer, total: integer, total_pages: integer });
export const resource = object({ type: filledString, uuid });

export const task = object({
  uuid,
  type: filledString,
  state: oneOf('queued', 'running', 'succeeded', 'failed', 'cancelled'),
  progress: integer,
  step: nullable(string),
  resource,
  error: nullable(object({ error: filledString, message: filledString })),
  created_at: timestamp,
  started_at: nullable(timestamp),
  finished_at: nullable(timestamp),
});

export const licensePackages = object({
  packages: array(
    object({
      id: integer,
      uuid,
      name: filledString,
      description: string,
      ip_limit: integer,
      info: object({ features: array(anything) }),
      pricings,
      durations: array(object({ duration: integer, duration_unit: durationUnit, gross: money })),
      trial_days: integer,
      in_stock: boolean,
    }),
  ),
  currency,
  tax_included: boolean,
  tax: object({
    kind: oneOf('standard', 'reverse_charge', 'export', 'small_business'),
    rate: number,
    included: boolean,
    home_rate: number,
  }),
  pagination,
});

export const licenseList = object({
  licenses: array(
    object({
      uuid,
      id: integer,
      license_key: filledString,
      state: serviceState,
      state_text: filledString,
      custom_name: nullable(string),
      package: object({ id: integer, uuid, name: filledString, ip_limit: integer }),
      ip_bindings_count: integer,
      expire_at: timestamp,
      created_at: timestamp,
      auto_renew: boolean,
      pricings,
      currency,
      last_validated_at: nullable(timestamp),
    }),
  ),
  pagination,
});

export const licenseRenewal = object({
  order_id: uuid,
  license_uuid: uuid,
  license_key: filledString,
  package: object({ uuid, name: filledString }),
  duration: integer,
  duration_unit: durationUnit,
  previous_expire_at: timestamp,
  expire_at: timestamp,
  pricings,
  charged,
  transaction_uuid: uuid,
  balance: money,
  state: exactly('ACTIVE'),
});

export const licenseBindings = object({ ip_bindings: bindings, ip_bindings_count: integer });

/** `key_id` names the key of the signature in `panel/public-key`. */
export const licenseValidation = object(
  {
    valid: boolean,
    reason: oneOf('active', 'not_found', 'expired', 'suspended', 'ip_not_bound', 'ip_limit_reached'),
    expire_at: nullable(timestamp),
    features: array(anything),
    signed: filledString,
    lease_until: nullable(timestamp),
  },
  { key_id: filledString },
);

export const balance = object({
  balance: money,
  reserved: money,
  available: money,
  balance_minor: integer,
  currency,
  credit_limit: money,
  low_balance_threshold: nullable(money),
  forecast: object({
    next_30_days: money,
    covered_until: nullable(timestamp),
    first_uncovered: nullable(resource),
  }),
  updated_at: timestamp,
});

export const transactions = object({
  transactions: array(
    object({
      uuid,
      id: integer,
      type: oneOf(
        'topup',
        'order',
        'renewal',
        'refund',
        'voucher',
        'affiliate',
        'adjustment',
        'chargeback',
        'fee',
      ),
      direction: oneOf('credit', 'debit'),
      amount: money,
      amount_minor: integer,
      tax: money,
      currency,
      balance_after: money,
      state: oneOf('pending', 'booked', 'reversed'),
      description: string,
      reference: nullable(resource),
      order_id: nullable(uuid),
      invoice_uuid: nullable(uuid),
      payment_method: nullable(string),
      created_at: timestamp,
      booked_at: nullable(timestamp),
    }),
  ),
  summary: object({ credit: money, debit: money, opening_balance: money, closing_balance: money }),
  pagination,
});

export const session = object({
  account: object({
    uuid,
    customer_number: filledString,
    email: filledString,
    email_verified: boolean,
    first_name: string,
    last_name: string,
    locale: filledString,
    timezone: filledString,
    currency,
    role: oneOf('owner', 'admin', 'billing', 'technical', 'readonly'),
    state: oneOf('active', 'suspended', 'closed'),
    created_at: timestamp,
  }),
  token: object({
    uuid,
    name: string,
    type: oneOf('session', 'api'),
    scopes: array(filledString),
    ip_allowlist: array(filledString),
    resource_allowlist: nullable(array(uuid)),
    spending_limit: object({ per_day: nullable(money), remaining_today: nullable(money) }),
    created_at: timestamp,
    expires_at: nullable(timestamp),
    last_used_at: nullable(timestamp),
  }),
  two_factor: object({ enabled: boolean, methods: array(oneOf('totp', 'webauthn')) }),
  impersonated_by: nullable(string),
  rate_limit: object({ limit: number, remaining: number, reset_at: timestamp }),
  server_time: timestamp,
  api_version: filledString,
  // Beyond the document: browsers with a session's cookie need it to write.
  csrf_token: nullable(filledString),
});
