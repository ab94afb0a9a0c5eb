import { randomBytes } from 'node:crypto';
import { contactProblem } from '../contact-problem.ts';
import type { DomainRef, RegistryContact } from '../port.ts';
import { type ContactExtension, tellsExtra, writeExtra } from './contact-extension.ts';
import { optional, postalInfo, readPostal, type Standing, samePostal } from './postal.ts';
import type { Profile } from './profile.ts';
import { Refused, refusalAbout } from './refusal.ts';
import { ask, type EppRegistry } from './registry.ts';
import { childOf, type Element, textOf, writer } from './wire/element.ts';
import { dataOf } from './wire/response.ts';

const contact = writer('contact');

/** Has the registry keep this contact as it is here: made, or brought to it. Handles never change owners. */
export async function ensureContact(
  registry: EppRegistry,
  ref: DomainRef,
  wanted: RegistryContact,
): Promise<void> {
  const problem = contactProblem(wanted);
  if (problem !== null) throw new Refused('contact_invalid', problem);
  const profile = registry.profileOf(ref.tld);
  const own = await ownExtension(registry, profile, wanted);
  const created = await ask(registry, ref, () => ({
    name: 'contact create',
    verb: 'create',
    content: [
      contact('create', [
        contact('id', wanted.handle),
        postalInfo(wanted, profile.postal, 'new'),
        ...reachable(wanted, 'new'),
        // RFC 5733 wants an authcode of contacts too; ours never move, so nobody gets to know it.
        contact('authInfo', contact('pw', randomBytes(16).toString('base64url'))),
        disclosure(wanted, profile),
      ]),
    ],
    extensions: extraIn(own, wanted, 'create'),
  }));
  if (created.code < 2000) return;
  if (created.code !== 2302) throw refusalAbout(created, 'contact_invalid');
  await bringTo(registry, ref, wanted, own);
}

/**
 * The registry's own extension that has something to say of the contact; null: none has. Throws Refused where the
 * registry does not offer it: without what it says, the contact would not be the one that the TLD asks for.
 */
async function ownExtension(
  registry: EppRegistry,
  { contactExtension: own }: Profile,
  { extra }: RegistryContact,
): Promise<ContactExtension | null> {
  if (own === null || writeExtra(own, extra, 'create') === null) return null;
  const { extensions } = await registry.line.greeting();
  if (extensions.includes(own.namespace)) return own;
  throw new Refused('not_supported', `the registry does not offer ${own.namespace}`);
}

function extraIn(
  own: ContactExtension | null,
  { extra }: RegistryContact,
  command: 'create' | 'update',
): readonly Element[] {
  const written = own === null ? null : writeExtra(own, extra, command);
  return written === null ? [] : [written];
}

async function bringTo(
  registry: EppRegistry,
  ref: DomainRef,
  wanted: RegistryContact,
  own: ContactExtension | null,
): Promise<void> {
  const profile = registry.profileOf(ref.tld);
  const found = await ask(registry, ref, () => ({
    name: 'contact info',
    verb: 'info',
    content: [contact('info', contact('id', wanted.handle))],
    extensions: [],
  }));
  if (found.code >= 2000) throw refusalAbout(found, 'contact_invalid');
  const data = dataOf(found, 'contact', 'infData');
  const sponsor = textOf(data, 'contact', 'clID');
  if (sponsor !== registry.clientId)
    throw new Refused('contact_invalid', `the contact ${wanted.handle} belongs to ${sponsor}`);
  if (isSame(data, wanted, profile) && (own === null || tellsExtra(own, wanted.extra, found))) return;
  const changed = await ask(registry, ref, () => ({
    name: 'contact update',
    verb: 'update',
    content: [
      contact('update', [
        contact('id', wanted.handle),
        contact('chg', [
          postalInfo(wanted, profile.postal, 'changed'),
          ...reachable(wanted, 'changed'),
          disclosure(wanted, profile),
        ]),
      ]),
    ],
    extensions: extraIn(own, wanted, 'update'),
  }));
  if (changed.code >= 2000) throw refusalAbout(changed, 'contact_invalid');
}

function reachable({ phone, fax, email }: RegistryContact, as: Standing) {
  return [contact('voice', phone), optional('fax', fax, as), contact('email', email)];
}

/** RFC 5733 §2.9: flag 1 allows what is listed, flag 0 forbids it. */
function disclosure({ disclosed }: RegistryContact, { disclose }: Profile): Element | null {
  if (!disclose) return null;
  const listed = [
    ...['name', 'org', 'addr'].map((name) => contact(name, null, { type: 'int' })),
    ...['voice', 'fax', 'email'].map((name) => contact(name)),
  ];
  return contact('disclose', listed, { flag: disclosed ? '1' : '0' });
}

function isSame(data: Element | null, wanted: RegistryContact, profile: Profile): boolean {
  const flag = childOf(data, 'contact', 'disclose')?.attributes.flag;
  const disclosed = flag === '1' || flag === 'true';
  return (
    samePostal(readPostal(data), wanted) &&
    textOf(data, 'contact', 'voice') === wanted.phone &&
    (textOf(data, 'contact', 'fax') || null) === wanted.fax &&
    textOf(data, 'contact', 'email') === wanted.email &&
    (!profile.disclose || disclosed === wanted.disclosed)
  );
}
