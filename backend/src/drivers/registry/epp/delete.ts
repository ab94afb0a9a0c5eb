import type { DomainRef, RegisteredDomain, RegistryOutcome } from '../port.ts';
import { type FoundDomain, findDomain, ownDomain, told } from './domain.ts';
import { deleteHost } from './host.ts';
import { done, ensured, Refused, refusalOf } from './refusal.ts';
import { ask, type EppRegistry } from './registry.ts';
import { bringDomain } from './update.ts';
import { writer } from './wire/element.ts';

const domain = writer('domain');

/** Deletes it, if it is ours and not on its way out already. */
export async function deleteDomain(
  registry: EppRegistry,
  ref: DomainRef,
): Promise<RegistryOutcome<RegisteredDomain | null>> {
  const left = async () => {
    const found = await findDomain(registry, ref);
    if (!found?.sponsoredHere) return { result: null };
    return found.statuses.includes('pendingDelete') ? { result: told(found) } : null;
  };
  const deleted = await ensured(left, async () => {
    await remove(registry, ref);
    const found = await findDomain(registry, ref);
    return done({ result: found?.sponsoredHere ? told(found) : null });
  });
  return deleted.kind === 'done' ? done(deleted.result.result) : deleted;
}

async function remove(registry: EppRegistry, ref: DomainRef): Promise<void> {
  let response = await command(registry, ref);
  if (response.code === 2305) {
    await removeSubordinateHosts(registry, await ownDomain(registry, ref), ref);
    response = await command(registry, ref);
  }
  if (response.code >= 2000) throw refusalOf(response, 'state_conflict');
}

function command(registry: EppRegistry, ref: DomainRef) {
  return ask(registry, ref, () => ({
    name: 'domain delete',
    verb: 'delete',
    content: [domain('delete', domain('name', ref.domain))],
    extensions: [],
  }));
}

/**
 * RFC 5731 §3.2.2: a domain with hosts below it stays. Those that nobody else delegates to go with it; where others do,
 * it stays, and is delegated as it was.
 */
async function removeSubordinateHosts(
  registry: EppRegistry,
  found: FoundDomain,
  ref: DomainRef,
): Promise<void> {
  const below = new Set(found.subordinateHosts);
  const outside = found.nameservers.filter(({ hostname }) => !below.has(hostname));
  const without = await bringDomain(registry, found, { ...ref, nameservers: outside });
  try {
    for (const hostname of below) await deleteHost(registry, ref, hostname);
  } catch (error) {
    if (error instanceof Refused)
      await bringDomain(registry, without, { ...ref, nameservers: found.nameservers });
    throw error;
  }
}
