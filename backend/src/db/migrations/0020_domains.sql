-- Whom registries know our domains by (RFC 5733). A registry keeps each under our handle, for as long as one of its
-- domains names it.
CREATE TABLE contacts (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  handle text NOT NULL UNIQUE CHECK (handle ~ '^[A-Z0-9-]{3,16}$'),
  type text NOT NULL CHECK (type IN ('person', 'organisation', 'role')),
  salutation text NOT NULL CHECK (salutation IN ('mr', 'ms', 'mx', 'none')),
  first_name text NOT NULL,
  last_name text NOT NULL,
  company text,
  vat_id text,
  company_number text,
  street text NOT NULL,
  house_number text NOT NULL,
  address_addition text,
  zip text NOT NULL,
  city text NOT NULL,
  region text,
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  phone text NOT NULL,
  fax text,
  email text NOT NULL,
  birth_date date,
  birth_place text,
  birth_country text,
  id_number text,
  language text NOT NULL,
  -- What a TLD asks for besides, as its contact_schema in the catalogue names it.
  extra jsonb NOT NULL DEFAULT '{}',
  verification text NOT NULL DEFAULT 'unverified'
    CHECK (verification IN ('unverified', 'pending', 'verified', 'failed')),
  -- When an e-mail address that nobody confirmed takes its domains off (rule F10).
  verification_deadline timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT contacts_organisation CHECK (type <> 'organisation' OR company IS NOT NULL),
  CONSTRAINT contacts_deadline CHECK ((verification = 'pending') = (verification_deadline IS NOT NULL))
);
CREATE INDEX contacts_account ON contacts (account_id, created_at);
CREATE INDEX contacts_deadline ON contacts (verification_deadline) WHERE verification_deadline IS NOT NULL;

-- What a service of the product 'domain' is besides. The end that was paid for is services.expire_at, whether it renews
-- itself services.auto_renew; services.name and services.item are its name and its TLD.
CREATE TABLE domains (
  -- Deferred: a name is claimed first, and its service written with everything else that an order decides.
  id uuid PRIMARY KEY REFERENCES services DEFERRABLE INITIALLY DEFERRED,
  -- Punycode, lower case, without the root's dot.
  name text NOT NULL,
  tld text NOT NULL,
  -- The connection that the catalogue mapped the TLD to when it was ordered.
  registry text NOT NULL,
  -- What it is at its registry. Whether it is suspended or has expired here, services.state says.
  state text NOT NULL CHECK (state IN ('pending', 'pending_transfer', 'pending_approval', 'active', 'redemption',
    'pending_delete', 'transferred_out', 'deleted', 'failed')),
  registered_at timestamptz,
  -- The registry's own end, which moves when it renews by itself (rule F1); null: it has none, or told none yet.
  registry_expire_at timestamptz,
  -- EPP statuses as the registry last told them, an array of texts, and when that was.
  statuses jsonb NOT NULL DEFAULT '[]',
  seen_at timestamptz,
  -- Whether its customer wants it kept from being transferred; and until when the policy keeps it, whatever he wants.
  transfer_lock boolean NOT NULL,
  transfer_lock_until timestamptz,
  -- Whether its customer is asked again before anything that cannot be taken back.
  protection boolean NOT NULL DEFAULT false,
  whois_privacy boolean NOT NULL,
  -- Of one that was switched off: until when it was paid for. While it is on, that is the end of the term.
  whois_privacy_until timestamptz,
  -- null: as the registry has it, of a domain that was transferred without naming others (rule F2).
  owner_id uuid REFERENCES contacts,
  admin_id uuid REFERENCES contacts,
  tech_id uuid REFERENCES contacts,
  zone_id uuid REFERENCES contacts,
  -- An array of {hostname, ipv4, ipv6}; null: as the registry has it.
  nameservers jsonb,
  -- Whether its zone is served by our name servers.
  dns_hosted boolean NOT NULL,
  -- Whether its customer wants it signed; an array of {keyTag, algorithm, digestType, digest}: what the parent is to have.
  dnssec boolean NOT NULL DEFAULT false,
  ds jsonb NOT NULL DEFAULT '[]',
  -- Until when resolvers may remember a DS, or name servers, that the parent does not have any more (rule F7).
  ds_remembered_until timestamptz,
  ns_remembered_until timestamptz,
  -- Of a premium name: what its renewal may cost at most a year, in ten-thousandths of the catalogue's currency,
  -- because its customer was shown that (rule F5); and what its registry last asked.
  premium boolean NOT NULL DEFAULT false,
  premium_renewal bigint CHECK (premium_renewal >= 0),
  premium_asked bigint CHECK (premium_asked >= 0),
  premium_asked_at timestamptz,
  -- Of one that comes: the code it was ordered with. Of ours: the code that was given out, until it is cleared (RFC 9154).
  authcode_sealed bytea,
  authcode_expires_at timestamptz,
  CONSTRAINT domains_premium CHECK (premium = (premium_renewal IS NOT NULL))
) WITH (fillfactor = 80);
-- A name is one customer's; somebody else may ask for it by a transfer.
CREATE UNIQUE INDEX domains_name_once ON domains (name)
  WHERE state NOT IN ('pending_transfer', 'pending_approval', 'transferred_out', 'deleted', 'failed');
