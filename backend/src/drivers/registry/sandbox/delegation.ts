import { isDeepStrictEqual } from 'node:util';
import { contactProblem } from '../contact-problem.ts';
import { isBelow } from '../delegation.ts';
import type { NameServerHost, RegistryContact, RegistryRefusal, WantedContacts } from '../port.ts';
import { cardOf } from './answer.ts';
import type { ContactOf, RegistrarCommands } from './commands.ts';
import { refusalOf } from './refusal.ts';

/** The host objects of a domain's name servers as they are to be; those below other domains are as they are. null: done. */
export async function ensureHosts(
  { host }: RegistrarCommands,
  domain: string,
  nameservers: readonly NameServerHost[],
): Promise<RegistryRefusal | null> {
  for (const { hostname, ipv4, ipv6 } of nameservers) {
    const created = await host.create(hostname, { ipv4, ipv6 });
    if (created.ok) continue;
    if (created.code !== 2302) return refusalOf(created);
    if (!isBelow(hostname, domain)) continue;
    const found = await host.info(hostname);
    if (!found.ok) return refusalOf(found);
    const [add, remove] = [
      { ipv4: without(ipv4, found.data.ipv4), ipv6: without(ipv6, found.data.ipv6) },
      { ipv4: without(found.data.ipv4, ipv4), ipv6: without(found.data.ipv6, ipv6) },
    ];
    if ([add, remove].every((side) => side.ipv4.length + side.ipv6.length === 0)) continue;
    const changed = await host.update({ name: hostname, add, remove });
    if (!changed.ok) return refusalOf(changed);
  }
  return null;
}

/** The contacts as they are to be, each once. null: done. */
export async function ensureContacts(
  { contact }: RegistrarCommands,
  wanted: Partial<WantedContacts>,
): Promise<RegistryRefusal | null> {
  const cards = new Map<string, RegistryContact>();
  for (const each of [wanted.registrant, wanted.admin, wanted.tech, wanted.billing])
    if (each) cards.set(each.handle, each);
  for (const [handle, each] of cards) {
    if (contactProblem(each) !== null) return 'contact_invalid';
    const card = cardOf(each);
    const created = await contact.create(handle, card);
    if (created.ok) continue;
    if (created.code !== 2302) return refusalOf(created);
    const found = await contact.info(handle);
    if (!found.ok) return refusalOf(found);
    if (isDeepStrictEqual({ ...found.data, ...card }, found.data)) continue;
    const changed = await contact.update(handle, card);
    if (!changed.ok) return refusalOf(changed);
  }
  return null;
}

export function rolesOf({ admin, tech, billing }: Partial<WantedContacts>): ContactOf[] {
  const roles = [
    ['admin', admin],
    ['tech', tech],
    ['billing', billing],
  ] as const;
  return roles.flatMap(([role, contact]) => (contact ? [{ role, handle: contact.handle }] : []));
}

export function without<T>(
  list: readonly T[],
  gone: readonly T[],
  same: (a: T, b: T) => boolean = (a, b) => a === b,
): T[] {
  return list.filter((item) => !gone.some((other) => same(item, other)));
}
