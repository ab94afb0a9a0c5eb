import {
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
import { charged, pricings } from './interface.ts';
import { pagination, serviceState, task } from './payloads.ts';

/* Payloads of the webspace group: section 6 of the payload document. */

const count = nullable(integer);
const versionOfPhp = matching('a version of PHP', /^\d\.\d$/);
const durationUnit = oneOf('hour', 'month', 'year');

const packageFields = {
  id: integer,
  uuid,
  name: filledString,
  description: string,
  info: object({ features: array(filledString) }),
};

const limits = object({
  disk: integer,
  traffic: count,
  domains: count,
  subdomains: count,
  mailboxes: count,
  databases: count,
  ftp_accounts: count,
  cron_jobs: count,
  memory_limit: integer,
  php_versions: array(versionOfPhp),
  ssh: boolean,
  backups: integer,
});

export const packages = object({
  packages: array(
    object({
      ...packageFields,
      limits,
      pricings,
      setup: money,
      durations: array(object({ duration: integer, duration_unit: durationUnit, gross: money })),
      in_stock: boolean,
    }),
  ),
  currency,
  tax_included: boolean,
  // Beyond the document, as with licenses: what the prices hold.
  tax: object({
    kind: oneOf('standard', 'reverse_charge', 'export', 'small_business'),
    rate: number,
    included: boolean,
    home_rate: number,
  }),
  pagination,
});

const tls = object({ state: oneOf('none', 'pending', 'active', 'failed'), expire_at: nullable(timestamp) });

export const details = object({
  uuid,
  id: integer,
  domain: filledString,
  custom_name: nullable(string),
  state: serviceState,
  state_text: filledString,
  package: object(packageFields),
  limits,
  usage: object({
    disk: integer,
    traffic: integer,
    domains: integer,
    mailboxes: integer,
    databases: integer,
    ftp_accounts: integer,
  }),
  expire_at: timestamp,
  created_at: timestamp,
  auto_renew: boolean,
  pricings,
  currency,
  host: object({
    hostname: filledString,
    ip_address: filledString,
    ipv6_address: nullable(filledString),
    datacenter: object({ name: filledString, country: filledString, city: filledString }),
  }),
  access: object({
    panel_url: filledString,
    username: filledString,
    sftp: object({ host: filledString, port: integer, fingerprints: array(filledString) }),
    ssh: boolean,
    mysql: object({ host: filledString, port: integer }),
    sso: boolean,
  }),
  php_version: versionOfPhp,
  domains: array(
    object({
      domain: filledString,
      document_root: filledString,
      tls,
      // Beyond the document: how it was proven that the name is the customer's (rule H1).
      proof: oneOf(null, 'provider', 'account', 'txt'),
      challenge: nullable(object({ name: filledString, type: exactly('TXT'), value: filledString })),
    }),
  ),
  nameservers: array(filledString),
  version: integer,
});

export const renewal = object({
  order_id: uuid,
  uuid,
  duration: integer,
  duration_unit: oneOf('month', 'year'),
  previous_expire_at: timestamp,
  expire_at: timestamp,
  pricings,
  charged,
  transaction_uuid: uuid,
  balance: money,
  state: exactly('ACTIVE'),
});

const health = oneOf('up', 'degraded', 'down');

/** Without `mail`: what is not built is not sold (rule H3). */
export const status = object({
  uuid,
  state: serviceState,
  state_text: filledString,
  services: object({ web: health, database: health, sftp: health }),
  usage: object({
    disk_used: integer,
    disk_total: integer,
    traffic_used: integer,
    traffic_total: count,
    inodes_used: count,
    inodes_total: count,
  }),
  // Beyond the document: writing fails.
  quota_exceeded: boolean,
  suspension: nullable(object({ reason: oneOf('unpaid', 'abuse', 'quota', 'operator'), since: timestamp })),
  last_backup_at: nullable(timestamp),
  task: nullable(task),
  sampled_at: timestamp,
});

export const order = object({
  order_id: uuid,
  webspace_uuid: uuid,
  package: object({ uuid, name: filledString }),
  domain: nullable(filledString),
  access: object({ panel_url: filledString, username: filledString, password: nullable(filledString) }),
  duration: integer,
  duration_unit: oneOf('month', 'year'),
  expire_at: timestamp,
  pricings,
  charged,
  transaction_uuid: uuid,
  state: oneOf('PENDING', 'ACTIVE'),
  task,
});

export const list = object({
  webspaces: array(
    object({
      uuid,
      id: integer,
      domain: nullable(filledString),
      custom_name: nullable(string),
      state: serviceState,
      state_text: filledString,
      package: object({ uuid, name: filledString }),
      host: object({ hostname: filledString }),
      disk_used: integer,
      disk_total: integer,
      expire_at: timestamp,
      auto_renew: boolean,
      pricings,
      currency,
      created_at: timestamp,
    }),
  ),
  pagination,
});
