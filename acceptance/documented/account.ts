import {
  anything,
  array,
  boolean,
  currency,
  exactly,
  filledString,
  integer,
  matching,
  money,
  nullable,
  number,
  object,
  oneOf,
  string,
  timestamp,
  uuid,
} from '../shape.ts';
import { pagination, resource, task } from './payloads.ts';

/* Payloads of the account group: section 3 of the payload document, without those that payloads.ts has. */

const date = matching('a date YYYY-MM-DD', /^\d{4}-\d\d-\d\d$/);

/** The shared object of section 2. */
export const address = object({
  salutation: oneOf('mr', 'ms', 'mx', 'none'),
  first_name: filledString,
  last_name: filledString,
  company: nullable(filledString),
  vat_id: nullable(filledString),
  street: filledString,
  house_number: filledString,
  address_addition: nullable(filledString),
  zip: filledString,
  city: filledString,
  region: nullable(filledString),
  country: matching('an ISO 3166-1 code', /^[A-Z]{2}$/),
  phone: matching('an E.164 number', /^\+[1-9]\d{3,14}$/),
  email: nullable(filledString),
});

const vatValidation = object({
  state: oneOf('not_checked', 'valid', 'invalid', 'unavailable'),
  checked_at: nullable(timestamp),
  name: nullable(string),
});

export const savedAddress = object({
  address,
  vat_validation: vatValidation,
  tax: object({ rate: number, reverse_charge: boolean }),
  version: integer,
  updated_at: timestamp,
});

export const readAddress = object({
  address: nullable(address),
  complete: boolean,
  missing_fields: array(filledString),
  version: integer,
  updated_at: nullable(timestamp),
  // Beyond the document: what became of the VAT number.
  vat_validation: vatValidation,
});

export const redemption = object({
  voucher: object({
    type: oneOf('credit', 'discount'),
    value: money,
    description: string,
    product_types: nullable(array(filledString)),
  }),
  credited: money,
  balance: money,
  currency,
  transaction_uuid: nullable(uuid),
  redeemed_at: timestamp,
});

export const affiliateStats = object({
  enabled: boolean,
  code: filledString,
  link: filledString,
  commission: object({
    type: oneOf('percent', 'fixed'),
    value: number,
    recurring: boolean,
    hold_days: integer,
  }),
  totals: object({
    clicks: integer,
    signups: integer,
    orders: integer,
    conversion_rate: number,
    pending: money,
    confirmed: money,
    paid: money,
  }),
  currency,
  leads: array(
    object({
      uuid,
      date,
      product_type: filledString,
      order_total: money,
      commission: money,
      state: oneOf('pending', 'confirmed', 'paid', 'cancelled'),
    }),
  ),
  payouts: array(
    object({
      uuid,
      amount: money,
      method: oneOf('balance', 'bank'),
      state: oneOf('pending', 'paid'),
      created_at: timestamp,
    }),
  ),
  pagination,
});

export const dashboard = object({
  customer: object({
    uuid,
    customer_number: filledString,
    display_name: filledString,
    locale: filledString,
    since: date,
  }),
  balance: object({ balance: money, available: money, currency }),
  counts: object({
    domains: integer,
    servers: integer,
    webspaces: integer,
    licenses: integer,
    tickets_open: integer,
    tickets_waiting_for_you: integer,
    invoices_open: integer,
  }),
  expiring: array(
    object({
      resource,
      name: filledString,
      expire_at: timestamp,
      auto_renew: boolean,
      renewal_gross: money,
      covered: boolean,
    }),
  ),
  tasks: array(task),
  notices: array(
    object({
      uuid,
      severity: oneOf('info', 'warning', 'critical'),
      title: filledString,
      body: filledString,
      starts_at: timestamp,
      ends_at: nullable(timestamp),
      affected: array(resource),
    }),
  ),
  recent_events: array(
    object({ uuid, type: filledString, resource: nullable(resource), created_at: timestamp }),
  ),
});

/* Section 10, which names these operations and leaves most of their fields to the reference. */

export const payment = object({
  uuid,
  state: oneOf('pending', 'succeeded', 'failed', 'cancelled', 'refunded', 'charged_back'),
  method: filledString,
  amount: money,
  received: money,
  refunded: money,
  charged_back: money,
  currency,
  automatic: boolean,
  redirect_url: nullable(filledString),
  instructions: nullable(
    object({
      iban: filledString,
      bic: nullable(filledString),
      bank: nullable(filledString),
      beneficiary: filledString,
      reference: filledString,
      amount: money,
      currency,
      epc_qr: nullable(object({ text: filledString, svg: matching('an image', /^data:image\/svg\+xml/) })),
    }),
  ),
  failure: nullable(string),
  created_at: timestamp,
  expires_at: nullable(timestamp),
});

export const topup = object({ payment, task: nullable(task) });
export const oneTask = object({ task });

