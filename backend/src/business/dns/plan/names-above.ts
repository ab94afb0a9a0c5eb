import { randomInt } from 'node:crypto';
import type { Name } from '../../../base/dns/name.ts';

const PRIME = 16_777_619;
/** Nobody who writes names can tell which of them have the same hash. */
const SEED = randomInt(2 ** 31);
/** So that V8 keeps hashes as small integers. */
const BITS = 0x3fff_ffff;
const DOT = 46;
const WILDCARD = '*.';

/**
 * Which of many names are above another one. A name may have a hundred labels, and looking up each name above it would
 * read all of it a hundred times: its hashes are made from its right end instead, in one pass, and what is not among the
 * hashes of the many is not among them.
 */
export class NamesAbove {
  readonly #zone: Name;
  readonly #hashes = new Set<number>();

  constructor(zone: Name) {
    this.#zone = zone;
  }

  add(name: Name): void {
    this.#hashes.add(hashOf(name));
    if (name.startsWith(WILDCARD)) this.#hashes.add(hashOf(name.slice(WILDCARD.length)));
  }

  /**
   * Of the names between one and the zone those that were added, or whose wildcard was; the nearest first. Hardly ever
   * one that was not.
   */
  of(name: Name): Name[] {
    const above: Name[] = [];
    let hash = SEED;
    const longest = name.length - this.#zone.length;
    for (let at = name.length - 1; at > 0; at -= 1) {
      hash = Math.imul(hash ^ name.charCodeAt(at), PRIME);
      const isParent = at < longest && name.charCodeAt(at - 1) === DOT;
      if (isParent && this.#hashes.has(hash & BITS)) above.push(name.slice(at));
    }
    return above.reverse();
  }
}

function hashOf(name: Name): number {
  let hash = SEED;
  for (let at = name.length - 1; at >= 0; at -= 1) hash = Math.imul(hash ^ name.charCodeAt(at), PRIME);
  return hash & BITS;
}
