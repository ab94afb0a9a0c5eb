import type {
  ClientStatus,
  ContactRole,
  DomainRef,
  RegisteredDomain,
  RegistryContact,
  RegistryOutcome,
  WantedContacts,
  WantedDomain,
} from '../port.ts';
import { ensureContact } from './contact.ts';
import { updateDs } from './delegation-signer.ts';
import { authInfo, type FoundDomain, ownDomain, told } from './domain.ts';
import { changeDelegation } from './nameservers.ts';
import { done, Refused } from './refusal.ts';
import { command, type EppRegistry, needed } from './registry.ts';
import { type Element, writer } from './wire/element.ts';

const domain = writer('domain');
const LOCK: ClientStatus = 'clientUpdateProhibited';
const CLIENT_STATUSES: readonly ClientStatus[] = [
  'clientHold',
  'clientTransferProhibited',
  'clientUpdateProhibited',
  'clientDeleteProhibited',
  'clientRenewProhibited',
];

/** What of a domain differs from what is wanted, as RFC 5731 §3.2.5 says it. */
interface Change {
  readonly add: readonly (Element | null)[];
  readonly remove: readonly (Element | null)[];
  readonly change: readonly (Element | null)[];
  readonly ds: Element | null;
}

export async function updateDomain(
  registry: EppRegistry,
  wanted: WantedDomain,
): Promise<RegistryOutcome<RegisteredDomain>> {
  return done(told(await bringDomain(registry, await ownDomain(registry, wanted), wanted)));
}

/** Brings a domain of ours to what is wanted; says how it is then. */
export async function bringDomain(
  registry: EppRegistry,
  found: FoundDomain,
  wanted: WantedDomain,
): Promise<FoundDomain> {
  const change = await changeOf(registry, found, wanted);
  if (isEmpty(change)) return found;
  if (found.statuses.includes(LOCK)) return await bringLocked(registry, found, wanted);
  try {
    await send(registry, wanted, change);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // What refused it may be our own command of before: what that left is less, and is sent then.
    const left = await ownDomain(registry, wanted);
    const rest = await changeOf(registry, left, wanted);
    if (sizeOf(rest) >= sizeOf(change)) throw error;
    if (!isEmpty(rest)) await send(registry, wanted, rest);
  }
  return await ownDomain(registry, wanted);
}

/** RFC 5731 §2.3: nothing but this status can be changed while it is set. It goes first, and is set again at last. */
async function bringLocked(
  registry: EppRegistry,
  found: FoundDomain,
  wanted: WantedDomain,
): Promise<FoundDomain> {
  const statuses = wanted.statuses ?? held(found);
  const set = (name: 'add' | 'remove') =>
    send(registry, wanted, { ...NOTHING, [name]: [domain('status', null, { s: LOCK })] });
  await set('remove');
  try {
    return await bringDomain(registry, await ownDomain(registry, wanted), { ...wanted, statuses });
  } catch (error) {
    if (error instanceof Refused) await set('add');
    throw error;
  }
}

const NOTHING: Change = { add: [], remove: [], change: [], ds: null };

async function changeOf(registry: EppRegistry, found: FoundDomain, wanted: WantedDomain): Promise<Change> {
  const contacts = await changeContacts(registry, wanted, found, wanted.contacts ?? {});
  const delegation =
    wanted.nameservers === undefined
      ? { add: null, remove: null }
      : await changeDelegation(registry, wanted, found.nameservers, wanted.nameservers);
  const statuses = wanted.statuses ?? held(found);
  return {
    add: [delegation.add, ...contacts.add, ...statusElements(statuses, held(found))],
    remove: [delegation.remove, ...contacts.remove, ...statusElements(held(found), statuses)],
    change: [contacts.registrant, authcodeElement(found, wanted)],
    ds: wanted.ds === undefined ? null : updateDs(found.ds, wanted.ds),
  };
}

function held({ statuses }: FoundDomain): readonly ClientStatus[] {
  return CLIENT_STATUSES.filter((status) => statuses.includes(status));
}

function statusElements(some: readonly ClientStatus[], others: readonly ClientStatus[]): readonly Element[] {
  return some
    .filter((status) => !others.includes(status))
    .map((status) => domain('status', null, { s: status }));
}

/** A registry need not tell the code that it has: then it is told again. */
function authcodeElement(found: FoundDomain, { authcode }: WantedDomain): Element | null {
  if (authcode === undefined || (authcode !== null && authcode === found.authcode)) return null;
  return authcode === null ? domain('authInfo', domain('null')) : authInfo(authcode);
}

/** Contacts are there before the domain names them; roles that the TLD does not know are not sent (rule F3). */
async function changeContacts(
  registry: EppRegistry,
  ref: DomainRef,
  found: FoundDomain,
  wanted: Partial<WantedContacts>,
) {
  const profile = registry.profileOf(ref.tld);
  const add: Element[] = [];
  const remove: Element[] = [];
  for (const role of profile.contacts) {
    const contact = wanted[role];
    if (contact === undefined) continue;
    if (contact !== null) await ensureContact(registry, ref, contact);
    const present = found.allContacts.filter((one) => one.role === role).map(({ handle }) => handle);
    if (contact !== null && !present.includes(contact.handle)) add.push(contactElement(role, contact.handle));
    for (const handle of present) if (handle !== contact?.handle) remove.push(contactElement(role, handle));
  }
  const registrant = profile.registrant ? wanted.registrant : undefined;
  if (registrant !== undefined) await ensureContact(registry, ref, registrant);
  const other = registrant !== undefined && registrant.handle !== found.registrant;
  return { add, remove, registrant: other ? domain('registrant', registrant.handle) : null };
}

export function contactElement(role: ContactRole, handle: RegistryContact['handle']): Element {
  return domain('contact', handle, { type: role });
}

function isEmpty(change: Change): boolean {
  return sizeOf(change) === 0;
}

/** Of how many parts it consists, name servers and signers each counted. */
function sizeOf({ add, remove, change, ds }: Change): number {
  return [...add, ...remove, ...change, ...(ds?.children ?? [])]
    .filter((part) => part !== null)
    .reduce((size, { children }) => size + Math.max(1, children.length), 0);
}

async function send(
  registry: EppRegistry,
  ref: DomainRef,
  { add, remove, change, ds }: Change,
): Promise<void> {
  const section = (name: string, parts: readonly (Element | null)[]) =>
    parts.every((part) => part === null) ? null : domain(name, parts);
  await command(registry, ref, (uses) => {
    if (ds !== null) needed(uses, 'secDNS');
    return {
      name: 'domain update',
      verb: 'update',
      content: [
        domain('update', [
          domain('name', ref.domain),
          section('add', add),
          section('rem', remove),
          section('chg', change),
        ]),
      ],
      extensions: ds === null ? [] : [ds],
    };
  });
}
