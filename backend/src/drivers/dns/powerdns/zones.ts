import { z } from 'zod';
import { type PowerDnsApi, PowerDnsRefusal } from './api.ts';
import {
  PowerDnsFullZone,
  PowerDnsKey,
  type PowerDnsRrSet,
  PowerDnsZone,
  type RrSetChange,
} from './convert.ts';

/** Settings of a zone that PowerDNS keeps beside its records. */
export interface ZoneSettings {
  readonly kind?: 'Master' | 'Producer';
  readonly soa_edit_api?: string;
  readonly soa_edit?: string;
  readonly api_rectify?: boolean;
  readonly master_tsig_key_ids?: readonly string[];
  readonly catalog?: string;
  readonly dnssec?: boolean;
  readonly nsec3param?: string;
}

const NOT_FOUND = 404;
const CONFLICT = 409;
const Listed = z.array(z.object({ name: z.string(), kind: z.string() }));

/** Zones of a PowerDNS server; names without the root's dot. Each call ends with the signal at the latest. */
export class PowerDnsZones {
  readonly #api: PowerDnsApi;

  constructor(api: PowerDnsApi) {
    this.#api = api;
  }

  /** Without records; null: there is none. */
  async find(zone: string, signal: AbortSignal): Promise<PowerDnsZone | null> {
    return await unlessMissing(this.#api.get(`${pathOf(zone)}?rrsets=false`, PowerDnsZone, signal));
  }

  async findFull(zone: string, signal: AbortSignal): Promise<PowerDnsFullZone | null> {
    return await unlessMissing(this.#api.get(pathOf(zone), PowerDnsFullZone, signal, 'listed'));
  }

  /** The record set of a name (with the root's dot) and type, if it is there: nothing else of a large zone is sent. */
  async rrset(
    zone: string,
    { name, type }: Pick<PowerDnsRrSet, 'name' | 'type'>,
    signal: AbortSignal,
  ): Promise<readonly PowerDnsRrSet[]> {
    const only = new URLSearchParams({ rrset_name: name, rrset_type: type });
    return (await this.#api.get(`${pathOf(zone)}?${only}`, PowerDnsFullZone, signal, 'listed')).rrsets;
  }

  /** Whether it was made: false where there is one. */
  async make(
    zone: string,
    settings: ZoneSettings,
    rrsets: readonly PowerDnsRrSet[],
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      await this.#api.send(
        'POST',
        '/zones',
        { name: `${zone}.`, ...settings, rrsets, nameservers: [] },
        signal,
      );
      return true;
    } catch (error) {
      if (error instanceof PowerDnsRefusal && error.status === CONFLICT) return false;
      throw error;
    }
  }

  /** All or none. */
  async change(zone: string, rrsets: readonly RrSetChange[], signal: AbortSignal): Promise<void> {
    if (rrsets.length > 0) await this.#api.send('PATCH', pathOf(zone), { rrsets }, signal);
  }

  async set(zone: string, settings: ZoneSettings, signal: AbortSignal): Promise<void> {
    if (Object.keys(settings).length > 0) await this.#api.send('PUT', pathOf(zone), settings, signal);
  }

  async setMetadata(zone: string, kind: string, value: string, signal: AbortSignal): Promise<void> {
    await this.#api.send('PUT', `${pathOf(zone)}/metadata/${kind}`, { metadata: [value] }, signal);
  }

  async keys(zone: string, signal: AbortSignal): Promise<readonly PowerDnsKey[]> {
    return await this.#api.get(`${pathOf(zone)}/cryptokeys`, z.array(PowerDnsKey), signal);
  }

  /** Tells the secondaries that there may be something new. */
  async notify(zone: string, signal: AbortSignal): Promise<void> {
    await this.#api.send('PUT', `${pathOf(zone)}/notify`, undefined, signal);
  }

  /** With its keys; nothing where there is none. */
  async remove(zone: string, signal: AbortSignal): Promise<void> {
    await unlessMissing(this.#api.send('DELETE', pathOf(zone), undefined, signal));
  }

  async list(signal: AbortSignal): Promise<readonly { readonly name: string; readonly kind: string }[]> {
    return await this.#api.get('/zones?dnssec=false', Listed, signal, 'listed');
  }
}

/** PowerDNS writes what a path cannot hold as `=2F`. */
function pathOf(zone: string): string {
  const id = `${zone}.`.replaceAll(
    /[^a-z0-9.-]/gi,
    (character) => `=${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return `/zones/${id}`;
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  return await work.catch((error: unknown) => {
    if (error instanceof PowerDnsRefusal && error.status === NOT_FOUND) return null;
    throw error;
  });
}
