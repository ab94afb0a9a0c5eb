-- Accounts and money: tax, the life of a service, invoices, payments, mail, people and their second factor.
--
-- The conventions of 0001 hold. Columns are added with defaults, so that the version before runs on.

-- Customers ----------------------------------------------------------------------------------------------

ALTER TABLE accounts
  -- Where the customer is taxed; empty until an address was given: then like a consumer at the seller's home.
  ADD COLUMN tax_country text NOT NULL DEFAULT '' CHECK (tax_country = '' OR tax_country ~ '^[A-Z]{2}$'),
  -- A business whose VAT number was confirmed.
  ADD COLUMN tax_business boolean NOT NULL DEFAULT false,
  -- The version of the address that counts; 0 while there is none.
  ADD COLUMN address_version integer NOT NULL DEFAULT 0 CHECK (address_version >= 0),
  ADD COLUMN low_balance_threshold bigint CHECK (low_balance_threshold >= 0),
  ADD COLUMN auto_topup_amount bigint CHECK (auto_topup_amount > 0),
  ADD COLUMN auto_topup_method uuid,
  -- The account of the affiliate who brought this customer.
  ADD COLUMN referred_by uuid CHECK (referred_by <> id);
CREATE INDEX accounts_referred ON accounts (referred_by) WHERE referred_by IS NOT NULL;
CREATE INDEX accounts_auto_topup ON accounts (id) WHERE auto_topup_method IS NOT NULL;

CREATE TABLE billing_addresses (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  salutation text NOT NULL CHECK (salutation IN ('mr', 'ms', 'mx', 'none')),
  first_name text NOT NULL,
  last_name text NOT NULL,
  company text,
  vat_id text,
  street text NOT NULL,
  house_number text NOT NULL,
  address_addition text,
  zip text NOT NULL,
  city text NOT NULL,
  region text,
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  phone text NOT NULL,
  email text,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL,
  vat_state text NOT NULL DEFAULT 'not_checked'
    CHECK (vat_state IN ('not_checked', 'valid', 'invalid', 'unavailable')),
  vat_checked_at timestamptz,
  vat_name text
);
-- Every address that there was, and what was known of its VAT number: who ordered what stays known.
CREATE TABLE billing_address_versions (
  account_id uuid NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  address jsonb NOT NULL,
  vat_state text NOT NULL CHECK (vat_state IN ('not_checked', 'valid', 'invalid', 'unavailable')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, version)
);
-- Numbers that are asked for again.
CREATE INDEX billing_addresses_recheck ON billing_addresses (vat_checked_at, account_id)
  WHERE vat_state IN ('valid', 'unavailable');
-- What was asked of the tax authorities and what they answered: the evidence for an invoice without tax.
CREATE TABLE vat_checks (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  vat_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('valid', 'invalid', 'unavailable')),
  name text,
  address text,
  -- The authority's number of this consultation.
  reference text,
  checked_at timestamptz NOT NULL
);
CREATE INDEX vat_checks_account ON vat_checks (account_id, checked_at);

-- People -------------------------------------------------------------------------------------------------

ALTER TABLE users
  ADD COLUMN totp_sealed bytea,
  ADD COLUMN totp_confirmed_at timestamptz,
  -- The last time step that was used: a code is good once.
  ADD COLUMN totp_step bigint,
  -- Removed for good. The row stays, since tokens, events and the audit name it; its address is free again.
  ADD COLUMN removed_at timestamptz,
  ADD CONSTRAINT users_removed_is_off CHECK (removed_at IS NULL OR state = 'disabled');

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  used_at timestamptz,
  PRIMARY KEY (user_id, hash)
);

