import type { Clock } from '../../../base/clock.ts';
import { parseName } from '../../../base/dns/wire/name.ts';
import { encodeRdata } from '../../../base/dns/wire/rdata.ts';
import { rdataText } from '../../../base/dns/wire/rdata-text.ts';
import type { ServerAddress } from '../../../base/name-server.ts';
import type { Pool } from '../../../db/pool.ts';
import { type Transaction, transaction } from '../../../db/transaction.ts';
import { BackendUnavailable, type CommandOutcome } from '../../outcome.ts';
import { misplacedRrSet } from '../apex.ts';
import type { Dns, Publication, RrSet, ServedZone, WantedRrSets, WantedZone } from '../port.ts';
import { publicationOf } from '../publication.ts';
import { firstSerial } from '../serial.ts';
import {
  all,
  changeZone,
  locked,
  make,
  misplacedAliases,
  one,
  putRrSets,
  remove,
  type ZoneRow,
} from './books.ts';
import { type DnsCommand, takeDnsFault } from './fault.ts';
import { registeredNameServer } from './name-server.ts';
import { newSigningKey, Signer } from './signing.ts';

export interface SandboxDnsOptions {
  /** A pool of the sandbox's own: it commits by itself, as another system would. */
  readonly db: Pool;
  readonly clock: Clock;
  /**
   * Where the sandbox's name server answers, for all that a zone is delegated to; null: nowhere, its books are believed;
   * `registered`: where the process that serves has said.
   */
  readonly server: ServerAddress | null | 'registered';
}

/** The wanted state cannot be; the transaction is rolled back. */
class Refused extends Error {
  override readonly name = 'Refused';
}

/** Zones in PostgreSQL, which the sandbox's name server (server.ts) answers from, in whichever process it runs. */
export class SandboxDns implements Dns {
  readonly #db: Pool;
  readonly #clock: Clock;
  readonly #server: SandboxDnsOptions['server'];

  constructor({ db, clock, server }: SandboxDnsOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#server = server;
  }

