import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type WhoisDirectory, WhoisFailure, type WhoisQuestion } from '../../src/drivers/whois/port.ts';

/** What the world under test has registered. */
export interface KnownRegistrations {
  /** With a registrar, name servers and dates. */
  readonly registered: string;
  readonly free: string;
  readonly ipv4: string;
  readonly ipv6: string;
  readonly asn: number;
  /** A domain whose registry fails by either protocol. */
  readonly failing: string;
  /** A domain whose registry does not answer before any deadline; null where it cannot be made slow. */
  readonly silent: string | null;
}

const DEADLINE_MS = 5_000;
const SOON_MS = 100;

/** What every driver of the port keeps. `open` gives one that sees a world with the known registrations. */
export function whoisContract(driver: string, open: () => WhoisDirectory, known: KnownRegistrations): void {
  const lookup = (question: WhoisQuestion, source: 'auto' | 'rdap' | 'whois' = 'auto') =>
    open().lookup(question, source, DEADLINE_MS);
  const domain = (name: string): WhoisQuestion => ({ type: 'domain', name });

  for (const source of ['rdap', 'whois'] as const) {
    test(`${driver}: a registered domain by ${source}`, async () => {
      const record = await lookup(domain(known.registered), source);
      assert.equal(record.source, source);
      assert.equal(record.registered, true);
      assert.ok(record.server !== '' && record.raw !== '');
      assert.ok(record.registrar?.name);
      assert.ok(record.status.length > 0 && record.status.every((status) => /^[a-z ]+$/.test(status)));
      assert.ok(record.nameservers.length > 0);
      assert.ok(record.createdAt !== null && record.expireAt !== null);
      assert.ok(Temporal.Instant.compare(record.createdAt, record.expireAt) < 0);
      assert.equal(record.network, null);
      assert.equal(record.cached, false);
    });

    test(`${driver}: a domain that is not registered by ${source}`, async () => {
      const record = await lookup(domain(known.free), source);
      assert.equal(record.registered, false);
      assert.deepEqual([record.registrar, record.status, record.nameservers], [null, [], []]);
    });

    test(`${driver}: addresses and autonomous systems by ${source}`, async () => {
      const ipv4 = await lookup({ type: 'ipv4', address: known.ipv4 }, source);
      assert.match(ipv4.network?.cidr ?? '', /^[\d.]+\/\d+/);
      const ipv6 = await lookup({ type: 'ipv6', address: known.ipv6 }, source);
      assert.match(ipv6.network?.cidr ?? '', /^[\da-f:]+\/\d+/);
      const system = await lookup({ type: 'asn', number: known.asn }, source);
      assert.match(system.network?.cidr ?? '', /^AS\d+/);
      for (const { network, registered } of [ipv4, ipv6, system]) {
        assert.equal(registered, true);
        assert.ok(network?.name);
        assert.match(network.country ?? '', /^[A-Z]{2}$/);
      }
    });
  }

  test(`${driver}: auto asks by RDAP first`, async () => {
    assert.equal((await lookup(domain(known.registered))).source, 'rdap');
  });

  test(`${driver}: a source that fails is a failure that names it`, async () => {
    for (const source of ['auto', 'rdap', 'whois'] as const) {
      await assert.rejects(lookup(domain(known.failing), source), (error) => {
        assert.ok(error instanceof WhoisFailure);
        assert.ok(error.server !== '' && error.message !== '');
        return true;
      });
    }
  });

  const { silent } = known;
  if (silent === null) return;
  test(`${driver}: the deadline ends the wait`, async () => {
    for (const source of ['auto', 'rdap', 'whois'] as const) {
      await assert.rejects(open().lookup(domain(silent), source, SOON_MS), WhoisFailure);
    }
  });
}