-- Links that were mailed: good once, for a while.
CREATE TABLE mailed_links (
  id uuid PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('email_verification', 'password_reset', 'invitation')),
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
  -- Whom it is for; of an invitation, who sent it.
  user_id uuid REFERENCES users,
  account_id uuid REFERENCES accounts,
  -- The address that it proves, or that is invited.
  email text NOT NULL,
  role text CHECK (role IN ('admin', 'billing', 'technical', 'readonly')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX mailed_links_user ON mailed_links (user_id, purpose);
CREATE INDEX mailed_links_account ON mailed_links (account_id, created_at) WHERE purpose = 'invitation';

-- A session that an operator holds in a customer's place.
ALTER TABLE tokens ADD COLUMN impersonated_by uuid REFERENCES users;
CREATE INDEX tokens_user ON tokens (user_id) WHERE revoked_at IS NULL;

CREATE TABLE notices (
  id uuid PRIMARY KEY,
  severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
  -- {en, de}
  title jsonb NOT NULL,
  body jsonb NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz,
  created_at timestamptz NOT NULL
);

-- The ledger's signed roots --------------------------------------------------------------------------------

-- The hashes of the subtrees of 1,024 accounts each, and the first account of each: with the heads of one subtree
-- they prove any account's head. null: signed before these were kept.
ALTER TABLE ledger_roots
  ADD COLUMN subtrees bytea,
  ADD COLUMN subtree_starts uuid[];
-- The heads that a day's root covers, for the accounts whose head has moved since the root before.
CREATE TABLE ledger_heads (
  account_id uuid NOT NULL,
  day date NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  PRIMARY KEY (account_id, day)
);

-- Lists by kind: what is rare among a customer's lines is found by this. Orders and renewals are most of them, and
-- do not pay for it.
CREATE INDEX ledger_entries_rare ON ledger_entries (account_id, kind, seq) WHERE kind NOT IN ('order', 'renewal');

-- Orders and the life of services --------------------------------------------------------------------------

ALTER TABLE orders
  ADD COLUMN description text NOT NULL DEFAULT '',
  ADD COLUMN tax_kind text NOT NULL DEFAULT 'standard'
    CHECK (tax_kind IN ('standard', 'reverse_charge', 'export', 'small_business')),
  ADD COLUMN tax_country text NOT NULL DEFAULT '',
  -- The version of the customer's address that it was taxed by; 0: there was none.
  ADD COLUMN address_version integer NOT NULL DEFAULT 0,
  -- Renewed by itself: invoiced together with the others of its day.
  ADD COLUMN automatic boolean NOT NULL DEFAULT false,
  -- SHA-256 of the texts that were accepted, and from where.
  ADD COLUMN consent_hash bytea CHECK (length(consent_hash) = 32),
  ADD COLUMN consent_ip inet,
  ADD COLUMN invoice_id uuid;
UPDATE orders SET description = coalesce(lines -> 0 ->> 'description', '') WHERE state = 'pending';
-- A completed order without an invoice is an invoice's draft: by account, because an account's automatic renewals of
-- a day are one invoice, and those of the running day wait.
CREATE INDEX orders_uninvoiced ON orders (automatic, account_id, closed_at)
  WHERE state = 'completed' AND invoice_id IS NULL AND gross > 0;
CREATE INDEX orders_invoice ON orders (invoice_id) WHERE invoice_id IS NOT NULL;

ALTER TABLE services
  -- When the service's life goes on by itself: a notice, a renewal, the end. null: nothing will.
  -- What the version before sells, also beside this one, is looked at at once: it does not know the column.
  ADD COLUMN due_at timestamptz DEFAULT '2000-01-01 00:00:00Z',
  -- The smaller is renewed first when the money does not reach for all.
  ADD COLUMN renew_priority integer NOT NULL DEFAULT 1000 CHECK (renew_priority BETWEEN 1 AND 100000),
  -- The catalogue's version whose price was announced for the next renewal.
  ADD COLUMN announced_version integer,
  -- A discount that renewals keep; `discount_left` counts the terms, null for all.
  ADD COLUMN discount_code text,
  ADD COLUMN discount_percent integer CHECK (discount_percent BETWEEN 1 AND 10000),
  ADD COLUMN discount_left integer CHECK (discount_left > 0),
  -- What the running term cost, tax included.
  ADD COLUMN term_gross bigint,
  -- When what is off is deleted for good.
  ADD COLUMN delete_at timestamptz;
CREATE INDEX services_due ON services (due_at, id) INCLUDE (account_id) WHERE due_at IS NOT NULL;
-- What it was for is due now, and each renewal would move it.
DROP INDEX services_expiring;

-- Each notice once: of this kind, about this end of a term.
CREATE TABLE service_notices (
  service_id uuid NOT NULL REFERENCES services,
  expire_at timestamptz NOT NULL,
  kind text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (service_id, expire_at, kind)
);

CREATE TABLE cancellations (
  id uuid PRIMARY KEY,
  service_id uuid NOT NULL REFERENCES services,
  account_id uuid NOT NULL,
  mode text NOT NULL CHECK (mode IN ('end_of_term', 'immediate', 'withdraw')),
  reason text,
  comment text,
  requested_by uuid,
  requested_at timestamptz NOT NULL,
  effective_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE UNIQUE INDEX cancellations_open ON cancellations (service_id) WHERE revoked_at IS NULL;

CREATE TABLE refunds (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  order_id uuid NOT NULL REFERENCES orders,
  basis text NOT NULL CHECK (basis IN ('pro_rata', 'statutory_withdrawal', 'goodwill', 'undelivered')),
  gross bigint NOT NULL CHECK (gross > 0),
  tax bigint NOT NULL CHECK (tax >= 0),
  -- From when on nothing of the term is delivered any more.
  period_from timestamptz NOT NULL,
  reason text NOT NULL,
  entry_id uuid NOT NULL UNIQUE,
  created_by uuid,
  created_at timestamptz NOT NULL,
  -- The credit note.
  invoice_id uuid
);
CREATE INDEX refunds_order ON refunds (order_id);
CREATE INDEX refunds_account ON refunds (account_id, created_at);
CREATE INDEX refunds_uninvoiced ON refunds (created_at, id) WHERE invoice_id IS NULL;

-- Servers ---------------------------------------------------------------------------------------------------

ALTER TABLE servers
  -- When the machine of a deleted server was gone and its place was given back; null: it still has both.
  ADD COLUMN removed_at timestamptz;
CREATE INDEX servers_unremoved ON servers (id) WHERE removed_at IS NULL;

-- Discounts, vouchers, affiliates ---------------------------------------------------------------------------

ALTER TABLE discount_codes
  -- For how many terms of a service it holds, the first included; 0: for all.
  ADD COLUMN cycles integer NOT NULL DEFAULT 1 CHECK (cycles >= 0),
  -- Only these packages, by uuid.
  ADD COLUMN items text[],
  -- Only this customer.
  ADD COLUMN account_id uuid REFERENCES accounts,
  ADD COLUMN note text NOT NULL DEFAULT '',
  ADD COLUMN created_by uuid;

ALTER TABLE vouchers
  ADD COLUMN id uuid,
  ADD COLUMN kind text NOT NULL DEFAULT 'credit' CHECK (kind IN ('credit', 'discount')),
  ADD COLUMN percent integer CHECK (percent BETWEEN 1 AND 10000),
  ADD COLUMN products text[],
  -- The personal discount code that a discount voucher was turned into.
  ADD COLUMN discount_code text,
  -- What operators recognise it by: the code's last characters.
  ADD COLUMN tail text NOT NULL DEFAULT '',
  ADD COLUMN revoked_at timestamptz,
  ADD COLUMN created_by uuid,
  ALTER COLUMN amount DROP NOT NULL,
  -- Of an amount; a percentage is of whatever is ordered.
  ALTER COLUMN currency DROP NOT NULL,
  ADD CONSTRAINT vouchers_value CHECK ((kind = 'credit') = (amount IS NOT NULL) AND (kind = 'credit') = (currency IS NOT NULL)
    AND (kind = 'discount') = (percent IS NOT NULL)),
  ADD CONSTRAINT vouchers_redeemed_or_revoked CHECK (redeemed_at IS NULL OR revoked_at IS NULL);
UPDATE vouchers SET id = gen_random_uuid();
ALTER TABLE vouchers ALTER COLUMN id SET NOT NULL;
CREATE UNIQUE INDEX vouchers_id ON vouchers (id);
CREATE INDEX vouchers_created ON vouchers (created_at);

CREATE TABLE affiliates (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  code text NOT NULL UNIQUE CHECK (code = lower(code)),
  created_at timestamptz NOT NULL
);
CREATE TABLE affiliate_clicks (
  account_id uuid NOT NULL REFERENCES affiliates,
  day date NOT NULL,
  clicks bigint NOT NULL,
  PRIMARY KEY (account_id, day)
);
CREATE TABLE affiliate_payouts (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES affiliates,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  method text NOT NULL CHECK (method IN ('balance', 'bank')),
  state text NOT NULL CHECK (state IN ('pending', 'paid')),
  entry_id uuid UNIQUE,
  created_at timestamptz NOT NULL
);
CREATE INDEX affiliate_payouts_account ON affiliate_payouts (account_id, created_at);
CREATE TABLE commissions (
  id uuid PRIMARY KEY,
  affiliate_id uuid NOT NULL REFERENCES affiliates,
  order_id uuid NOT NULL UNIQUE REFERENCES orders,
  product text NOT NULL,
  order_total bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  currency text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'confirmed', 'paid', 'cancelled')),
  created_at timestamptz NOT NULL,
  -- When it can no longer be cancelled by a refund.
  due_at timestamptz NOT NULL,
  payout_id uuid REFERENCES affiliate_payouts
);
CREATE INDEX commissions_affiliate ON commissions (affiliate_id, created_at);
-- What still becomes money.
CREATE INDEX commissions_unpaid ON commissions (due_at) WHERE state IN ('pending', 'confirmed');
-- How far into a referred customer's ledger commissions have been worked out.
CREATE TABLE commission_progress (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  ledger_seq bigint NOT NULL
);