CREATE UNIQUE INDEX domains_transfer_once ON domains (name) WHERE state IN ('pending_transfer', 'pending_approval');
CREATE INDEX domains_name ON domains (name);
CREATE INDEX domains_lock ON domains (transfer_lock_until) WHERE state = 'active' AND seen_at < transfer_lock_until;
CREATE INDEX domains_owner ON domains (owner_id);
CREATE INDEX domains_premium ON domains (id) WHERE premium AND state = 'active';
-- Whose lock ended, or will, since its registry was last asked.
CREATE INDEX domains_authcode ON domains (authcode_expires_at) WHERE authcode_expires_at IS NOT NULL;

-- Orders that were made together; the basket's id is that of the task by which its customer follows all of them.
ALTER TABLE orders ADD COLUMN basket_id uuid;
CREATE INDEX orders_basket ON orders (basket_id) WHERE basket_id IS NOT NULL;

-- What an order asks of a registry, beside what its service says.
CREATE TABLE domain_orders (
  order_id uuid PRIMARY KEY REFERENCES orders,
  domain_id uuid NOT NULL REFERENCES domains,
  action text NOT NULL CHECK (action IN ('register', 'transfer', 'renew', 'restore')),
  -- How many years it adds; 0: a transfer that brings none, a restoration within a paid term.
  years smallint NOT NULL CHECK (years BETWEEN 0 AND 10),
  -- The end of the paid term that it adds to; null: there is none yet.
  believed_expire_at timestamptz,
  -- The prices a year that were shown of a premium name, which the registry must not exceed; null: list price.
  premium_price bigint CHECK (premium_price >= 0),
  premium_renewal bigint CHECK (premium_renewal >= 0),
  -- What is left of its service's discount afterwards.
  discount_code text,
  discount_percent integer,
  discount_left integer
);
CREATE INDEX domain_orders_domain ON domain_orders (domain_id);

CREATE TABLE domain_transfers (
  id uuid PRIMARY KEY,
  domain_id uuid NOT NULL REFERENCES domains,
  -- in: to us, ordered here. out: away from us. push: between customers of ours; the domain is the one that comes.
  direction text NOT NULL CHECK (direction IN ('in', 'out', 'push')),
  -- Of a push: the domain that goes.
  from_domain_id uuid REFERENCES domains,
  order_id uuid REFERENCES orders,
  state text NOT NULL CHECK (state IN ('pending', 'approved', 'rejected', 'cancelled')),
  -- What the losing customer said.
  answer text CHECK (answer IN ('approve', 'reject')),
  requested_at timestamptz NOT NULL,
  -- Until when the losing side may answer.
  act_at timestamptz NOT NULL,
  -- When to look at it next.
  due_at timestamptz,
  closed_at timestamptz,
  CONSTRAINT domain_transfers_closed CHECK ((state = 'pending') = (closed_at IS NULL)),
  CONSTRAINT domain_transfers_push CHECK ((direction = 'push') = (from_domain_id IS NOT NULL))
);
CREATE INDEX domain_transfers_domain ON domain_transfers (domain_id, requested_at);
CREATE INDEX domain_transfers_from ON domain_transfers (from_domain_id) WHERE from_domain_id IS NOT NULL;
CREATE INDEX domain_transfers_due ON domain_transfers (due_at) WHERE state = 'pending';
CREATE UNIQUE INDEX domain_transfers_once ON domain_transfers (domain_id) WHERE state = 'pending';

