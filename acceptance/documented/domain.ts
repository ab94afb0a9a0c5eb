import {
  anything,
  array,
  boolean,
  currency,
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
import { charged } from './interface.ts';
import { pagination, task } from './payloads.ts';

/* Payloads of the domain group: section 4 of the payload document. */

const state = oneOf(
  'pending',
  'pending_transfer',
  'pending_approval',
  'active',
  'locked',
  'suspended',
  'expired',
  'redemption',
  'pending_delete',
  'transferred_out',
  'deleted',
  'failed',
);
const date = matching('a date', /^\d{4}-\d{2}-\d{2}$/);
const pricing = object({ register: money, renew: money, transfer: nullable(money), restore: money });
const nameserver = object({
  hostname: filledString,
  ipv4: array(filledString),
  ipv6: array(filledString),
});
const warning = object({ error: filledString, message: filledString });

const contact = object({
  uuid,
  type: oneOf('person', 'organisation', 'role'),
  salutation: oneOf('mr', 'ms', 'mx', 'none'),
  first_name: string,
  last_name: string,
  company: nullable(string),
  vat_id: nullable(string),
  company_number: nullable(string),
  street: string,
  house_number: string,
  address_addition: nullable(string),
  zip: string,
  city: string,
  region: nullable(string),
  country: matching('a country', /^[A-Z]{2}$/),
  phone: string,
  fax: nullable(string),
  email: filledString,
  birth_date: nullable(date),
  birth_place: nullable(string),
  birth_country: nullable(string),
  id_number: nullable(string),
  language: filledString,
  extra: anything,
  verification: object({
    state: oneOf('unverified', 'pending', 'verified', 'failed'),
    deadline: nullable(timestamp),
  }),
  version: integer,
});
const contactSummary = nullable(
  object({
    contact_uuid: uuid,
    name: filledString,
    verification_state: oneOf('unverified', 'pending', 'verified', 'failed'),
  }),
);
const roles = { owner: contact, admin: contact, tech: contact, zone: contact };

export const order = object({
  order_id: uuid,
  domain_uuid: uuid,
  domain: filledString,
  action: oneOf('register', 'transfer', 'renew', 'restore'),
  period: integer,
  duration: integer,
  expire_at: nullable(timestamp),
  pricing,
  charged,
  transaction_uuid: uuid,
  premium: boolean,
  state: oneOf('PENDING', 'ACTIVE', 'FAILED'),
  next_step: object({
    kind: oneOf('none', 'confirm_email', 'foa', 'registry_approval', 'document'),
    detail: nullable(string),
    expires_at: nullable(timestamp),
  }),
  task,
});

/** Beyond the payload document: many names at once, each as above. */
export const basket = object({ results: array(order), charged, task });

export const details = object(
  {
    uuid,
    id: integer,
    domain: filledString,
    domain_unicode: filledString,
    tld: filledString,
    state,
    state_text: filledString,
    registry_status: array(filledString),
    custom_name: nullable(string),
    registered_at: nullable(timestamp),
    created_at: timestamp,
    expire_at: nullable(timestamp),
    auto_renew: boolean,
    renew_at: nullable(timestamp),
    renew_deadline: nullable(timestamp),
    pricing,
    currency,
    period: integer,
    transfer_lock: boolean,
    transfer_lock_until: nullable(timestamp),
    whois_privacy: object({ supported: boolean, enabled: boolean }),
    nameservers: array(nameserver),
    dns_hosted: boolean,
    dnssec: object({ enabled: boolean }),
    contacts: object({
      owner: contactSummary,
      admin: contactSummary,
      tech: contactSummary,
      zone: contactSummary,
    }),
    cancellation: nullable(object({ cancel_at: timestamp, mode: filledString })),
    pending_task: nullable(task),
    version: integer,
  },
  // The registry's own end, which is another thing (the rules' section F), and what its customer set.
  { registry_expire_at: nullable(timestamp), premium: boolean, transferable: boolean, protection: boolean },
);

export const list = object({
  domains: array(
    object({
      uuid,
      id: integer,
      domain: filledString,
      domain_unicode: filledString,
      tld: filledString,
      state,
      state_text: filledString,
      custom_name: nullable(string),
      expire_at: nullable(timestamp),
      auto_renew: boolean,
      renewal_price: money,
      currency,
      transfer_lock: boolean,
      whois_privacy: boolean,
      dns_hosted: boolean,
      created_at: timestamp,
    }),
  ),
  pagination,
});

export const contacts = object({
  uuid,
  domain: filledString,
  contacts: object(roles),
  editable: object({ owner: boolean, admin: boolean, tech: boolean, zone: boolean }),
  version: integer,
});

export const contactUpdate = object({
  uuid,
  domain: filledString,
  contacts: object(roles),
  change: object({
    kind: oneOf('update', 'trade'),
    price: money,
    currency,
    approval: object({
      required: boolean,
      sent_to: array(filledString),
      expires_at: nullable(timestamp),
    }),
    transfer_lock_until: nullable(timestamp),
  }),
  version: integer,
  task: nullable(task),
});

export const nameservers = object({
  uuid,
  domain: filledString,
  mode: oneOf('default', 'custom'),
  nameservers: array(nameserver),
  previous_nameservers: array(nameserver),
  checks: array(
    object({
      hostname: filledString,
      resolves: boolean,
      authoritative: boolean,
      soa_serial: nullable(integer),
      latency_ms: nullable(integer),
    }),
  ),
  warnings: array(warning),
  task: nullable(task),
});

const privacy = object({
  supported: boolean,
  enabled: boolean,
  mode: oneOf('proxy', 'redaction', 'none'),
  price: money,
  currency,
  updated_at: nullable(timestamp),
});

export const whoisPrivacy = object({
  uuid,
  domain: filledString,
  whois_privacy: privacy,
  published: object({
    name: nullable(string),
    organisation: nullable(string),
    email: nullable(string),
    country: nullable(string),
  }),
});

export const whoisPrivacyUpdate = object({
  uuid,
  domain: filledString,
  whois_privacy: privacy,
  task: nullable(task),
});

export const authcode = object(
  {
    uuid,
    domain: filledString,
    authcode: nullable(filledString),
    delivery: oneOf('response', 'email'),
    sent_to: nullable(string),
    expires_at: nullable(timestamp),
    transfer_lock: boolean,
    transferable: boolean,
    blocked_reasons: array(filledString),
  },
  // The rules' section E makes it asynchronous.
  { task: nullable(task) },
);

export const pricelist = object({
  currency,
  tax_included: boolean,
  tax: object({
    kind: oneOf('standard', 'reverse_charge', 'export', 'small_business'),
    rate: number,
    included: boolean,
    home_rate: number,
  }),
  prices: array(
    object({
      tld: filledString,
      register: money,
      renew: money,
      transfer: nullable(money),
      restore: money,
      trade: nullable(money),
      whois_privacy: nullable(money),
      periods: array(integer),
      promo: nullable(object({ register: money, until: timestamp })),
      features: object({
        idn: boolean,
        dnssec: boolean,
        whois_privacy: boolean,
        authcode: boolean,
        glue: boolean,
      }),
      add_grace_days: integer,
      renew_grace_days: integer,
      redemption_days: integer,
      transfer_extends: boolean,
      contact_schema: anything,
    }),
  ),
  pagination,
  updated_at: timestamp,
});

const dnsRecord = object({
  id: uuid,
  type: filledString,
  name: filledString,
  content: string,
  ttl: integer,
  priority: nullable(integer),
  weight: nullable(integer),
  port: nullable(integer),
  disabled: boolean,
  comment: nullable(string),
  managed_by: oneOf('customer', 'system'),
});

const zone = object({
  domain: filledString,
  hosted: boolean,
  serial: integer,
  version: integer,
  revision_uuid: uuid,
  default_ttl: integer,
  dnssec: object(
    {
      enabled: boolean,
      ds: array(object({ key_tag: integer, algorithm: integer, digest_type: integer, digest: filledString })),
    },
    // How far signing is: the rules' section F makes it go by steps.
    { state: filledString },
  ),
  nameservers: array(filledString),
  updated_at: timestamp,
});

const published = object({
  nameservers_total: integer,
  nameservers_current: integer,
  checked_at: nullable(timestamp),
});

export const dnsRecords = object(
  { zone, records: array(dnsRecord), zonefile: nullable(string), pagination },
  { published },
);

export const dnsUpdate = object(
  {
    zone,
    applied: boolean,
    diff: object({
      added: array(dnsRecord),
      removed: array(dnsRecord),
      changed: array(object({ before: dnsRecord, after: dnsRecord })),
      unchanged: integer,
    }),
    revision_uuid: nullable(uuid),
    previous_revision_uuid: nullable(uuid),
    warnings: array(object({ pointer: string, error: filledString, message: filledString })),
    published,
  },
  // The rules' section E makes it asynchronous.
  { task: nullable(task) },
);
