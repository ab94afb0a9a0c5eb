import type { Instant } from '../../../base/time.ts';
import { isBelow } from '../delegation.ts';
import type { RegisteredDomain, RegistryContact, RegistryOutcome, WantedRegistration } from '../port.ts';
import { ensureContact } from './contact.ts';
import { createDs } from './delegation-signer.ts';
import { authInfo, type FoundDomain, findDomain, nsOf, ownDomain, period, told } from './domain.ts';
import { acceptedFee } from './fee.ts';
import { ensureHosts } from './host.ts';
import { checkDelegation } from './nameservers.ts';
import { done, ensured, Refused } from './refusal.ts';
import { command, type EppRegistry, needed } from './registry.ts';
import { bringDomain, contactElement } from './update.ts';
import { type Element, writer } from './wire/element.ts';

const domain = writer('domain');

/** How far the registry's clock may be behind ours for a registration to count as the one that was ordered. */
const CLOCK_SKEW_MS = 60_000;

/** Whether something at a registry happened after we asked for it. */
export function happenedSince(at: Instant | null, since: Instant): boolean {
  return at !== null && at.epochMilliseconds >= since.epochMilliseconds - CLOCK_SKEW_MS;
}

/** Registers it, unless it is registered: then it is what was ordered, or somebody was faster (rule F4). */
export async function registerDomain(
  registry: EppRegistry,
  wanted: WantedRegistration,
): Promise<RegistryOutcome<RegisteredDomain>> {
  checkDelegation(wanted.domain, wanted.nameservers);
  const outcome = await ensured(
    async () => {
      const found = await findDomain(registry, wanted);
      if (found === null) return null;
      if (found.sponsoredHere && happenedSince(found.createdAt, wanted.since)) return found;
      throw new Refused(
        'domain_not_available',
        `${wanted.domain} is registered by ${found.registrar ?? 'another registrar'}`,
      );
    },
    async () => {
      const { code } = await create(registry, wanted);
      return code === 1001
        ? { kind: 'pending', step: 'registry', progress: 0 }
        : done(await ownDomain(registry, wanted));
    },
  );
  if (outcome.kind !== 'done') return outcome;
  return done(told(await delegate(registry, outcome.result, wanted)));
}

/** Hosts below a domain can be made only when it is there: they come in a second step. */
async function delegate(
  registry: EppRegistry,
  found: FoundDomain,
  { domain, tld, registry: name, nameservers }: WantedRegistration,
): Promise<FoundDomain> {
  return await bringDomain(registry, found, { domain, tld, registry: name, nameservers });
}

async function create(registry: EppRegistry, wanted: WantedRegistration) {
  const { hosts } = registry.profileOf(wanted.tld);
  const first =
    hosts === 'attributes'
      ? wanted.nameservers
      : wanted.nameservers.filter(({ hostname }) => !isBelow(hostname, wanted.domain));
  const contacts = await contactsOf(registry, wanted);
  if (hosts === 'objects') await ensureHosts(registry, wanted, first);
  return await command(
    registry,
    wanted,
    (uses) => {
      if (wanted.fee !== null) needed(uses, 'fee');
      if (wanted.ds.length > 0) needed(uses, 'secDNS');
      return {
        name: 'domain create',
        verb: 'create',
        content: [
          domain('create', [
            domain('name', wanted.domain),
            period(wanted.years),
            nsOf(first, hosts),
            ...contacts,
            authInfo(wanted.authcode),
          ]),
        ],
        extensions: [createDs(wanted.ds), acceptedFee('create', wanted.fee)].filter((part) => part !== null),
      };
    },
    'policy',
  );
}

/** The contacts that the TLD wants, each of them there. */
async function contactsOf(registry: EppRegistry, wanted: WantedRegistration): Promise<readonly Element[]> {
  const profile = registry.profileOf(wanted.tld);
  const roles = profile.contacts.flatMap((role) => {
    const contact = wanted[role];
    return contact === null ? [] : [{ role, contact }];
  });
  const registrant = profile.registrant ? [wanted.registrant] : [];
  const different = new Map<string, RegistryContact>(
    [...registrant, ...roles.map(({ contact }) => contact)].map((contact) => [contact.handle, contact]),
  );
  for (const contact of different.values()) await ensureContact(registry, wanted, contact);
  return [
    ...registrant.map(({ handle }) => domain('registrant', handle)),
    ...roles.map(({ role, contact }) => contactElement(role, contact.handle)),
  ];
}
