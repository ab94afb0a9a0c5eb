import type { DelegationSigner } from '../../../base/delegation-signer.ts';
import { type DnsKey, isSignerOf } from '../../../base/dns/signer.ts';
import { isGlobalUnicast } from '../../../base/global-address.ts';
import type { ServerAddress } from '../../../base/name-server.ts';
import type {
  DelegationQueries,
  DelegationQuestion,
  ExistingZone,
  NamedServer,
  ServerReport,
} from '../port.ts';
import { askServer, rcodeOf } from '../question.ts';
import { ExistingZones } from './existing.ts';

const DNS_PORT = 53;
/** Of a name with more addresses than this, the first ones are asked. */
const MOST_ADDRESSES = 6;

export interface InternetDelegationOptions {
  /** The world's DNS: the addresses of a host name, and the name servers of a zone; both throw when nobody says. */
  readonly resolver: {
    addresses(name: string, deadlineMs: number): Promise<readonly string[]>;
    nameservers(zone: string, deadlineMs: number): Promise<readonly string[]>;
  };
  /** For tests, which stand in for the world. */
  readonly permits?: (address: string) => boolean;
  readonly port?: number;
}

interface Said {
  readonly serial: number | null;
  readonly latencyMs: number | null;
  readonly hasKey: boolean | null;
}

/** Asks by DNS, and only addresses that anybody in the world can reach: the names are customers' (rule A11). */
export class InternetDelegation implements DelegationQueries {
  readonly #resolver: InternetDelegationOptions['resolver'];
  readonly #existing: ExistingZones;
  readonly #permits: (address: string) => boolean;
  readonly #port: number;

  constructor({ resolver, permits = isGlobalUnicast, port = DNS_PORT }: InternetDelegationOptions) {
    this.#resolver = resolver;
    this.#permits = permits;
    this.#port = port;
    this.#existing = new ExistingZones({
      nameserversOf: (zone, deadlineMs) => resolver.nameservers(zone, deadlineMs),
      addressesOf: async (hostname, deadlineMs) => {
        const addresses = await this.#addressesOf({ hostname, ipv4: [], ipv6: [] }, deadlineMs);
        return addresses.map((address) => ({ address, port }));
      },
    });
  }

  existing(zone: string, deadlineMs: number): Promise<ExistingZone> {
    return this.#existing.read(zone, deadlineMs);
  }

  async inspect(
    { zone, nameservers, ds }: DelegationQuestion,
    deadlineMs: number,
  ): Promise<readonly ServerReport[]> {
    const signal = AbortSignal.timeout(deadlineMs);
    return await Promise.all(
      nameservers.map(async (host) => {
        const addresses = await this.#addressesOf(host, deadlineMs);
        const said = await Promise.all(
          addresses.map((address) => askFor({ address, port: this.#port }, zone, ds, signal)),
        );
        return report(host.hostname, said);
      }),
    );
  }

  /** None, if one of them is not permitted: a name that also leads to us means no good, or a mistake. */
  async #addressesOf({ hostname, ipv4, ipv6 }: NamedServer, deadlineMs: number): Promise<readonly string[]> {
    const glue = [...ipv4, ...ipv6];
    const found =
      glue.length > 0 ? glue : await this.#resolver.addresses(hostname, deadlineMs).catch(() => []);
    return found.every(this.#permits) ? found.slice(0, MOST_ADDRESSES) : [];
  }
}

async function askFor(
  server: ServerAddress,
  zone: string,
  ds: readonly DelegationSigner[],
  signal: AbortSignal,
): Promise<Said> {
  const begun = performance.now();
  const soa = await askServer(server, { name: zone, type: 'SOA' }, signal).catch(() => null);
  const latencyMs = soa === null ? null : Math.round(performance.now() - begun);
  const record = soa?.answers?.find((one) => one.type === 'SOA');
  const answers = soa?.flag_aa === true && rcodeOf(soa) === 0;
  const serial = answers ? (record?.data.serial ?? null) : null;
  if (serial === null || ds.length === 0) return { serial, latencyMs, hasKey: null };
  const keys = await askServer(server, { name: zone, type: 'DNSKEY' }, signal).catch(() => null);
  if (keys === null) return { serial, latencyMs, hasKey: null };
  const found = (keys.answers ?? []).flatMap((one): DnsKey[] =>
    one.type === 'DNSKEY'
      ? [{ flags: one.data.flags, algorithm: one.data.algorithm, key: one.data.key }]
      : [],
  );
  const hasKey = ds.some((signer) => found.some((key) => isSignerOf(signer, zone, key)));
  return { serial, latencyMs, hasKey };
}

function report(hostname: string, said: readonly Said[]): ServerReport {
  const serials = said.flatMap(({ serial }) => serial ?? []);
  const latencies = said.flatMap(({ latencyMs }) => latencyMs ?? []);
  const keys = said.flatMap(({ hasKey }) => hasKey ?? []);
  return {
    hostname,
    resolves: said.length > 0,
    authoritative: said.length > 0 && serials.length === said.length,
    soaSerial: serials.length === 0 ? null : Math.min(...serials),
    latencyMs: latencies.length === 0 ? null : Math.max(...latencies),
    hasKey: keys.length === 0 ? null : keys.every((has) => has),
  };
}
