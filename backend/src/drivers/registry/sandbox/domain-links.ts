import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { DelegationSigner } from '../port.ts';
import type { ContactCard, ContactOf } from './commands.ts';
import type { RegistryPolicy } from './policy.ts';
import { type Failure, failure } from './reply.ts';

const MOST_HOSTS = 13;
/** RFC 4509, RFC 6605: hexadecimal digits of a digest by its type. */
const DIGEST_DIGITS: ReadonlyMap<number, number> = new Map([
  [1, 40],
  [2, 64],
  [4, 96],
]);

const contactsOf = statement<{ handle: string; card: ContactCard }>(
  'sandbox_registry_contacts',
  'SELECT handle, card FROM sandbox.registry_contacts WHERE handle = ANY($1) FOR KEY SHARE',
);
const hostsOf = statement<{ name: string }>(
  'sandbox_registry_hosts',
  'SELECT name FROM sandbox.registry_hosts WHERE name = ANY($1) FOR KEY SHARE',
);

/** Why a domain cannot have these contacts under its TLD; null: it can. They stay until the transaction ends. */
export async function contactObjection(
  tx: Executor,
  wanted: { readonly registrant: string | null; readonly contacts: readonly ContactOf[] },
  policy: RegistryPolicy,
): Promise<Failure | null> {
  if (wanted.registrant === null) return failure(2003, 'contact', 'a registrant is missing');
  const missing = policy.requiredRoles.find(
    (role) => !wanted.contacts.some((contact) => contact.role === role),
  );
  if (missing !== undefined) return failure(2306, 'contact', `a contact for the role ${missing} is missing`);
  const handles = [...new Set([wanted.registrant, ...wanted.contacts.map(({ handle }) => handle)])];
  const cards = new Map((await tx.run(contactsOf, [handles])).map(({ handle, card }) => [handle, card]));
  const unknown = handles.find((handle) => !cards.has(handle));
  if (unknown !== undefined) return failure(2303, 'contact', `there is no contact ${unknown}`);
  const registrant = cards.get(wanted.registrant);
  const { residence } = policy;
  if (registrant === undefined || residence === null || residence.includes(registrant.country)) return null;
  const citizenship = registrant.extra.eu_citizenship;
  return typeof citizenship === 'string' && residence.includes(citizenship)
    ? null
    : failure(2306, 'contact', `registrants live in ${residence.join(', ')}, or are citizens of them`);
}

export async function delegationObjection(tx: Executor, hosts: readonly string[]): Promise<Failure | null> {
  if (hosts.length > MOST_HOSTS) return failure(2308, 'host', `at most ${MOST_HOSTS} name servers`);
  const known = new Set((await tx.run(hostsOf, [hosts])).map(({ name }) => name));
  const unknown = hosts.find((host) => !known.has(host));
  return unknown === undefined ? null : failure(2303, 'host', `there is no host ${unknown}`);
}

export function dsObjection(signers: readonly DelegationSigner[]): Failure | null {
  for (const { keyTag, algorithm, digestType, digest } of signers) {
    if (DIGEST_DIGITS.get(digestType) !== digest.length || !/^[0-9A-F]*$/.test(digest))
      return failure(2005, 'ds', `the digest of key ${keyTag} is none of type ${digestType}`);
    if (keyTag < 0 || keyTag > 65_535 || algorithm < 1 || algorithm > 255)
      return failure(2004, 'ds', 'a key tag or an algorithm is out of range');
  }
  return null;
}

export function sameSigner(a: DelegationSigner, b: DelegationSigner): boolean {
  return (
    a.keyTag === b.keyTag &&
    a.algorithm === b.algorithm &&
    a.digestType === b.digestType &&
    a.digest === b.digest
  );
}
