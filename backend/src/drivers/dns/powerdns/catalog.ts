import type { Clock } from '../../../base/clock.ts';
import { APEX_TTL } from '../apex.ts';
import { firstSerial } from '../serial.ts';
import type { RrSetChange } from './convert.ts';
import type { PowerDnsZones } from './zones.ts';

export interface CatalogOptions {
  readonly zone: string;
  readonly tsigKeys: readonly string[];
  readonly clock: Clock;
}

/** Seconds: whoever missed a notification asks each minute. Nothing of a catalog is ever resolved (RFC 9432 §4.2.1). */
const SOA = (serial: number) => `invalid. hostmaster.invalid. ${serial} 60 60 1209600 60`;

/**
 * The catalog zone (RFC 9432) that secondaries read their list of zones from. PowerDNS makes its records of the zones
 * that name it as theirs, but looks for new ones once a minute only; so each change here counts its serial up and is told.
 */
export class Catalog {
  readonly #zones: PowerDnsZones;
  readonly #options: CatalogOptions;

  constructor(zones: PowerDnsZones, options: CatalogOptions) {
    this.#zones = zones;
    this.#options = options;
  }

  /** Makes a zone that is served here a member. */
  async add(zone: string, signal: AbortSignal): Promise<void> {
    const { zone: catalog, tsigKeys, clock } = this.#options;
    const content = SOA(firstSerial(clock.now()));
    const soa = { name: `${catalog}.`, type: 'SOA', ttl: APEX_TTL, records: [{ content, disabled: false }] };
    const settings = { kind: 'Producer', soa_edit_api: 'INCREASE', master_tsig_key_ids: tsigKeys } as const;
    await this.#zones.make(catalog, settings, [soa], signal);
    await this.#zones.set(zone, { catalog: `${catalog}.` }, signal);
    await this.announce(signal);
  }

  /** After a zone came or went; nothing while there is no catalog. */
  async announce(signal: AbortSignal): Promise<void> {
    const { zone } = this.#options;
    if ((await this.#zones.find(zone, signal)) === null) return;
    // Nothing of this name is ever there: the removal only counts the serial up, in PowerDNS's own transaction.
    const nothing: RrSetChange = {
      name: `changed.${zone}.`,
      type: 'TXT',
      ttl: APEX_TTL,
      records: [],
      changetype: 'DELETE',
    };
    await this.#zones.change(zone, [nothing], signal);
    await this.#zones.notify(zone, signal);
  }
}