-- Invoices ---------------------------------------------------------------------------------------------------

-- The last number given out: a row is locked only while numbers are given.
CREATE TABLE invoice_series (
  series text NOT NULL,
  year integer NOT NULL,
  last bigint NOT NULL CHECK (last >= 0),
  -- Of that number: a later one is never dated before it, whatever the clocks of several machines say.
  issue_date date NOT NULL,
  issued_at timestamptz NOT NULL,
  PRIMARY KEY (series, year)
);

-- Never changed: what is wrong is corrected by a credit note.
CREATE TABLE invoices (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('invoice', 'credit_note')),
  series text NOT NULL,
  year integer NOT NULL,
  sequence bigint NOT NULL CHECK (sequence > 0),
  number text NOT NULL UNIQUE,
  currency text NOT NULL,
  -- [{order_id, title, description, quantity, net, period_from, period_to}], amounts as text; the nets sum up to net
  lines jsonb NOT NULL,
  net bigint NOT NULL,
  tax_kind text NOT NULL,
  tax_rate integer NOT NULL,
  tax_country text NOT NULL,
  tax bigint NOT NULL,
  gross bigint NOT NULL CHECK (gross = net + tax),
  -- The addresses as they were.
  buyer jsonb NOT NULL,
  seller jsonb NOT NULL,
  locale text NOT NULL,
  -- Of a credit note: the invoice that it corrects.
  corrects uuid REFERENCES invoices,
  -- In the seller's time zone.
  issue_date date NOT NULL,
  issued_at timestamptz NOT NULL,
  UNIQUE (series, year, sequence)
);
CREATE INDEX invoices_account ON invoices (account_id, issued_at, id);
CREATE INDEX invoices_corrects ON invoices (corrects) WHERE corrects IS NOT NULL;
CREATE INDEX invoices_issued ON invoices (issue_date, id);

