import { createHash } from 'node:crypto';
import type { ClusterSettings } from './settings.ts';

/** What a finished machine carries as a tag, which `cluster/resources` tells for all at once. */
export interface Mark {
  readonly serverId: string;
  readonly host: string;
  readonly generation: number;
}

/** For people: everything of Hostkeep in a cluster. */
const EVERYTHING = 'hostkeep';
const ATTEMPTS = 8;

export function tagsOf({ serverId, host, generation }: Mark, installation: string): string {
  return `${EVERYTHING};hk.${installation}.${host}.${serverId}.${generation}`;
}

/** null: it is none of this installation's, or it was not finished. */
export function readMark(tags: string, installation: string): Mark | null {
  for (const tag of tags.split(/[;, ]/)) {
    const [prefix, owner, host, serverId, generation] = tag.split('.');
    if (prefix !== 'hk' || owner !== installation) continue;
    if (host !== undefined && serverId !== undefined && generation !== undefined)
      return { serverId, host, generation: Number(generation) };
  }
  return null;
}

/** The name of a machine until it is finished: a clone gets it with its first configuration. */
export function unfinishedName(serverId: string, generation: number, installation: string): string {
  return `hk-${installation}-${serverId}-${generation}`;
}

export function readUnfinished(
  name: string,
  installation: string,
): Pick<Mark, 'serverId' | 'generation'> | null {
  const [, owner, serverId, generation] = /^hk-([a-z0-9]+)-([0-9a-f-]{36})-(\d+)$/.exec(name) ?? [];
  if (serverId === undefined || owner !== installation) return null;
  return { serverId, generation: Number(generation) };
}

/**
 * The numbers that a server's machines may have. They follow from its id: whoever makes it, in whatever process, takes
 * the same one, and the cluster lets only the first have it. A few, because a number can be somebody else's, and because
 * a machine stays while its successor is made.
 */
export function vmidsOf(serverId: string, { from, to }: ClusterSettings['vmids']): number[] {
  const digest = createHash('sha512').update(`vmid ${serverId}`).digest();
  return Array.from({ length: ATTEMPTS }, (_, at) => from + (digest.readUIntBE(6 * at, 6) % (to - from + 1)));
}
