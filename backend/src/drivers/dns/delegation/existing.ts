import { isWithin } from '../../../base/dns/name.ts';
import { type AnsweredRecord, readAnswer } from '../../../base/dns/wire/message.ts';
import type { ServerAddress } from '../../../base/name-server.ts';
import { Overloaded, Semaphore } from '../../../base/semaphore.ts';
import type { ExistingRecord, ExistingZone } from '../port.ts';
import { askForMessage } from '../question.ts';
import { askForUsualNames } from './questions.ts';
import { transferZone } from './zone-transfer.ts';

export interface ExistingOptions {
  /** The host names that a zone is delegated to; throws when nobody says. */
  readonly nameserversOf: (zone: string, deadlineMs: number) => Promise<readonly string[]>;
  /** Where a name server can be asked: none, unless all of its addresses are ones that may be. */
  readonly addressesOf: (hostname: string, deadlineMs: number) => Promise<readonly ServerAddress[]>;
}

const MOST_NAMESERVERS = 6;
/** The fastest of their addresses: a transfer is megabytes, and one is enough. */
const MOST_TRANSFERS = 6;
/** The part of the time that a transfer may take: after it, there is some left for questions. */
const TRANSFER_SHARE = 0.4;
/** Each takes some hundred questions. */
const AT_ONCE = 4;
const WAITING = 50;
const NOBODY = { source: null, records: [], complete: true } as const;

/** The other name servers' own, and signatures: both are made anew. */
const THEIRS = new Set(
  'CDNSKEY CDS DNSKEY NSEC NSEC3 NSEC3PARAM RRSIG SOA ZONEMD TYPE51 TYPE50 TYPE63'.split(' '),
);

/** Reads zones from the name servers that they have now. */
export class ExistingZones {
  readonly #options: ExistingOptions;
  readonly #slots = new Semaphore(AT_ONCE, WAITING);

  constructor(options: ExistingOptions) {
    this.#options = options;
  }

  async read(zone: string, deadlineMs: number): Promise<ExistingZone> {
    const signal = AbortSignal.timeout(deadlineMs);
    const until = performance.now() + deadlineMs;
    try {
      return await this.#slots.run(() => this.#readNow(zone, until, signal));
    } catch (error) {
      if (error instanceof Overloaded) return { ...NOBODY, nameservers: [], complete: false };
      throw error;
    }
  }

  async #readNow(zone: string, until: number, signal: AbortSignal): Promise<ExistingZone> {
    const { nameserversOf, addressesOf } = this.#options;
    const left = () => Math.max(1, Math.ceil(until - performance.now()));
    const nameservers = await nameserversOf(zone, left()).catch(() => null);
    if (nameservers === null) return { ...NOBODY, nameservers: [], complete: false };
    const found = await Promise.all(
      nameservers.slice(0, MOST_NAMESERVERS).map((host) => addressesOf(host, left())),
    );
    const servers = await authoritative(found.flat(), zone, signal);
    const [fastest] = servers;
    if (fastest === undefined) return { ...NOBODY, nameservers, complete: found.length === 0 };
    const transferred = await transferFrom(
      servers.slice(0, MOST_TRANSFERS),
      zone,
      Math.ceil(left() * TRANSFER_SHARE),
    );
    if (transferred !== null)
      return { source: 'transfer', nameservers, records: existing(zone, transferred), complete: true };
    const { records, complete } = await askForUsualNames(fastest, zone, signal);
    return { source: 'questions', nameservers, records: existing(zone, records), complete };
  }
}

/** Those that have the zone, the fastest first. */
async function authoritative(
  servers: readonly ServerAddress[],
  zone: string,
  signal: AbortSignal,
): Promise<readonly ServerAddress[]> {
  const found: ServerAddress[] = [];
  await Promise.all(
    servers.map(async (server) => {
      try {
        const answer = readAnswer(await askForMessage(server, { name: zone, type: 'SOA' }, signal));
        if (answer.authoritative && answer.records.some(({ type }) => type === 'SOA')) found.push(server);
      } catch {
        // Who does not answer, or nothing that can be read, has nothing for us.
      }
    }),
  );
  return found;
}

/** The first that is whole; the others end with it. */
async function transferFrom(
  servers: readonly ServerAddress[],
  zone: string,
  withinMs: number,
): Promise<readonly AnsweredRecord[] | null> {
  const found = new AbortController();
  const signal = AbortSignal.any([found.signal, AbortSignal.timeout(withinMs)]);
  try {
    return await firstOf(servers.map((server) => transferZone(server, zone, signal)));
  } finally {
    found.abort();
  }
}

async function firstOf<T>(tried: readonly Promise<T | null>[]): Promise<T | null> {
  const found = tried.map(async (one) => (await one) ?? Promise.reject(new Error('not there')));
  return await Promise.any(found).catch(() => null);
}

function existing(zone: string, records: readonly AnsweredRecord[]): readonly ExistingRecord[] {
  return records
    .filter(
      ({ owner, type }) => isWithin(owner, zone) && !THEIRS.has(type) && !(type === 'NS' && owner === zone),
    )
    .map(({ owner, type, ttl, rdata }) => ({ name: owner, type, ttl, rdata }));
}