-- Rendered when first asked for, and kept as it was given out.
CREATE TABLE invoice_documents (
  invoice_id uuid NOT NULL REFERENCES invoices,
  format text NOT NULL CHECK (format IN ('pdf', 'xml')),
  content bytea NOT NULL,
  sha256 bytea NOT NULL CHECK (length(sha256) = 32),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (invoice_id, format)
);

-- Payments -----------------------------------------------------------------------------------------------------

CREATE TABLE payment_methods (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  provider text NOT NULL,
  provider_ref text NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  UNIQUE (provider, provider_ref)
);
CREATE INDEX payment_methods_account ON payment_methods (account_id) WHERE removed_at IS NULL;

CREATE TABLE payments (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  method text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'succeeded', 'failed', 'cancelled', 'refunded', 'charged_back')),
  -- What a bank transfer is recognised by.
  reference text UNIQUE,
  provider_ref text,
  redirect_url text,
  -- Where the customer goes on afterwards, and in which language he is asked to pay.
  return_url text,
  locale text NOT NULL DEFAULT 'en',
  -- Whether he wants the provider to keep what he pays with.
  save_method boolean NOT NULL DEFAULT false,
  automatic boolean NOT NULL DEFAULT false,
  -- What was saved and is charged now.
  payment_method_id uuid REFERENCES payment_methods,
  failure text,
  -- What the provider says so far, and what of it has been booked. They only grow, so that events may come in
  -- any order and more than once.
  received bigint NOT NULL DEFAULT 0 CHECK (received >= 0),
  refunded bigint NOT NULL DEFAULT 0 CHECK (refunded >= 0),
  disputed bigint NOT NULL DEFAULT 0 CHECK (disputed >= 0),
  dispute_won bigint NOT NULL DEFAULT 0 CHECK (dispute_won >= 0),
  booked_received bigint NOT NULL DEFAULT 0,
  booked_refunded bigint NOT NULL DEFAULT 0,
  booked_disputed bigint NOT NULL DEFAULT 0,
  booked_dispute_won bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (method, provider_ref)
);
CREATE INDEX payments_account ON payments (account_id, created_at);
CREATE INDEX payments_pending ON payments (created_at) WHERE state = 'pending';

CREATE TABLE payment_events (
  provider text NOT NULL,
  event_id text NOT NULL,
  type text NOT NULL,
  payment_id uuid,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (provider, event_id)
);

