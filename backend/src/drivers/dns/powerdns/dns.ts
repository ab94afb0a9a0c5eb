import type { Clock } from '../../../base/clock.ts';
import type { NameServer } from '../../../base/name-server.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { apexRrSets, misplacedRrSet } from '../apex.ts';
import type { Dns, Publication, RrSet, ServedZone, WantedRrSets, WantedZone } from '../port.ts';
import { publicationOf } from '../publication.ts';
import { firstSerial } from '../serial.ts';
import { PowerDnsApi, PowerDnsRefusal, type PowerDnsServer } from './api.ts';
import { notServed, persisting, unrefused } from './attempt.ts';
import { Catalog } from './catalog.ts';
import {
  changesBetween,
  type PowerDnsFullZone,
  type PowerDnsRrSet,
  type PowerDnsZone,
  removalsOf,
  signersOf,
  toPowerDns,
  UnreadableRecord,
} from './convert.ts';
import { correctionOf, primarySettings, SIGNED, TOLD_TO_PARENTS } from './settings.ts';
import { PowerDnsZones } from './zones.ts';

export interface PowerDnsOptions extends PowerDnsServer {
  readonly clock: Clock;
  /** Every name server that zones are delegated to, with its addresses: publication is asked of them. */
  readonly nameservers: readonly NameServer[];
  /** The name of a TSIG key in PowerDNS that secondaries transfer zones with; null: by their addresses only. */
  readonly tsigKey: string | null;
  /** A catalog zone (RFC 9432) that tells secondaries which zones there are; null: they are told otherwise. */
  readonly catalog: string | null;
}

/** For a command: the largest zones take seconds. */
const DEADLINE_MS = 30_000;
/** So many record sets are asked for one by one; of more, the whole zone is. */
const MOST_SINGLY = 10;

/**
 * PowerDNS Authoritative Server, 4.7 or newer, as primary. After every command it tells the secondaries, which would
 * otherwise hear of a change within a minute.
 */
export class PowerDns implements Dns {
  readonly #options: PowerDnsOptions;
  readonly #zones: PowerDnsZones;
  readonly #catalog: Catalog | null;
  readonly #tsigKeys: readonly string[];

  constructor(options: PowerDnsOptions) {
    const { catalog, tsigKey, clock } = options;
    this.#options = options;
    this.#zones = new PowerDnsZones(new PowerDnsApi(options));
    this.#tsigKeys = tsigKey === null ? [] : [`${tsigKey}.`];
    this.#catalog =
      catalog === null ? null : new Catalog(this.#zones, { zone: catalog, tsigKeys: this.#tsigKeys, clock });
  }

  ensureZone(wanted: WantedZone): Promise<CommandOutcome<ServedZone>> {
    return this.#command(wanted.zone, wanted.rrsets, async (signal) => {
      const before = (await this.#zones.findFull(wanted.zone, signal)) ?? (await this.#make(wanted, signal));
      if (before !== null) await this.#bring(wanted, before, signal);
      await unrefused(async () => {
        const there = await this.#found(wanted.zone, signal);
        await this.#configure(wanted.zone, there, signal);
        if (there.dnssec !== wanted.dnssec) await this.#sign(wanted.zone, wanted.dnssec, signal);
      });
    });
  }

