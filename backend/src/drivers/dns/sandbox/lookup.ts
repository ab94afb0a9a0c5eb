import { decodeName, type Labels } from '../../../base/dns/wire/name.ts';
import { encodeRdata } from '../../../base/dns/wire/rdata.ts';
import { TYPE_NUMBERS } from '../../../base/dns/wire/type.ts';
import { RCODE, type Rcode } from './message.ts';
import { compareNames, isSameName, type Node, type WireRrSet, type Zone } from './zone.ts';

/** A record set of an answer, and the name that it is shown under: another than its own where a wildcard matched. */
export interface Shown {
  readonly name: Labels;
  readonly rrset: WireRrSet;
}

/** What a zone says to a question, before it is signed. */
export interface Finding {
  readonly rcode: Rcode;
  /** A referral to the servers of a zone below is not authoritative. */
  readonly authoritative: boolean;
  readonly answer: readonly Shown[];
  readonly authority: readonly Shown[];
  readonly additional: readonly Shown[];
  /** Names whose absence, or whose lack of the type, is to be proven. */
  readonly denied: readonly Labels[];
}

const { A, AAAA, CNAME, DS, HINFO, NS, SOA } = TYPE_NUMBERS;
const ANY = 255;
const MOST_ALIASES = 16;
const WILDCARD = Buffer.from('*');

/** Answers a question of the zone (RFC 1034 §4.3.2, with the wildcards of RFC 4592), following aliases inside it. */
export function lookup(zone: Zone, asked: Labels, type: number): Finding {
  const answer: Shown[] = [];
  const denied: Labels[] = [];
  let name = asked;
  for (let aliases = 0; ; aliases++) {
    const cut = delegation(zone, name, type);
    // What is below a delegation that an alias leads to, its servers are asked for by whoever wants to know.
    if (cut !== null) return answer.length > 0 ? found(answer, denied) : referral(zone, cut);
    const matched = match(zone, name);
    denied.push(...matched.denied);
    const { node } = matched;
    if (node === null) return negative(zone, matched.exists ? RCODE.NOERROR : RCODE.NXDOMAIN, answer, denied);
    if (type === ANY) return found([{ name, rrset: minimalAny(name) }], denied);
    const rrset = node.get(type) ?? node.get(CNAME);
    if (rrset === undefined) {
      const shown = matched.wildcard ?? name;
      return negative(zone, RCODE.NOERROR, answer, [...denied, shown]);
    }
    answer.push({ name, rrset });
    const target = rrset.type === CNAME && type !== CNAME ? rrset.rdata[0] : undefined;
    if (target === undefined) return found(answer, denied);
    name = decodeName(target, 0).labels;
    const isLoop = answer.some((one) => isSameName(one.name, name));
    if (!zone.contains(name) || isLoop || aliases === MOST_ALIASES) return found(answer, denied);
  }
}

function found(answer: readonly Shown[], denied: readonly Labels[]): Finding {
  return { rcode: RCODE.NOERROR, authoritative: true, answer, authority: [], additional: [], denied };
}

/** With the SOA, for as long as its last field says at most (RFC 2308 §3). */
function negative(zone: Zone, rcode: Rcode, answer: readonly Shown[], denied: readonly Labels[]): Finding {
  const soa = zone.node(zone.apex)?.get(SOA);
  const seconds = soa?.rdata[0]?.readUInt32BE((soa.rdata[0]?.length ?? 4) - 4) ?? 0;
  const authority =
    soa === undefined ? [] : [{ name: zone.apex, rrset: { ...soa, ttl: Math.min(soa.ttl, seconds) } }];
  return { rcode, authoritative: true, answer, authority, additional: [], denied };
}

/** The record set that delegates the name, or what is above it; null: it is ours. The DS of a zone is its parent's. */
function delegation(zone: Zone, name: Labels, type: number): WireRrSet | null {
  for (let depth = name.length - zone.apex.length - 1; depth >= 0; depth--) {
    if (depth === 0 && type === DS) break;
    const servers = zone.node(name.slice(depth))?.get(NS);
    if (servers !== undefined) return servers;
  }
  return null;
}

function referral(zone: Zone, servers: WireRrSet): Finding {
  const name = servers.owner;
  const signer = zone.node(name)?.get(DS);
  const authority = [servers, ...(signer === undefined ? [] : [signer])];
  return {
    rcode: RCODE.NOERROR,
    authoritative: false,
    answer: [],
    authority: authority.map((rrset) => ({ name, rrset })),
    additional: glue(zone, servers),
    denied: signer === undefined ? [name] : [],
  };
}

/** The addresses that the zone has of these servers. */
function glue(zone: Zone, servers: WireRrSet): Shown[] {
  return servers.rdata.flatMap((rdata) => {
    const host = decodeName(rdata, 0).labels;
    const node = zone.contains(host) ? zone.node(host) : undefined;
    return [node?.get(A), node?.get(AAAA)].flatMap((rrset) =>
      rrset === undefined ? [] : [{ name: host, rrset }],
    );
  });
}

interface Match {
  readonly node: Node | null;
  readonly exists: boolean;
  readonly wildcard: Labels | null;
  readonly denied: readonly Labels[];
}

/** The node of a name, or of the wildcard below its closest encloser (RFC 4592 §3.3). */
function match(zone: Zone, name: Labels): Match {
  const exact = zone.node(name);
  if (exact !== undefined) return { node: exact, exists: true, wildcard: null, denied: [] };
  if (zone.has(name)) return { node: null, exists: true, wildcard: null, denied: [name] };
  let encloser = name.slice(1);
  while (!zone.has(encloser) && encloser.length > zone.apex.length) encloser = encloser.slice(1);
  const wildcard = [WILDCARD, ...encloser];
  const node = zone.node(wildcard);
  if (node !== undefined) return { node, exists: true, wildcard, denied: [name] };
  return { node: null, exists: zone.has(wildcard), wildcard: null, denied: [name, wildcard] };
}

/** Instead of everything that is there (RFC 8482 §4.2): nobody needs that but who amplifies attacks. */
function minimalAny(owner: Labels): WireRrSet {
  return { owner, type: HINFO, ttl: 3_600, rdata: [encodeRdata('HINFO', '"RFC8482" ""')] };
}

/** Whether a name is below a delegation, and so no authoritative name of the zone. */
export function isOccluded(zone: Zone, name: Labels): boolean {
  const servers = delegation(zone, name, DS);
  return servers !== null && compareNames(servers.owner, name) !== 0;
}