CREATE TABLE bank_entries (
  id uuid PRIMARY KEY,
  -- The bank's own reference of the entry, or a hash of all that it says: imported once.
  bank_ref text NOT NULL UNIQUE,
  iban text NOT NULL,
  booked_on date NOT NULL,
  amount bigint NOT NULL,
  currency text NOT NULL,
  debtor_name text,
  debtor_iban text,
  remittance text NOT NULL,
  state text NOT NULL CHECK (state IN ('unmatched', 'matched', 'ignored')),
  payment_id uuid REFERENCES payments,
  account_id uuid,
  entry_id uuid UNIQUE,
  note text NOT NULL DEFAULT '',
  imported_at timestamptz NOT NULL
);
CREATE INDEX bank_entries_unmatched ON bank_entries (booked_on) WHERE state = 'unmatched';
CREATE INDEX bank_entries_imported ON bank_entries (imported_at);

-- Mail ---------------------------------------------------------------------------------------------------------

CREATE TABLE mails (
  id uuid PRIMARY KEY,
  -- What it is sent for: one mail per cause, whoever asks how often.
  cause text NOT NULL UNIQUE,
  account_id uuid,
  user_id uuid,
  -- null: the account's owner, or the user, as they are when it is sent.
  recipient text,
  locale text,
  template text NOT NULL,
  variables jsonb NOT NULL,
  -- Variables that open something: links with their secret.
  secrets_sealed bytea,
  state text NOT NULL CHECK (state IN ('queued', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  failure text,
  created_at timestamptz NOT NULL,
  sent_at timestamptz
);
CREATE INDEX mails_queued ON mails (due_at) WHERE state = 'queued';
CREATE INDEX mails_account ON mails (account_id, created_at);
CREATE INDEX mails_created ON mails (created_at);

-- What the sandbox of the mail port would have sent, and what its payment provider knows.
CREATE TABLE sandbox.mails (
  message_id text PRIMARY KEY,
  recipient text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE TABLE sandbox.payments (
  ref text PRIMARY KEY,
  payment_id uuid NOT NULL UNIQUE,
  amount bigint NOT NULL,
  currency text NOT NULL,
  return_url text,
  -- Whether paying keeps what was paid with.
  saves boolean NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'paid', 'declined')),
  refunded bigint NOT NULL DEFAULT 0,
  disputed bigint NOT NULL DEFAULT 0,
  dispute_won bigint NOT NULL DEFAULT 0,
  -- Counts what happened: the webhook of each happening has an id of its own.
  happenings integer NOT NULL DEFAULT 0
);
CREATE TABLE sandbox.refunds (
  key text PRIMARY KEY,
  ref text NOT NULL,
  amount bigint NOT NULL
);
CREATE TABLE sandbox.payment_methods (
  ref text PRIMARY KEY,
  removed boolean NOT NULL DEFAULT false
);

-- Exports --------------------------------------------------------------------------------------------------------

CREATE TABLE exports (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  task_id uuid NOT NULL,
  -- Of the finished archive: which parts are it.
  content_id uuid,
  size bigint CHECK (size > 0),
  sha256 bytea CHECK (length(sha256) = 32),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT exports_finished CHECK (num_nonnulls(content_id, size, sha256) IN (0, 3))
);
CREATE INDEX exports_account ON exports (account_id, created_at);
CREATE INDEX exports_expires ON exports (expires_at);
-- In parts of a megabyte, so that neither writing nor reading holds an archive in memory. Every attempt at an
-- archive writes parts of its own.
CREATE TABLE export_parts (
  content_id uuid NOT NULL,
  number integer NOT NULL,
  export_id uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
  content bytea NOT NULL,
  PRIMARY KEY (content_id, number)
);
CREATE INDEX export_parts_export ON export_parts (export_id);
ALTER TABLE export_parts ALTER COLUMN content SET STORAGE EXTERNAL;

-- Rights -----------------------------------------------------------------------------------------------------------

GRANT SELECT, INSERT, UPDATE, DELETE ON
  billing_addresses, recovery_codes, mailed_links, notices, affiliates, affiliate_clicks, payment_methods,
  mails, exports, export_parts
  TO hostkeep_app;
-- What money hangs on is never deleted, and what is evidence is never changed.
GRANT SELECT, INSERT, UPDATE ON
  refunds, cancellations, payments, bank_entries, commissions, commission_progress, affiliate_payouts, invoice_series
  TO hostkeep_app;
GRANT SELECT, INSERT ON
  vat_checks, billing_address_versions, service_notices, invoices, invoice_documents, payment_events, ledger_heads
  TO hostkeep_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  sandbox.mails, sandbox.payments, sandbox.refunds, sandbox.payment_methods
  TO hostkeep_app;
