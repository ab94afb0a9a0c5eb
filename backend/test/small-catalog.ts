import { Catalog } from '../src/business/core/catalog/schema/schema.ts';

// The document that the catalogue's tests start from.

const prices = { year: 43.89, month: 3.99, hour: 0.0067 };
const unit = { year: 11, month: 1, hour: 0.0015 };
export const durations = [{ duration: 1, duration_unit: 'month' }];

/** The smallest catalogue that sells one of everything, made afresh because tests change it. */
export function smallDocument() {
  return {
    format: 1,
    currency: 'EUR',
    prices_include_tax: true,
    tax_rate: 19,
    seller: {
      name: 'Example Hosting GmbH',
      street: 'Beispielweg 1',
      zip: '60311',
      city: 'Frankfurt am Main',
      country: 'DE',
      email: 'billing@hosting.example',
      vat_id: 'DE136695976',
      iban: 'DE02120300000000202051',
      bic: 'BYLADEM1001',
      timezone: 'Europe/Berlin',
    },
    topup: { sandbox: true },
    terms: {
      version: '2026-11',
      en: { tos: 'Terms.', cancellation: 'Cancellation.' },
      de: { tos: 'Bedingungen.', cancellation: 'Widerruf.' },
    },
    default_tld: 'com',
    suggested_tlds: ['com', 'de'],
    nameservers: ['ns1.hosting.example', 'ns2.hosting.example'],
    tld_defaults: {
      registry: 'sandbox',
      whois_privacy: 0,
      periods: [1, 2],
      add_grace_days: 5,
      renew_grace_days: 45,
      redemption_days: 30,
      transfer_extends: true,
      features: { idn: true, dnssec: true, glue: true },
      policy: {
        autorenew_at_registry: true,
        delete_deadline_days: 40,
        explicit_delete: true,
        transfer_model: 'authcode',
      },
    },
    tld_profiles: { nominet: { whois_privacy: null, policy: { transfer_model: 'tag_push' } } },
    tlds: [
      { tld: 'com', register: 12.99, renew: 14.99, transfer: 12.99, restore: 89 },
      {
        tld: 'de',
        register: 6.99,
        renew: 8.99,
        transfer: null,
        restore: 29.9,
        trade: 4.9,
        whois_privacy: null,
        policy: { contact_roles: ['admin', 'tech'] },
      },
      { tld: 'co.uk', profile: 'nominet', register: 7.99, renew: 9.99, transfer: 0, restore: 9.99 },
    ],
    datacenters: [{ name: 'fra1', displayname: 'Frankfurt 1', country: 'DE', city: 'Frankfurt' }],
    hosts: [host('fra-epyc', '198.18.0.0/20', '2001:db8:1000::/44')],
    operating_systems: [
      {
        name: 'debian-13',
        displayname: 'Debian 13',
        family: 'debian',
        version: '13',
        platform: 'linux',
        icon: 'debian',
        min_cores: 1,
        min_memory: 512,
        min_disk: 5,
        username: 'root',
        cloud_init: true,
        end_of_life: '2030-06-30',
      },
    ],
    iso_images: [{ name: 'debian-13-netinst', displayname: 'Debian 13, installer', sha256: 'ab'.repeat(32) }],
    server_packages: [
      {
        uuid: '24060349-8cdb-4f49-af3f-7a490fe48d35',
        id: 101,
        name: 'Cloud S',
        host: 'fra-epyc',
        cores: 1,
        memory: 2048,
        disk: 40,
        uplink: 1000,
        pricings: { ...prices },
        durations,
      },
    ],
    license_packages: [
      {
        uuid: '8d16217b-9412-49e8-8664-3c904111a352',
        id: 201,
        name: 'Panel',
        ip_limit: 1,
        pricings: { ...prices },
        durations,
      },
    ],
    webspace_packages: [
      {
        uuid: '4dd2a93c-a8ea-49b3-90fa-a7251046f225',
        id: 301,
        name: 'Web',
        limits: {
          disk: 10240,
          traffic: null as number | null,
          domains: 1,
          subdomains: 10,
          databases: 1,
          memory_limit: 128,
          php_versions: ['8.4'],
          backups: 7,
        },
        pricings: { ...prices },
        durations,
      },
    ],
    web_hosts: [webHost('web1')],
    duration_discounts: [{ duration: 1, duration_unit: 'year', percent: 7.5 }],
  };
}

/** A web host of that document. */
export function webHost(name: string) {
  return {
    name,
    displayname: 'Web hosting, Frankfurt',
    datacenter: 'fra1',
    webserver: 'sandbox',
    hostname: `${name}.hosting.example`,
    ip_address: '198.51.100.10',
    ipv6_address: '2001:db8:2::10',
    site_domain: `${name}.sites.example`,
    capacity: { webspaces: 1000, disk: 10_485_760 },
    php_versions: ['8.3', '8.4'],
    nameservers: ['ns1.hosting.example', 'ns2.hosting.example'],
  };
}

/** A host of that document, with pools of its own. */
export function host(name: string, ipv4: string, ipv6: string) {
  return {
    name,
    displayname: 'Frankfurt',
    datacenter: 'fra1',
    hypervisor: 'sandbox',
    hardware: { processor: 'EPYC', memory: 'DDR5', disk: 'NVMe' },
    ddos_protection: ['Standard'],
    nodes: [{ name: `${name}-01`, capacity: { cores: 64, memory: 262144, disk: 4000 } }],
    configuration: {
      cores: { min: 1, max: 16, step: 1 },
      memory: { min: 1024, max: 65536, step: 1024 },
      disk: { min: 20, max: 1000, step: 10 },
      uplink: { min: 100, max: 1000, step: 100 },
      ipv4: { min: 1, max: 4, step: 1 },
      backup_slots: { min: 0, max: 7, step: 1 },
    },
    unit_pricings: {
      cores: unit,
      memory_gib: unit,
      disk_gib: unit,
      uplink_100mbit: unit,
      ipv4: unit,
      backup_slot: unit,
    },
    networks: {
      ipv4: { cidr: ipv4, gateway: ipv4.replace(/0\/.*/, '1') },
      ipv6: { cidr: ipv6, gateway: 'fe80::1' },
    },
    rescue: { image: 'rescue', username: 'root' },
  };
}

/** The small document with the value at `path` replaced; `undefined` removes it. */
export function changed(path: string, value: unknown): unknown {
  const document: unknown = JSON.parse(JSON.stringify(smallDocument()));
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let at = document;
  for (const step of steps) at = Reflect.get(Object(at), step);
  if (value === undefined) Reflect.deleteProperty(Object(at), last);
  else Reflect.set(Object(at), last, structuredClone(value));
  return document;
}

/** Where a document is wrong, as `tlds.0.register`. */
export function problems(document: unknown): string[] {
  return (Catalog.safeParse(document).error?.issues ?? []).map((issue) => issue.path.join('.'));
}

/** Text that is the same exactly for equal catalogues; deepEqual takes all instants for equal. */
export function comparable(catalog: Catalog): string {
  return JSON.stringify(catalog, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}
