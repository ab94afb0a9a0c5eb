import type { DelegationQueries, DelegationQuestion, ExistingZone, ServerReport } from '../port.ts';

const SERIAL = 2_027_010_101;
const LATENCY_MS = 12;

/**
 * Name servers in this process, for the demonstration and for tests: what they say follows from their names. One that
 * begins with `missing` is not there, with `timeout` does not answer, with `lame` knows nothing of the zone; one that
 * begins with `unsigned` has no keys. All others serve every zone, with whatever keys it takes. Of zones that domains have
 * elsewhere, those whose names begin with `missing` or `silent` are not to be had; with `open`, they can be transferred;
 * all others have a web site and mail at names that are asked for.
 */
export class SandboxDelegation implements DelegationQueries {
  async inspect({ nameservers, ds }: DelegationQuestion): Promise<readonly ServerReport[]> {
    return nameservers.map(({ hostname }) => {
      const says = (begin: string) => hostname.startsWith(begin);
      const resolves = !says('missing');
      const answers = resolves && !says('timeout');
      const authoritative = answers && !says('lame');
      return {
        hostname,
        resolves,
        authoritative,
        soaSerial: authoritative ? SERIAL : null,
        latencyMs: answers ? LATENCY_MS : null,
        hasKey: authoritative && ds.length > 0 ? !says('unsigned') : null,
      };
    });
  }

  async existing(zone: string): Promise<ExistingZone> {
    const nameservers = ['ns1.sandbox.example', 'ns2.sandbox.example'];
    if (zone.startsWith('missing')) return { source: null, nameservers: [], records: [], complete: true };
    if (zone.startsWith('silent')) return { source: null, nameservers, records: [], complete: false };
    const source = zone.startsWith('open') ? 'transfer' : 'questions';
    const record = (name: string, type: string, rdata: string) => ({ name, type, ttl: 300, rdata });
    const usual = [
      record(zone, 'A', '203.0.113.80'),
      record(zone, 'MX', `10 mail.${zone}.`),
      record(zone, 'TXT', '"v=spf1 mx -all"'),
      record(`mail.${zone}`, 'A', '203.0.113.25'),
      record(`www.${zone}`, 'CNAME', `${zone}.`),
    ];
    const unusual = [
      record(`warehouse-7.${zone}`, 'A', '203.0.113.7'),
      { name: zone, type: 'HINFO', ttl: 300, rdata: '"a" "b"' },
    ];
    return {
      source,
      nameservers,
      records: source === 'transfer' ? [...usual, ...unusual] : usual,
      complete: true,
    };
  }
}
