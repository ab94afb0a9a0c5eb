import { type Labels, parseName } from '../../../base/dns/wire/name.ts';
import { encodeRdata } from '../../../base/dns/wire/rdata.ts';
import { TYPE_NUMBERS, typeNumber } from '../../../base/dns/wire/type.ts';
import type { Executor } from '../../../db/pool.ts';
import { APEX_TTL, apexRrSets } from '../apex.ts';
import type { RrSet } from '../port.ts';
import { closest, readRrSets, type ZoneRow } from './books.ts';
import { Signer } from './signing.ts';
import { keyOf, type WireRrSet, Zone } from './zone.ts';

/** How many zones are kept ready for answering. */
const MOST_KEPT = 200;

interface Kept {
  readonly version: string;
  readonly zone: Promise<Zone>;
}

/** Zones as they are in the books at this moment; read again only when their serial has changed. */
export class Zones {
  readonly #db: Executor;
  readonly #kept = new Map<string, Kept>();

  constructor(db: Executor) {
    this.#db = db;
  }

  /** The closest zone that the name is in; of a zone's own DS record, the one above, if it is here too. */
  async closest(name: Labels, type: number): Promise<Zone | null> {
    const isAbove = (zone: Zone | null) => zone !== null && zone.apex.length < name.length;
    if (type === TYPE_NUMBERS.DS && name.length > 1) {
      const above = await this.#find(name.slice(1));
      if (isAbove(above)) return above;
    }
    return await this.#find(name);
  }

  async #find(name: Labels): Promise<Zone | null> {
    const names = name.map((_, depth) => keyOf(name.slice(depth)).slice(0, -1));
    const [row] = await this.#db.run(closest, [names]);
    return row === undefined ? null : await this.#read(row);
  }

  async #read(row: ZoneRow): Promise<Zone> {
    const version = `${row.serial} ${row.nameservers.join(' ')} ${row.signing_key?.toString('hex') ?? ''}`;
    const kept = this.#kept.get(row.zone);
    const zone = kept?.version === version ? kept.zone : this.#load(row);
    // The one used longest ago is the first.
    this.#kept.delete(row.zone);
    this.#kept.set(row.zone, { version, zone });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    try {
      return await zone;
    } catch (error) {
      this.#kept.delete(row.zone);
      throw error;
    }
  }

  async #load(row: ZoneRow): Promise<Zone> {
    const { zone, serial, nameservers, signing_key: key } = row;
    const stored = await readRrSets(this.#db, zone);
    const apex = parseName(zone);
    const rrsets = [...apexRrSets(zone, nameservers, Number(serial)), ...stored].map(toWire);
    return new Zone(apex, [...rrsets, ...keysOf(apex, key)], key);
  }
}

function toWire({ name, type, ttl, records }: RrSet): WireRrSet {
  const number = typeNumber(type);
  if (number === null) throw new RangeError(`${type} is no record type`);
  return { owner: parseName(name), type: number, ttl, rdata: records.map((text) => encodeRdata(type, text)) };
}

/** The key of a signed zone, and what tells its parent of it (RFC 7344). */
function keysOf(apex: Labels, key: Buffer | null): WireRrSet[] {
  if (key === null) return [];
  const { dnskey, ds } = new Signer(apex, key);
  const cds = encodeRdata('CDS', `${ds.keyTag} ${ds.algorithm} ${ds.digestType} ${ds.digest}`);
  return [
    { owner: apex, type: TYPE_NUMBERS.DNSKEY, ttl: APEX_TTL, rdata: [dnskey] },
    { owner: apex, type: TYPE_NUMBERS.CDNSKEY, ttl: APEX_TTL, rdata: [dnskey] },
    { owner: apex, type: TYPE_NUMBERS.CDS, ttl: APEX_TTL, rdata: [cds] },
  ];
}
