import { isBelow } from '../delegation.ts';
import type { DomainRef, NameServerHost } from '../port.ts';
import { readAddresses, writeAddresses } from './address.ts';
import type { EppCommand } from './command.ts';
import { refusalAbout, refusalOf } from './refusal.ts';
import { ask, type EppRegistry } from './registry.ts';
import { childrenOf, textOf, writer } from './wire/element.ts';
import { dataOf } from './wire/response.ts';

/** A host object (RFC 5732) as its registry has it. */
export interface HostInfo extends NameServerHost {
  readonly sponsor: string;
}

const host = writer('host');

/** null: there is none. */
export async function hostInfo(
  registry: EppRegistry,
  ref: DomainRef,
  hostname: string,
): Promise<HostInfo | null> {
  const response = await ask(registry, ref, () => about('info', hostname));
  if (response.code === 2303) return null;
  if (response.code >= 2000) throw refusalAbout(response, 'nameserver_invalid');
  const data = dataOf(response, 'host', 'infData');
  return {
    hostname: (textOf(data, 'host', 'name') ?? hostname).toLowerCase(),
    ...readAddresses(childrenOf(data, 'host', 'addr')),
    sponsor: textOf(data, 'host', 'clID') ?? '',
  };
}

/** Has all of these be there as hosts, with the addresses of those below the domain. */
export async function ensureHosts(
  registry: EppRegistry,
  ref: DomainRef,
  hosts: readonly NameServerHost[],
): Promise<void> {
  for (const wanted of hosts) {
    const created = await ask(registry, ref, () => ({
      name: 'host create',
      verb: 'create',
      content: [host('create', [host('name', wanted.hostname), ...writeAddresses(host, 'addr', wanted)])],
      extensions: [],
    }));
    if (created.code !== 2302) {
      if (created.code >= 2000) throw refusalAbout(created, 'nameserver_invalid');
    } else if (isBelow(wanted.hostname, ref.domain)) await bringAddresses(registry, ref, wanted);
  }
}

/** Somebody else's host is as it is; only glue of our own domain is ours to change. */
async function bringAddresses(registry: EppRegistry, ref: DomainRef, wanted: NameServerHost): Promise<void> {
  const found = await hostInfo(registry, ref, wanted.hostname);
  if (found === null) return;
  const difference = (a: NameServerHost, b: NameServerHost) => ({
    ipv4: a.ipv4.filter((address) => !b.ipv4.includes(address)),
    ipv6: a.ipv6.filter((address) => !b.ipv6.includes(address)),
  });
  const add = writeAddresses(host, 'addr', difference(wanted, found));
  const remove = writeAddresses(host, 'addr', difference(found, wanted));
  if (add.length + remove.length === 0) return;
  const change: EppCommand = {
    name: 'host update',
    verb: 'update',
    content: [
      host('update', [
        host('name', wanted.hostname),
        add.length === 0 ? null : host('add', add),
        remove.length === 0 ? null : host('rem', remove),
      ]),
    ],
    extensions: [],
  };
  const changed = await ask(registry, ref, () => change);
  if (changed.code >= 2000) throw refusalAbout(changed, 'nameserver_invalid');
}

/** Gone, or never there. A host that others delegate to stays, and this refuses: it is never renamed (rule F3). */
export async function deleteHost(registry: EppRegistry, ref: DomainRef, hostname: string): Promise<void> {
  const response = await ask(registry, ref, () => about('delete', hostname));
  if (response.code >= 2000 && response.code !== 2303) throw refusalOf(response, 'state_conflict');
}

function about(verb: 'info' | 'delete', hostname: string): EppCommand {
  return { name: `host ${verb}`, verb, content: [host(verb, host('name', hostname))], extensions: [] };
}
