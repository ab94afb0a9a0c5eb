import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { DecodedPacket, RecordType } from 'dns-packet';
import type { Dns, RrSet, ServedZone, WantedZone } from '../../src/drivers/dns/port.ts';
import { BackendUnavailable, type CommandOutcome } from '../../src/drivers/outcome.ts';

export type ContractCommand = 'ensure_zone' | 'ensure_rrsets' | 'ensure_absent';

/** A driver under test, with the ways to its primary that the port does not have. */
export interface DnsContractSubject {
  readonly driver: Dns;
  /** What zones are delegated to; `publication` can ask them. */
  readonly nameservers: readonly string[];
  /** Asks the primary, by one transport, without following a truncated answer. */
  ask(name: string, type: RecordType, transport: 'udp' | 'tcp'): Promise<DecodedPacket>;
  /** What `dig +short` prints of the primary, sorted. */
  dig(name: string, type: string, ...flags: readonly string[]): Promise<readonly string[]>;
  /** Loses the answer of the next such command for the zone, before or after its effect. */
  fail(zone: string, command: ContractCommand, fault: 'timeout_before' | 'timeout_after'): Promise<void>;
  close(): Promise<void>;
}

const DEADLINE_MS = 5_000;
const REFUSED = 5;
const NXDOMAIN = 3;

/** RDATA of every type that customers can have (operations.md §2), as `dig` writes it too. */
const EVERY_TYPE: Readonly<Record<string, readonly string[]>> = {
  A: ['192.0.2.1', '192.0.2.2'],
  AAAA: ['2001:db8::1'],
  CAA: ['0 iodef "mailto:a@example.com"', '0 issue "ca.example.net"'],
  HTTPS: ['1 . alpn="h2,h3" port=8443 ipv4hint=192.0.2.1 ipv6hint=2001:db8::1'],
  MX: ['10 mail.example.net.', '20 mail2.example.net.'],
  NAPTR: ['100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .'],
  PTR: ['host.example.net.'],
  SMIMEA: ['3 1 1 ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF01 23456789'],
  SRV: ['1 2 443 server.example.net.'],
  SSHFP: ['4 2 ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF01 23456789'],
  SVCB: ['1 svc.example.net. mandatory=port port=53'],
  TLSA: ['3 1 1 ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF01 23456789'],
  TXT: ['"one" "two"', '"semi; colon, \\"quote\\", back\\\\slash, \\195\\188"'],
  URI: ['10 1 "https://example.com/a?b=c"'],
};