-- What is paid for beside terms, such as a change of owner: several may be of one moment.
ALTER TABLE orders DROP CONSTRAINT orders_action_check;
ALTER TABLE orders ADD CONSTRAINT orders_action_check CHECK (action IN ('create', 'renew', 'extra'));
DROP INDEX orders_term_once;
CREATE UNIQUE INDEX orders_term_once ON orders (service_id, period_from)
  WHERE state <> 'failed' AND action <> 'extra';

-- What customers asked for of domains that are there, until their registries have done it.
CREATE TABLE domain_changes (
  -- That of its task.
  id uuid PRIMARY KEY REFERENCES tasks,
  domain_id uuid NOT NULL REFERENCES domains,
  kind text NOT NULL CHECK (kind IN ('contacts', 'nameservers', 'whois_privacy')),
  -- approval: owners have to agree. registry: its first step is in the books, and the registry is to follow them.
  -- waiting: for resolvers to forget what was before (rule F7).
  state text NOT NULL CHECK (state IN ('approval', 'registry', 'waiting')),
  -- What it costs is on hold.
  order_id uuid UNIQUE REFERENCES orders,
  -- Columns of the domain as they were before it, for a registry that refuses.
  undo jsonb NOT NULL,
  -- What is left to do, an array of {columns, wait_hours}: how long to wait before the next.
  steps jsonb NOT NULL,
  -- Whether the domain is kept from being transferred for some time afterwards, as after a change of owner.
  locks boolean NOT NULL,
  -- When approval is over, or waiting.
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT domain_changes_due CHECK ((state = 'registry') = (due_at IS NULL))
);
CREATE UNIQUE INDEX domain_changes_once ON domain_changes (domain_id, kind);
CREATE INDEX domain_changes_due ON domain_changes (due_at) WHERE due_at IS NOT NULL;

-- Who has to agree to a change of owner. Of the secret in the link only the hash is kept.
CREATE TABLE domain_approvals (
  change_id uuid NOT NULL REFERENCES domain_changes ON DELETE CASCADE,
  side text NOT NULL CHECK (side IN ('present', 'new')),
  email text NOT NULL,
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
  approved_at timestamptz,
  PRIMARY KEY (change_id, side)
);

-- Links that prove the e-mail address of contacts of an account (rule F10).
ALTER TABLE mailed_links DROP CONSTRAINT mailed_links_purpose_check;
ALTER TABLE mailed_links ADD CONSTRAINT mailed_links_purpose_check
  CHECK (purpose IN ('email_verification', 'password_reset', 'invitation', 'contact_verification'));

-- What registries told without being asked, kept before it is acknowledged there (rule F4).
CREATE TABLE registry_messages (
  registry text NOT NULL,
  id text NOT NULL,
  at timestamptz NOT NULL,
  text text NOT NULL,
  -- The domain that it speaks of, where we understand it.
  domain text,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (registry, id)
);
CREATE INDEX registry_messages_domain ON registry_messages (domain, at) WHERE domain IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON contacts, domain_changes, domain_approvals TO hostkeep_app;
GRANT SELECT, INSERT, UPDATE ON domains, domain_transfers TO hostkeep_app;
GRANT SELECT, INSERT ON domain_orders, registry_messages TO hostkeep_app;
