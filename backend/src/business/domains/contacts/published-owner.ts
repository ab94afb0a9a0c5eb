import type { Tld } from '../../core/catalog/schema/tld.ts';
import type { ContactCard } from './contact.ts';

/** What a registry is to show everybody of an owner. */
export interface PublishedOwner {
  readonly name: string | null;
  readonly organisation: string | null;
  readonly email: string | null;
  readonly country: string | null;
}

/** Persons are never shown (rule F10), organisations where their customer did not hide them. */
export function isDisclosed(owner: Pick<ContactCard, 'type'>, privacy: boolean): boolean {
  return !privacy && owner.type === 'organisation';
}

/** What the public sees; the country in any case (ICANN's Registration Data Policy §9.2). null: it is not known here. */
export function publishedOwner(owner: ContactCard | null, privacy: boolean): PublishedOwner {
  if (owner === null) return { name: null, organisation: null, email: null, country: null };
  const { country } = owner;
  if (!isDisclosed(owner, privacy)) return { name: null, organisation: null, email: null, country };
  const name = `${owner.first_name} ${owner.last_name}`.trim();
  return { name, organisation: owner.company, email: owner.email, country };
}

/** How an owner is hidden: no other's details are put in place of theirs. */
export function privacyMode(
  tld: Pick<Tld, 'features'> | undefined,
  owner: ContactCard | null,
  privacy: boolean,
): 'redaction' | 'none' {
  const hidden =
    owner === null ? tld?.features.whois_privacy === true && privacy : !isDisclosed(owner, privacy);
  return hidden ? 'redaction' : 'none';
}