/** What every driver of name servers must do; what its servers say is asked of them by DNS. */
export function dnsContract(name: string, open: () => Promise<DnsContractSubject>): void {
  describe(`the DNS contract: ${name}`, () => {
    let subject: DnsContractSubject;
    before(async () => {
      subject = await open();
    });
    after(() => subject.close());

    const zoneName = () => `z${randomUUID().slice(0, 8)}.example`;
    const wantedZone = (change: Partial<WantedZone> = {}): WantedZone => {
      const zone = change.zone ?? zoneName();
      const rrsets = [set(`www.${zone}`, 'A', '192.0.2.1'), set(zone, 'MX', `10 mail.${zone}.`)];
      return { zone, rrsets, nameservers: subject.nameservers, dnssec: false, ...change };
    };
    async function made(change: Partial<WantedZone> = {}): Promise<ServedZone & { wanted: WantedZone }> {
      const wanted = wantedZone(change);
      return { ...done(await subject.driver.ensureZone(wanted)), wanted };
    }
    const soaOf = async (zone: string) => {
      const record = (await subject.ask(zone, 'SOA', 'udp')).answers?.find((answer) => answer.type === 'SOA');
      return record?.data ?? assert.fail(`${zone} has no SOA`);
    };
    const rcode = async (asked: string) => ((await subject.ask(asked, 'A', 'udp')).flags ?? 0) & 0xf;
    const named = async (zone: string) =>
      (await subject.dig(zone, 'NS')).map((host) => host.replace(/\.$/, ''));

    test('a zone is made as it is wanted, and answered with authority by UDP and TCP', async () => {
      const { zone, serial, dnssec, ds } = await made();
      assert.deepEqual({ dnssec, ds }, { dnssec: false, ds: [] });
      for (const transport of ['udp', 'tcp'] as const) {
        const answer = await subject.ask(`www.${zone}`, 'A', transport);
        assert.equal(answer.flag_aa, true);
        assert.deepEqual(
          answer.answers?.map((one) => 'data' in one && one.data),
          ['192.0.2.1'],
        );
      }
      const soa = await soaOf(zone);
      assert.deepEqual([soa.mname, soa.serial], [subject.nameservers[0], serial]);
      assert.deepEqual(await named(zone), [...subject.nameservers].sort());
      assert.deepEqual(await subject.driver.zone(zone, DEADLINE_MS), { zone, serial, dnssec, ds });
    });

    test('every record type is served as it was given', async () => {
      const zone = zoneName();
      const rrsets = Object.entries(EVERY_TYPE).map(([type, records]) => ({
        ...set(`${type.toLowerCase()}.${zone}`, type),
        records,
      }));
      const delegated = [
        set(`sub.${zone}`, 'NS', `ns.sub.${zone}.`),
        set(`sub.${zone}`, 'DS', `1 13 2 ${'AB'.repeat(32)}`),
      ];
      await made({ zone, rrsets: [...rrsets, ...delegated, set(`alias.${zone}`, 'CNAME', `a.${zone}.`)] });
      for (const [type, records] of Object.entries(EVERY_TYPE))
        assert.deepEqual(await subject.dig(`${type.toLowerCase()}.${zone}`, type), [...records].sort(), type);
      assert.deepEqual(await subject.dig(`alias.${zone}`, 'A'), ['192.0.2.1', '192.0.2.2', `a.${zone}.`]);
      assert.equal(
        (await subject.dig(`sub.${zone}`, 'DS'))[0]?.replaceAll(' ', ''),
        `1132${'AB'.repeat(32)}`,
      );
    });

    test('a zone that is there is brought to exactly what is wanted, its name servers too', async () => {
      const { zone, serial } = await made();
      const nameservers = subject.nameservers.toReversed();
      const changed = await made({ zone, rrsets: [set(`new.${zone}`, 'A', '192.0.2.9')], nameservers });
      assert.ok(changed.serial > serial);
      assert.equal((await soaOf(zone)).mname, nameservers[0]);
      assert.deepEqual(await subject.dig(`new.${zone}`, 'A'), ['192.0.2.9']);
      assert.equal(await rcode(`www.${zone}`), NXDOMAIN);
      assert.deepEqual(await subject.dig(zone, 'MX'), []);
    });

    test('a zone that is ensured twice, also at once, is one zone; the serial stays when nothing changes', async () => {
      const wanted = wantedZone();
      await Promise.all(
        [subject.driver.ensureZone(wanted), subject.driver.ensureZone(wanted)].map(async (outcome) =>
          done(await outcome),
        ),
      );
      const first = done(await subject.driver.ensureZone(wanted));
      assert.deepEqual(done(await subject.driver.ensureZone(wanted)), first);
      assert.deepEqual(
        (await subject.driver.list()).filter((zone) => zone === wanted.zone),
        [wanted.zone],
      );
      assert.equal((await soaOf(wanted.zone)).serial, first.serial);
    });

    test('record sets that are named are replaced, added and removed; all others stay', async () => {
      const { zone, serial } = await made();
      const changes = [
        { ...set(`www.${zone}`, 'A'), ttl: 60, records: ['192.0.2.7', '192.0.2.8'] },
        set(`added.${zone}`, 'TXT', '"new"'),
      ];
      const changed = done(await subject.driver.ensureRrSets({ zone, rrsets: changes }));
      assert.ok(changed.serial > serial);
      assert.equal((await soaOf(zone)).serial, changed.serial);
      assert.deepEqual(await subject.dig(`www.${zone}`, 'A'), ['192.0.2.7', '192.0.2.8']);
      const ttls = (await subject.ask(`www.${zone}`, 'A', 'udp')).answers?.map(
        (one) => 'ttl' in one && one.ttl,
      );
      assert.deepEqual(ttls, [60, 60]);
      assert.deepEqual(await subject.dig(`added.${zone}`, 'TXT'), ['"new"']);
      assert.deepEqual(await subject.dig(zone, 'MX'), [`10 mail.${zone}.`]);
      done(await subject.driver.ensureRrSets({ zone, rrsets: [set(`www.${zone}`, 'A')] }));
      assert.equal(await rcode(`www.${zone}`), NXDOMAIN);
      assert.deepEqual(await subject.dig(`added.${zone}`, 'TXT'), ['"new"']);
    });

    test('the serial does not grow for what is there already, however it is written', async () => {
      const zone = zoneName();
      const rrsets = [
        { ...set(`a.${zone}`, 'AAAA'), records: ['2001:db8::1', '2001:db8::2'] },
        set(`t.${zone}`, 'TXT', '"a" "b"'),
      ];
      const { serial } = await made({ zone, rrsets });
      const again = [
        { ...set(`a.${zone}`, 'AAAA'), records: ['2001:DB8:0::2', '2001:db8::0:1'] },
        set(`t.${zone}`, 'TXT', 'a   b'),
        set(`none.${zone}`, 'A'),
      ];
      assert.equal(done(await subject.driver.ensureRrSets({ zone, rrsets: again })).serial, serial);
      assert.equal((await soaOf(zone)).serial, serial);
    });

    test('an alias takes the place of addresses in one command, and they its place', async () => {
      const { zone } = await made();
      const alias = [set(`www.${zone}`, 'CNAME', `other.${zone}.`), set(`www.${zone}`, 'A')];
      done(await subject.driver.ensureRrSets({ zone, rrsets: alias }));
      assert.deepEqual(await subject.dig(`www.${zone}`, 'CNAME'), [`other.${zone}.`]);
      const address = [set(`www.${zone}`, 'A', '192.0.2.3'), set(`www.${zone}`, 'CNAME')];
      done(await subject.driver.ensureRrSets({ zone, rrsets: address }));
      assert.deepEqual(await subject.dig(`www.${zone}`, 'A'), ['192.0.2.3']);
    });

    test('changes of different record sets at once are all there in the end', async () => {
      const { zone, serial } = await made();
      const hosts = Array.from({ length: 8 }, (_, at) => `h${at}.${zone}`);
      const outcomes = await Promise.all(
        hosts.map((host) => subject.driver.ensureRrSets({ zone, rrsets: [set(host, 'A', '192.0.2.5')] })),
      );
      for (const outcome of outcomes) done(outcome);
      for (const host of hosts) assert.deepEqual(await subject.dig(host, 'A'), ['192.0.2.5']);
      assert.ok(((await soaOf(zone)).serial ?? 0) > serial);
    });

    test('a refusal is an outcome with a reason, and changes nothing, not even what came with it', async () => {
      const { zone, serial } = await made();
      const good = set(`good.${zone}`, 'A', '192.0.2.4');
      for (const bad of [
        set(`www.${zone}`, 'CNAME', `other.${zone}.`),
        set(`bad.${zone}`, 'A', '192.0.2.999'),
        set(`bad.${zone}`, 'MX', 'mail.example.net.'),
        set('elsewhere.example', 'A', '192.0.2.4'),
        set(zone, 'NS', 'ns.example.net.'),
        set(zone, 'SOA', 'a. b. 1 2 3 4 5'),
      ]) {
        refused(await subject.driver.ensureRrSets({ zone, rrsets: [good, bad] }));
        assert.equal(await rcode(`good.${zone}`), NXDOMAIN);
      }
      refused(
        await subject.driver.ensureZone(wantedZone({ zone, rrsets: [good, set(`b.${zone}`, 'A', 'x')] })),
      );
      assert.equal((await soaOf(zone)).serial, serial);
      assert.deepEqual(await subject.dig(`www.${zone}`, 'A'), ['192.0.2.1']);
      const fresh = zoneName();
      refused(await subject.driver.ensureZone(wantedZone({ zone: fresh, rrsets: [set(fresh, 'A', 'x')] })));
      assert.equal(await subject.driver.zone(fresh, DEADLINE_MS), null);
    });

    test('what is not served here is refused, and not made', async () => {
      const zone = zoneName();
      refused(await subject.driver.ensureRrSets({ zone, rrsets: [set(zone, 'A', '192.0.2.1')] }));
      refused(await subject.driver.ensureDnssec(zone, true));
      assert.equal(await subject.driver.zone(zone, DEADLINE_MS), null);
      assert.equal(await subject.driver.publication(zone, DEADLINE_MS), null);
      assert.equal(await rcode(zone), REFUSED);
    });

    test('a zone is signed with a key that its DS digests, and not signed any more', async () => {
      const { zone, serial } = await made();
      const signed = done(await subject.driver.ensureDnssec(zone, true));
      assert.equal(signed.dnssec, true);
      assert.ok(signed.serial > serial);
      const keys = (await subject.ask(zone, 'DNSKEY', 'tcp')).answers?.filter((one) => one.type === 'DNSKEY');
      assert.deepEqual(
        signed.ds.map((one) => [one.algorithm, one.digestType, one.digest]),
        keys?.map(({ data }) => [data.algorithm, 2, digest(zone, data)]),
      );
      assert.equal(signed.ds.length, 1);
      assert.deepEqual(done(await subject.driver.ensureDnssec(zone, true)), signed);
      const off = done(await subject.driver.ensureDnssec(zone, false));
      assert.deepEqual([off.dnssec, off.ds], [false, []]);
      assert.ok(off.serial > signed.serial);
      assert.deepEqual(await subject.dig(zone, 'DNSKEY'), []);
      assert.deepEqual(done(await subject.driver.ensureDnssec(zone, false)), off);
    });

    test('a signed zone keeps its keys through every change, and its signatures cover it', async () => {
      const { zone, wanted, ds } = await made({ dnssec: true });
      const rrsets = [set(`www.${zone}`, 'A', '192.0.2.6')];
      assert.deepEqual(done(await subject.driver.ensureRrSets({ zone, rrsets })).ds, ds);
      const changed = done(await subject.driver.ensureZone({ ...wanted, rrsets }));
      assert.deepEqual([changed.dnssec, changed.ds], [true, ds]);
      const shown = await subject.dig(`www.${zone}`, 'A', '+dnssec');
      assert.deepEqual(
        shown.map((line) => line.split(' ').slice(0, 2)),
        [['192.0.2.6'], ['A', '13']],
      );
      assert.equal(done(await subject.driver.ensureZone({ ...wanted, dnssec: false })).dnssec, false);
    });

    test('a zone is gone after it was removed, and removing it again is done too', async () => {
      const { zone, wanted, serial } = await made({ dnssec: true });
      assert.equal(done(await subject.driver.ensureAbsent(zone)), null);
      assert.equal(done(await subject.driver.ensureAbsent(zone)), null);
      assert.equal(await rcode(zone), REFUSED);
      assert.equal(await subject.driver.zone(zone, DEADLINE_MS), null);
      assert.ok(!(await subject.driver.list()).includes(zone));
      // Made again, it is not older to who remembers it.
      assert.ok(done(await subject.driver.ensureZone(wanted)).serial >= serial);
    });

    test('every name server comes to serve the newest version', async () => {
      const { zone } = await made();
      await published(zone);
      const rrsets = [set(`www.${zone}`, 'A', '192.0.2.11')];
      const { serial } = done(await subject.driver.ensureRrSets({ zone, rrsets }));
      assert.equal((await published(zone)).serial, serial);
    });

    async function published(zone: string) {
      for (let attempt = 0; ; attempt++) {
        const state = await subject.driver.publication(zone, DEADLINE_MS);
        assert.equal(state?.nameserversTotal, subject.nameservers.length);
        if (state?.nameserversCurrent === subject.nameservers.length) return state;
        if (attempt === 500) assert.fail(`${zone} is not served by all: ${JSON.stringify(state)}`);
        await setTimeout(20);
      }
    }

    test('a time-out before the effect is thrown; the command then has it', async () => {
      const wanted = wantedZone();
      await subject.fail(wanted.zone, 'ensure_zone', 'timeout_before');
      await assert.rejects(subject.driver.ensureZone(wanted), BackendUnavailable);
      assert.equal(await rcode(wanted.zone), REFUSED);
      done(await subject.driver.ensureZone(wanted));
      assert.deepEqual(await subject.dig(`www.${wanted.zone}`, 'A'), ['192.0.2.1']);
    });

    test('a time-out after the effect is thrown; the command then finds what is there', async () => {
      const { zone, wanted } = await made();
      const rrsets = [set(`www.${zone}`, 'A', '192.0.2.12')];
      await subject.fail(zone, 'ensure_rrsets', 'timeout_after');
      await assert.rejects(subject.driver.ensureRrSets({ zone, rrsets }), BackendUnavailable);
      const { serial } = await soaOf(zone);
      assert.equal(done(await subject.driver.ensureRrSets({ zone, rrsets })).serial, serial);
      assert.deepEqual(await subject.dig(`www.${zone}`, 'A'), ['192.0.2.12']);
      await subject.fail(zone, 'ensure_absent', 'timeout_after');
      await assert.rejects(subject.driver.ensureAbsent(wanted.zone), BackendUnavailable);
      assert.equal(done(await subject.driver.ensureAbsent(wanted.zone)), null);
    });
  });
}

function set(name: string, type: string, ...records: readonly string[]): RrSet {
  return { name, type, ttl: 300, records };
}

function done<T>(outcome: CommandOutcome<T>): T {
  if (outcome.kind !== 'done') assert.fail(`done expected, got ${JSON.stringify(outcome)}`);
  return outcome.result;
}

function refused(outcome: CommandOutcome<unknown>): void {
  if (outcome.kind !== 'refused') assert.fail(`refused expected, got ${JSON.stringify(outcome)}`);
  assert.notEqual(outcome.reason, '');
}

/** SHA-256 over owner and key (RFC 4034 §5.1.4), reckoned here without the driver. */
function digest(zone: string, key: { flags: number; algorithm: number; key: Buffer }): string {
  const owner = zone.split('.').flatMap((label) => [Buffer.of(label.length), Buffer.from(label)]);
  const head = Buffer.of(key.flags >> 8, key.flags & 0xff, 3, key.algorithm);
  const hash = createHash('sha256').update(Buffer.concat([...owner, Buffer.of(0), head, key.key]));
  return hash.digest('hex').toUpperCase();
}