  ensureRrSets({ zone, rrsets }: WantedRrSets): Promise<CommandOutcome<ServedZone>> {
    return this.#command(zone, rrsets, async (signal) => {
      const wanted = rrsets.map(toPowerDns);
      await this.#zones.change(zone, changesBetween(await this.#those(zone, wanted, signal), wanted), signal);
    });
  }

  ensureDnssec(zone: string, enabled: boolean): Promise<CommandOutcome<ServedZone>> {
    return this.#command(zone, [], async (signal) => {
      if ((await this.#found(zone, signal)).dnssec !== enabled) await this.#sign(zone, enabled, signal);
    });
  }

  async ensureAbsent(zone: string): Promise<CommandOutcome<null>> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    await persisting(() => unrefused(() => this.#zones.remove(zone, signal)));
    await persisting(() => unrefused(async () => await this.#catalog?.announce(signal)));
    return { kind: 'done', result: null };
  }

  async zone(zone: string, deadlineMs: number): Promise<ServedZone | null> {
    const signal = AbortSignal.timeout(deadlineMs);
    const there = await this.#zones.find(zone, signal);
    return there === null ? null : await this.#served(zone, there, signal);
  }

  async publication(zone: string, deadlineMs: number): Promise<Publication | null> {
    const signal = AbortSignal.timeout(deadlineMs);
    const there = await this.#zones.find(zone, signal);
    if (there === null) return null;
    const delegated = await this.#zones.rrset(zone, { name: `${zone}.`, type: 'NS' }, signal);
    const nameservers = delegated
      .flatMap(({ records }) => records.map(({ content }) => content.replace(/\.$/, '')))
      .map((hostname) => this.#nameserver(hostname));
    return await publicationOf(nameservers, zone, there.edited_serial, signal);
  }

  async list(): Promise<readonly string[]> {
    const zones = await this.#zones.list(AbortSignal.timeout(DEADLINE_MS));
    // Catalogs are no customers' zones.
    return zones
      .filter(({ kind }) => kind !== 'Producer' && kind !== 'Consumer')
      .map(({ name }) => name.replace(/\.$/, ''));
  }

  /** As they are now. */
  async #those(
    zone: string,
    wanted: readonly PowerDnsRrSet[],
    signal: AbortSignal,
  ): Promise<readonly PowerDnsRrSet[]> {
    if (wanted.length > 0 && wanted.length <= MOST_SINGLY) {
      const found = await Promise.all(wanted.map((rrset) => this.#zones.rrset(zone, rrset, signal)));
      return found.flat();
    }
    const all = await this.#zones.findFull(zone, signal);
    return all?.rrsets ?? notServed();
  }

  /** What was there before, when somebody else made it at the same time. */
  async #make(
    { zone, nameservers, rrsets }: WantedZone,
    signal: AbortSignal,
  ): Promise<PowerDnsFullZone | null> {
    const all = [...apexRrSets(zone, nameservers, firstSerial(this.#options.clock.now())), ...rrsets];
    const isMade = await this.#zones.make(zone, primarySettings(this.#tsigKeys), all.map(toPowerDns), signal);
    return isMade ? null : await this.#zones.findFull(zone, signal);
  }

  async #bring(
    { zone, nameservers, rrsets }: WantedZone,
    before: PowerDnsFullZone,
    signal: AbortSignal,
  ): Promise<void> {
    // With the serial that is there: to count it up is PowerDNS's part.
    const serial = Number(soaOf(before)?.split(' ')[2] ?? firstSerial(this.#options.clock.now()));
    const wanted = [...apexRrSets(zone, nameservers, serial), ...rrsets].map(toPowerDns);
    const changes = [...removalsOf(before.rrsets, wanted), ...changesBetween(before.rrsets, wanted)];
    await this.#zones.change(zone, changes, signal);
  }

  /** Brings its settings to ours. */
  async #configure(zone: string, there: PowerDnsZone, signal: AbortSignal): Promise<void> {
    const { catalog } = this.#options;
    await this.#zones.set(zone, correctionOf(there, this.#tsigKeys), signal);
    if (there.catalog !== `${catalog}.`) await this.#catalog?.add(zone, signal);
  }

  async #sign(zone: string, enabled: boolean, signal: AbortSignal): Promise<void> {
    if (!enabled) return await this.#zones.set(zone, { dnssec: false }, signal);
    for (const [kind, value] of Object.entries(TOLD_TO_PARENTS))
      await this.#zones.setMetadata(zone, kind, value, signal);
    await this.#zones.set(zone, SIGNED, signal);
  }

  async #command(
    zone: string,
    rrsets: readonly RrSet[],
    effect: (signal: AbortSignal) => Promise<void>,
  ): Promise<CommandOutcome<ServedZone>> {
    const misplaced = misplacedRrSet(zone, rrsets);
    if (misplaced !== null) return { kind: 'refused', reason: misplaced };
    const signal = AbortSignal.timeout(DEADLINE_MS);
    try {
      await persisting(() => effect(signal));
      // Also when nothing was changed: of an attempt before, they may not have heard.
      const result = await unrefused(async () => {
        await this.#zones.notify(zone, signal);
        return await this.#served(zone, await this.#found(zone, signal), signal);
      });
      return { kind: 'done', result };
    } catch (error) {
      if (error instanceof PowerDnsRefusal || error instanceof UnreadableRecord)
        return { kind: 'refused', reason: `${zone}: ${error.message}` };
      throw error;
    }
  }

  async #found(zone: string, signal: AbortSignal): Promise<PowerDnsZone> {
    return (await this.#zones.find(zone, signal)) ?? notServed();
  }

  async #served(
    zone: string,
    { dnssec, edited_serial: serial }: PowerDnsZone,
    signal: AbortSignal,
  ): Promise<ServedZone> {
    const ds = dnssec ? signersOf(await this.#zones.keys(zone, signal)) : [];
    return { zone, serial, dnssec, ds };
  }

  /** One that the operator did not list cannot be asked, and so is never current. */
  #nameserver(hostname: string): NameServer {
    const listed = this.#options.nameservers.find((server) => server.hostname === hostname);
    return listed ?? { hostname, addresses: [] };
  }
}

function soaOf({ rrsets }: PowerDnsFullZone): string | undefined {
  return rrsets.find(({ type }) => type === 'SOA')?.records[0]?.content;
}
