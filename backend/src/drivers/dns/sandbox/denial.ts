import { encodeName, type Labels } from '../../../base/dns/wire/name.ts';
import { TYPE_NUMBERS } from '../../../base/dns/wire/type.ts';
import { isOccluded, type Shown } from './lookup.ts';
import { compareNames, isSameName, type Zone } from './zone.ts';

const { DS, NS, NSEC, RRSIG } = TYPE_NUMBERS;

/** NSEC records (RFC 4034 §4) that prove that names, or types of them, are not there; each once. */
export function denials(zone: Zone, denied: readonly Labels[], ttl: number): readonly Shown[] {
  const names = authoritativeNames(zone);
  const owners = new Set(denied.map((name) => lastNotAfter(names, name)));
  return [...owners].map((at) => {
    const owner = names[at] ?? zone.apex;
    const next = names[at + 1] ?? zone.apex;
    const rdata = Buffer.concat([encodeName(next), bitmap(typesOf(zone, owner))]);
    return { name: owner, rrset: { owner, type: NSEC, ttl, rdata: [rdata] } };
  });
}

const known = new WeakMap<Zone, readonly Labels[]>();

/** Reckoned once for each version of a zone: it may be large. */
function authoritativeNames(zone: Zone): readonly Labels[] {
  const names = known.get(zone) ?? zone.ordered().filter((name) => !isOccluded(zone, name));
  known.set(zone, names);
  return names;
}

function typesOf(zone: Zone, owner: Labels): number[] {
  const types = [...(zone.node(owner)?.keys() ?? [])];
  const isDelegation = types.includes(NS) && !isSameName(owner, zone.apex);
  // Addresses at a delegation are glue, of which the zone below is the authority.
  const own = isDelegation ? types.filter((type) => type === NS || type === DS) : types;
  return [...own, RRSIG, NSEC];
}

/** The last of the ordered names that is the name or comes before it; the apex is first, so there is one. */
function lastNotAfter(names: readonly Labels[], name: Labels): number {
  let [low, high] = [0, names.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (compareNames(names[middle] ?? [], name) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Type bit maps (RFC 4034 §4.1.2): a window of 256 types each, as short as it can be. */
function bitmap(types: readonly number[]): Buffer {
  const windows = Map.groupBy(types, (type) => type >> 8);
  return Buffer.concat(
    [...windows]
      .sort(([one], [other]) => one - other)
      .map(([window, within]) => {
        const bits = Buffer.alloc((Math.max(...within.map((type) => type & 0xff)) >> 3) + 1);
        for (const type of within) {
          const at = (type & 0xff) >> 3;
          bits[at] = (bits[at] ?? 0) | (0x80 >> (type & 7));
        }
        return Buffer.concat([Buffer.of(window, bits.length), bits]);
      }),
  );
}
