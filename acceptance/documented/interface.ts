import {
  anything,
  array,
  boolean,
  currency,
  exactly,
  filledString,
  hourlyPrice,
  integer,
  matching,
  money,
  nullable,
  number,
  numericText,
  object,
  oneOf,
  string,
  timestamp,
  uuid,
} from '../shape.ts';

/*
 * The four detailed operations, field by field: first the fields of the interface description, then, below
 * the blank line, the additive ones of the payload document's section 9. Nothing else may be there.
 */

const pricing = object({ register: money, renew: money, transfer: nullable(money), restore: money });

export const domainCheck = object({
  searched_domain: filledString,
  provided_tld: string,
  default_tld: nullable(filledString),
  results: array(
    object({
      domain: filledString,
      available: boolean,
      premium: boolean,
      pricing,

      domain_unicode: filledString,
      // `unconfirmed` is of the rules' section F.
      reason: oneOf(
        null,
        'taken',
        'reserved',
        'invalid',
        'unsupported_tld',
        'registry_unavailable',
        'unconfirmed',
      ),
    }),
  ),
  total_checked: integer,

  currency,
  tax_included: boolean,
  checked_at: timestamp,
});

export const serverHostsystem = object({
  datacenter: object({ name: filledString, country: filledString, city: filledString }),
  node: filledString,
  processor: filledString,
  memory: filledString,
  disk: filledString,
});

export const serverConfig = object({
  uuid,
  hostsystem: serverHostsystem,
  config: object({
    cores: numericText,
    memory: numericText,
    disk: numericText,
    os: object({ name: filledString, displayname: filledString }),
    username: filledString,
    password: string,
    hostname: filledString,
    uplink: numericText,
    ipv4: object({ ip_address: string, ip_gateway: string, ddos_protection: string, rdns: string }),
    ipv6: object({ ip_address: string, ip_gateway: string }),
  }),

  state: oneOf(
    'pending',
    'provisioning',
    'active',
    'suspended',
    'cancel_scheduled',
    'expired',
    'cancelled',
    'deleted',
    'error',
  ),
  custom_name: nullable(string),
  expire_at: timestamp,
  auto_renew: boolean,
  version: integer,
});

export const pricings = object({ year: money, month: money, hour: hourlyPrice });

const binding = object({ id: integer, ip_address: filledString, description: string, created_at: timestamp });

export const bindings = array(binding);

export const licenseDetails = object({
  uuid,
  id: integer,
  license_key: filledString,
  state: matching('lower-case text', /^[a-z_]+$/),
  state_text: filledString,
  expire_at: timestamp,
  created_at: timestamp,
  custom_name: nullable(string),
  package: object({
    id: integer,
    uuid,
    name: filledString,
    description: string,
    ip_limit: integer,
    info: object({ features: array(anything) }),
  }),
  pricings,
  ip_bindings: bindings,
  ip_bindings_count: integer,
  info: array(anything),

  auto_renew: boolean,
  last_validated_at: nullable(timestamp),
  currency,
  version: integer,
});

export const charged = object({
  net: money,
  tax: money,
  tax_rate: number,
  gross: money,
  gross_minor: integer,
  discount: money,
  currency,
});

export const licenseOrder = object({
  order_id: uuid,
  license_uuid: uuid,
  license_key: filledString,
  package: object({ uuid, name: filledString }),
  duration: integer,
  expire_at: timestamp,
  pricings,
  state: exactly('ACTIVE'),

  duration_unit: oneOf('hour', 'month', 'year'),
  charged,
  transaction_uuid: uuid,
  currency,
});

const line = object({
  description: filledString,
  quantity: integer,
  unit_price: hourlyPrice,
  period_from: timestamp,
  period_to: timestamp,
  net: money,
});

/** The shared object of the payload document's section 2; a price also names its version. */
export const quote = object(
  {
    quote_uuid: uuid,
    lines: array(line),
    net: money,
    discount: money,
    discount_code: nullable(string),
    tax_rate: number,
    tax: money,
    gross: money,
    gross_minor: integer,
    currency,
    balance_before: money,
    balance_after: money,
    sufficient_funds: boolean,
    in_stock: boolean,
    renewal_gross: money,
    valid_until: timestamp,
    warnings: array(object({ error: filledString, message: filledString })),
  },
  { price_version: integer },
);