const invoiceRow = {
  uuid,
  number: filledString,
  kind: oneOf('invoice', 'credit_note'),
  issue_date: date,
  net: money,
  tax: money,
  gross: money,
  gross_minor: integer,
  currency,
  tax_kind: oneOf('standard', 'reverse_charge', 'export', 'small_business'),
  tax_rate: number,
  tax_country: matching('an ISO 3166-1 code', /^[A-Z]{2}$/),
  corrects: nullable(object({ uuid, number: filledString })),
  issued_at: timestamp,
};

const party = {
  name: filledString,
  street: array(string),
  zip: string,
  city: string,
  country: string,
  email: filledString,
  vat_id: string,
};

export const invoices = object({ invoices: array(object(invoiceRow)), pagination });

export const invoice = object({
  ...invoiceRow,
  lines: array(
    object({
      order_id: uuid,
      title: filledString,
      description: filledString,
      quantity: integer,
      unit_price: money,
      net: money,
      period_from: timestamp,
      period_to: timestamp,
    }),
  ),
  period_from: timestamp,
  period_to: timestamp,
  buyer: object({ ...party, customer_number: filledString, company: string, region: string }),
  seller: object({ ...party, tax_number: string, legal: array(string) }),
  note: string,
  locale: oneOf('en', 'de'),
  pdf_url: filledString,
  xml_url: filledString,
});

const hash = matching('a SHA-256', /^[0-9a-f]{64}$/);
const signed = { key_id: filledString, signature: filledString };
const head = object({ seq: integer, hash, signed_at: timestamp, ...signed });

const entry = object({
  seq: integer,
  uuid,
  type: filledString,
  currency,
  amount: money,
  amount_minor: integer,
  tax_minor: integer,
  balance_after: money,
  balance_after_minor: integer,
  description: string,
  reference: nullable(resource),
  order_id: nullable(uuid),
  postings: array(object({ account: filledString, amount: money, amount_minor: integer })),
  created_at: timestamp,
  prev_hash: hash,
  hash,
});

export const ledger = object({ currency, entries: array(entry), head, next_seq: nullable(integer) });
export const ledgerFile = object({ currency, file: filledString, head, next_seq: nullable(integer) });

export const ledgerProof = object({
  entry,
  lines: array(filledString),
  next_seq: nullable(integer),
  head: nullable(head),
  root: nullable(
    object({
      day: date,
      accounts: integer,
      root: hash,
      seq: integer,
      path: array(object({ side: oneOf('left', 'right'), hash })),
      ...signed,
    }),
  ),
});

/** Section 11. */
export const events = object({
  events: array(
    object({
      uuid,
      type: filledString,
      sequence: integer,
      account_uuid: uuid,
      resource: nullable(resource),
      data: anything,
      created_at: timestamp,
      api_version: exactly('2'),
    }),
  ),
  next_cursor: filledString,
  more: boolean,
});

export const exports = object({
  exports: array(
    object({
      uuid,
      task_uuid: uuid,
      state: oneOf('queued', 'running', 'succeeded', 'failed', 'cancelled'),
      size: nullable(integer),
      sha256: nullable(hash),
      download_url: nullable(filledString),
      created_at: timestamp,
      expires_at: timestamp,
    }),
  ),
});

const cancellation = object({
  uuid,
  state: filledString,
  mode: oneOf('end_of_term', 'immediate', 'withdraw', 'revoke'),
  cancel_at: nullable(timestamp),
  revocable_until: nullable(timestamp),
  data_deleted_at: nullable(timestamp),
  refund: object({
    amount: money,
    currency,
    basis: oneOf('none', 'pro_rata', 'statutory_withdrawal'),
    transaction_uuid: nullable(uuid),
    parts: array(object({ order_id: uuid, amount: money, transaction_uuid: nullable(uuid) })),
  }),
});

export const cancelled = cancellation;
export const cancelPreview = object({ preview: cancellation });

const webhook = {
  uuid,
  url: filledString,
  events: array(filledString),
  description: string,
  active: boolean,
  state: oneOf('active', 'failing', 'inactive', 'disabled'),
  failing_since: nullable(timestamp),
  last_success_at: nullable(timestamp),
  disabled_at: nullable(timestamp),
  created_at: timestamp,
};

export const createdWebhook = object({ ...webhook, secret: matching('a secret', /^whsec_/) });
export const webhooks = object({ webhooks: array(object(webhook)) });

const person = {
  uuid,
  email: filledString,
  email_verified: boolean,
  first_name: filledString,
  last_name: filledString,
  role: oneOf('owner', 'admin', 'billing', 'technical', 'readonly'),
  state: oneOf('active', 'disabled'),
  two_factor: boolean,
  created_at: timestamp,
};

export const invitation = object({
  uuid,
  email: filledString,
  role: oneOf('admin', 'billing', 'technical', 'readonly'),
  created_at: timestamp,
  expires_at: timestamp,
});
export const users = object({
  users: array(object({ ...person, you: boolean })),
  invitations: array(invitation),
});

export const twoFactorSetup = object({
  secret: matching('Base32', /^[A-Z2-7]{32,}$/),
  otpauth_url: matching('a key URI', /^otpauth:\/\/totp\//),
});
export const recoveryCodes = object({ recovery_codes: array(filledString) });
