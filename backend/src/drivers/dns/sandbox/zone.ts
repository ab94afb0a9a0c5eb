import { encodeName, foldLabels, type Labels, nameText } from '../../../base/dns/wire/name.ts';

/** A record set as it travels. The owner is a name of the zone; answers may show it under another (wildcards). */
export interface WireRrSet {
  readonly owner: Labels;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: readonly Buffer[];
}

/** The record sets of one name by type. */
export type Node = ReadonlyMap<number, WireRrSet>;

/** One version of a zone, for answering. */
export class Zone {
  readonly apex: Labels;
  /** PKCS #8; null: not signed. */
  readonly signingKey: Buffer | null;
  readonly #nodes = new Map<string, Map<number, WireRrSet>>();
  /** Names that have no records but names below them (RFC 4592 §2.2.2), and all others above records. */
  readonly #inner = new Set<string>();
  #ordered: readonly Labels[] | undefined;

  constructor(apex: Labels, rrsets: Iterable<WireRrSet>, signingKey: Buffer | null) {
    this.apex = apex;
    this.signingKey = signingKey;
    for (const rrset of rrsets) {
      const key = keyOf(rrset.owner);
      const node = this.#nodes.get(key) ?? new Map<number, WireRrSet>();
      this.#nodes.set(key, node.set(rrset.type, rrset));
      for (let above = rrset.owner.slice(1); above.length > apex.length; above = above.slice(1))
        this.#inner.add(keyOf(above));
    }
  }

  node(name: Labels): Node | undefined {
    return this.#nodes.get(keyOf(name));
  }

  /** Whether the name is there, if only because something is below it. */
  has(name: Labels): boolean {
    const key = keyOf(name);
    return this.#nodes.has(key) || this.#inner.has(key);
  }

  contains(name: Labels): boolean {
    const depth = name.length - this.apex.length;
    return depth >= 0 && keyOf(name.slice(depth)) === keyOf(this.apex);
  }

  /** Every name with records, in canonical order (RFC 4034 §6.1): the apex first. */
  ordered(): readonly Labels[] {
    this.#ordered ??= [...this.#nodes.values()]
      .flatMap((node) => [...node.values()].slice(0, 1).map((rrset) => rrset.owner))
      .sort(compareNames);
    return this.#ordered;
  }
}

/** Equal for names that differ in case only. */
export function keyOf(name: Labels): string {
  return nameText(foldLabels(name));
}

/** Canonical order (RFC 4034 §6.1): by labels from the right, as octets in lower case. */
export function compareNames(one: Labels, other: Labels): number {
  const [left, right] = [foldLabels(one).toReversed(), foldLabels(other).toReversed()];
  for (const [at, label] of left.entries()) {
    const against = right[at];
    if (against === undefined) return 1;
    const order = Buffer.compare(label, against);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

export function isSameName(one: Labels, other: Labels): boolean {
  return encodeName(foldLabels(one)).equals(encodeName(foldLabels(other)));
}
