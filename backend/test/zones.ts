import assert from 'node:assert/strict';
import type { DelegationSigner } from '../src/base/delegation-signer.ts';
import due from '../src/business/dns/publish/due.job.ts';
import publishing from '../src/business/dns/publish/publish.job.ts';
import visible from '../src/business/dns/publish/visible.job.ts';
import type { Dns } from '../src/drivers/dns/port.ts';
import { openDomains } from './domains.ts';
import type { Customer } from './fixture.ts';
import type { Received } from './requests.ts';

/** {@link openDomains} with zones: what customers ask of them, and what name servers and books then have. */
export async function openZones(change: Parameters<typeof openDomains>[0] = () => {}) {
  const domains = await openDomains(change);
  const { pool, requests } = domains;

  /** Registers a domain with an empty zone. */
  async function zone(who: Customer, domain: string, input: object = {}): Promise<string> {
    return await domains.register(who, domain, input);
  }

  /** The data of a change that must be accepted. */
  async function update(who: Customer, domain: string, input: object): Promise<Received['body']> {
    const received = await requests.call('domain/dns-update', { domain, ...input }, { token: who.secret });
    assert.ok(received.status === 200 || received.status === 202, received.text);
    return received.body.data;
  }

  /** Records as `name type content`, in order. */
  async function records(who: Customer, domain: string, input: object = {}): Promise<string[]> {
    const found = await requests.data(
      'domain/dns-records',
      { domain, per_page: 1000, ...input },
      { token: who.secret },
    );
    return found.records.map((one: Record<string, unknown>) => `${one.name} ${one.type} ${one.content}`);
  }

  /** The sandbox name server's sets as `name type content,content`; null: it does not have the zone. */
  async function served(domain: string): Promise<string[] | null> {
    const zones = await pool.pg.query('SELECT FROM sandbox.dns_zones WHERE zone = $1', [domain]);
    if (zones.rows.length === 0) return null;
    const { rows } = await pool.pg.query<{ name: string; type: string; records: string[] }>(
      'SELECT name, type, records FROM sandbox.dns_rrsets WHERE zone = $1 ORDER BY name, type',
      [domain],
    );
    return rows.map(({ name, type, records: all }) => `${name} ${type} ${all.join(',')}`);
  }

  async function row(domain: string) {
    const { rows } = await pool.pg.query('SELECT * FROM zones WHERE name = $1 ORDER BY created_at DESC', [
      domain,
    ]);
    return rows[0] ?? assert.fail(`${domain} has no zone`);
  }

  /** One run of the job that publishes. */
  async function publish(domain: string, with_: Parameters<typeof domains.run>[2] = {}): Promise<void> {
    await domains.run(publishing, { zone_id: (await row(domain)).id }, with_);
  }

  /** The ports, with something else in the way to the name server. */
  function portsWith(change: (dns: Dns) => Partial<Dns>) {
    const { dns } = domains.ports;
    const through: Dns = {
      zone: (...given) => dns.zone(...given),
      publication: (...given) => dns.publication(...given),
      ensureZone: (...given) => dns.ensureZone(...given),
      ensureRrSets: (...given) => dns.ensureRrSets(...given),
      ensureDnssec: (...given) => dns.ensureDnssec(...given),
      ensureAbsent: (...given) => dns.ensureAbsent(...given),
      list: () => dns.list(),
    };
    return { ports: { ...domains.ports, dns: { ...through, ...change(dns) } } };
  }

  async function tick(): Promise<void> {
    await domains.run(visible);
    await domains.run(due);
    await domains.work();
  }

  /** A domain of another registrar's, signed by these keys, that can be transferred with the code. */
  async function elsewhere(
    domain: string,
    authcode: string,
    ds: readonly DelegationSigner[] = [],
  ): Promise<void> {
    const ref = { domain, tld: 'com', registry: 'sandbox' };
    const nameservers = ['ns1.rival.example', 'ns2.rival.example'].map((hostname) => ({
      hostname,
      ipv4: [],
      ipv6: [],
    }));
    const roles = { registrant: RIVALS_CUSTOMER, admin: null, tech: null, billing: null };
    const since = domains.clock.now();
    const wanted = { ...ref, ...roles, nameservers, ds, years: 1, authcode, fee: null, since };
    assert.equal((await domains.rival.register(wanted)).kind, 'done');
    // Past the days in which nobody may have it, which are more than a code holds for.
    domains.clock.set(since.add({ hours: 24 * 61 }));
    assert.equal((await domains.rival.update({ ...ref, authcode })).kind, 'done');
  }

  return { ...domains, zone, update, records, served, row, publish, portsWith, tick, elsewhere };
}

const RIVALS_CUSTOMER = {
  handle: 'RIVAL-1',
  type: 'person' as const,
  name: 'A Rival',
  organisation: null,
  street: ['Other Street 1'],
  city: 'Berlin',
  region: null,
  zip: '10115',
  country: 'DE',
  phone: '+49.301234567',
  fax: null,
  email: 'rival@example.com',
  disclosed: false,
  extra: {},
};
