import { smallDocument } from '../backend/test/small-catalog.ts';

export const LICENSES = ['8d16217b-9412-49e8-8664-3c904111a352', '0d9df1f5-36ee-4ad3-a2c8-52a6d6b6d9a1'];
export const SERVER = '24060349-8cdb-4f49-af3f-7a490fe48d35';

/** Terms that are sold, each of every package. */
export const TERMS = [
  { duration: 1, duration_unit: 'month' },
  { duration: 3, duration_unit: 'month' },
  { duration: 1, duration_unit: 'year' },
] as const;

/** Of the server only, for a few customers. */
export const HOURLY = { duration: 12, duration_unit: 'hour' } as const;

/**
 * What the simulated provider sells: two licenses and a server, at prices that change by `factor` in time, with so
 * many percent of tax.
 */
export function catalogueAt(factor: number, taxRate: number) {
  const document = smallDocument();
  const [pack] = document.license_packages;
  const [server] = document.server_packages;
  const [host] = document.hosts;
  if (pack === undefined || server === undefined || host === undefined) throw new Error('nothing is sold');
  const cents = (price: number) => Math.round(price * factor * 100) / 100;
  const prices = (month: number) => ({ year: cents(month * 11), month: cents(month), hour: 0.01 });
  return {
    ...document,
    tax_rate: taxRate,
    topup: { least: 1, most: 500, sandbox: true },
    tax: { scheme: 'standard', one_stop_shop: true },
    affiliate: { enabled: true, commission: { type: 'percent', value: 10 }, recurring: true, hold_days: 30 },
    life: {
      license: { notices: [14, 3], renew_days: 1, grace_days: 0, keep_days: 20, withdrawal: 'pro_rata' },
      domain: { notices: [30, 7], renew_days: 3, grace_days: 3, keep_days: 14, withdrawal: 'pro_rata' },
      server: { notices: [14, 3], renew_days: 2, grace_days: 3, keep_days: 14, withdrawal: 'pro_rata' },
    },
    tlds: document.tlds.map((tld) => ({
      ...tld,
      register: cents(tld.register),
      renew: cents(tld.renew),
      transfer: tld.transfer === null ? null : cents(tld.transfer),
      restore: cents(tld.restore),
    })),
    license_packages: [
      { ...pack, pricings: prices(3.99), durations: TERMS },
      {
        ...pack,
        uuid: LICENSES[1],
        id: pack.id + 1,
        name: 'Panel Pro',
        pricings: prices(11.49),
        durations: TERMS,
      },
    ],
    server_packages: [{ ...server, setup: 4.99, pricings: prices(7.77), durations: [...TERMS, HOURLY] }],
    hosts: [
      {
        ...host,
        nodes: [{ name: 'fra-epyc-01', capacity: { cores: 4000, memory: 33_554_432, disk: 400_000 } }],
        networks: { ...host.networks, ipv4: { cidr: '198.18.0.0/18', gateway: '198.18.0.1' } },
      },
    ],
  };
}