  ensureZone(wanted: WantedZone): Promise<CommandOutcome<ServedZone>> {
    const { zone, nameservers, dnssec } = wanted;
    return this.#command('ensure_zone', zone, async (tx) => {
      const rrsets = canonical(zone, wanted.rrsets);
      const now = this.#clock.now();
      const row = { zone, nameservers: [...nameservers] };
      await tx.run(make, [zone, firstSerial(now), row.nameservers, dnssec ? newSigningKey() : null, now]);
      const before = await found(tx, zone);
      const key = dnssec ? (before.signing_key ?? newSigningKey()) : null;
      const isSame =
        before.nameservers.join(' ') === nameservers.join(' ') && dnssec === (before.signing_key !== null);
      const changed = await putRrSets(tx, zone, rrsets, true);
      await refuseMisplacedAliases(tx, zone, rrsets);
      if (changed === 0 && isSame) return before;
      return await changeZone(tx, { ...before, ...row, signing_key: key }, now);
    });
  }

  ensureRrSets({ zone, rrsets }: WantedRrSets): Promise<CommandOutcome<ServedZone>> {
    return this.#command('ensure_rrsets', zone, async (tx) => {
      const before = await found(tx, zone);
      const changed = await putRrSets(tx, zone, canonical(zone, rrsets), false);
      await refuseMisplacedAliases(tx, zone, rrsets);
      return changed === 0 ? before : await changeZone(tx, before, this.#clock.now());
    });
  }

  ensureDnssec(zone: string, enabled: boolean): Promise<CommandOutcome<ServedZone>> {
    return this.#command('ensure_dnssec', zone, async (tx) => {
      const before = await found(tx, zone);
      if (enabled === (before.signing_key !== null)) return before;
      const signing_key = enabled ? newSigningKey() : null;
      return await changeZone(tx, { ...before, signing_key }, this.#clock.now());
    });
  }

  async ensureAbsent(zone: string): Promise<CommandOutcome<null>> {
    const fault = await takeDnsFault(this.#db, 'ensure_absent', zone);
    if (fault === 'timeout_before') throw new BackendUnavailable('sandbox');
    if (fault === 'refuse') return { kind: 'refused', reason: 'the sandbox was told to refuse' };
    await this.#db.run(remove, [zone]);
    if (fault === 'timeout_after') throw new BackendUnavailable('sandbox');
    return { kind: 'done', result: null };
  }

  async zone(zone: string): Promise<ServedZone | null> {
    await this.#answers('zone', zone);
    const [row] = await this.#db.run(one, [zone]);
    return row === undefined ? null : served(row);
  }

  async publication(zone: string, deadlineMs: number): Promise<Publication | null> {
    await this.#answers('publication', zone);
    const [row] = await this.#db.run(one, [zone]);
    if (row === undefined) return null;
    const total = row.nameservers.length;
    const serial = Number(row.serial);
    if (this.#server === null) return { serial, nameserversTotal: total, nameserversCurrent: total };
    const server = this.#server === 'registered' ? await registeredNameServer(this.#db) : this.#server;
    if (server === null) return { serial, nameserversTotal: total, nameserversCurrent: 0 };
    const nameservers = row.nameservers.map((hostname) => ({ hostname, addresses: [server] }));
    return await publicationOf(nameservers, zone, serial, AbortSignal.timeout(deadlineMs));
  }

  async list(): Promise<readonly string[]> {
    await this.#answers('list', null);
    return (await this.#db.run(all, [])).map(({ zone }) => zone);
  }

  async #answers(question: DnsCommand, zone: string | null): Promise<void> {
    if ((await takeDnsFault(this.#db, question, zone)) !== null) throw new BackendUnavailable('sandbox');
  }

  async #command(
    command: DnsCommand,
    zone: string,
    effect: (tx: Transaction) => Promise<ZoneRow>,
  ): Promise<CommandOutcome<ServedZone>> {
    const fault = await takeDnsFault(this.#db, command, zone);
    if (fault === 'timeout_before') throw new BackendUnavailable('sandbox');
    if (fault === 'refuse') return { kind: 'refused', reason: 'the sandbox was told to refuse' };
    try {
      const row = await transaction(this.#db, effect);
      if (fault === 'timeout_after') throw new BackendUnavailable('sandbox');
      return { kind: 'done', result: served(row) };
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', reason: error.message };
      throw error;
    }
  }
}

function served({ zone, serial, signing_key: key }: ZoneRow): ServedZone {
  const ds = key === null ? [] : [new Signer(parseName(zone), key).ds];
  return { zone, serial: Number(serial), dnssec: key !== null, ds };
}

async function found(tx: Transaction, zone: string): Promise<ZoneRow> {
  const [row] = await tx.run(locked, [zone]);
  if (row === undefined) throw new Refused(`${zone} is not served here`);
  return row;
}

async function refuseMisplacedAliases(
  tx: Transaction,
  zone: string,
  rrsets: readonly RrSet[],
): Promise<void> {
  const [alias] = await tx.run(misplacedAliases, [zone, rrsets.map(({ name }) => name)]);
  if (alias !== undefined) throw new Refused(`${alias.name} has a CNAME and other records`);
}

/** One form and one order, so that what is the same is seen to be. */
function canonical(zone: string, rrsets: readonly RrSet[]): readonly RrSet[] {
  const misplaced = misplacedRrSet(zone, rrsets);
  if (misplaced !== null) throw new Refused(misplaced);
  return rrsets.map(({ name, type, ttl, records }) => ({
    name,
    type,
    ttl,
    records: records.map((record) => canonicalRdata(name, type, record)).sort(),
  }));
}

function canonicalRdata(name: string, type: string, record: string): string {
  try {
    return rdataText(type, encodeRdata(type, record));
  } catch (error) {
    if (error instanceof RangeError) throw new Refused(`${name} ${type} ${record}: ${error.message}`);
    throw error;
  }
}
