import type { Instant } from '../../../base/time.ts';
import { addressOf, missingFields } from '../../../business/core/accounts/address.ts';
import type { Tld } from '../../../business/core/catalog/schema/tld.ts';
import {
  type ContactCard,
  cardOf,
  cardOfAddress,
  ensureContacts,
  ownContacts,
} from '../../../business/domains/contacts/contact.ts';
import { extraProblems } from '../../../business/domains/contacts/contact-extra.ts';
import { ownerEmail } from '../../../business/domains/contacts/owner-email.ts';
import { AS_THEY_ARE, type ContactIds } from '../../../business/domains/registration/ordered.ts';
import type { InputProblem, Refusal, RefusalDetail } from '../../../errors.ts';
import type { Locale } from '../../../operation.ts';
import { type ContactRef, type ContactRoles, givenCard, ROLES } from '../contact.schema.ts';

type Tx = Parameters<typeof ensureContacts>[0];

/** Who names contacts. A token for certain domains sees, and names, the contacts of those. */
export interface NamingContext {
  readonly caller: { readonly accountId: string; readonly resourceAllowlist: readonly string[] | null };
  refusal(code: 'contact_incomplete' | 'not_found', detail?: RefusalDetail): Refusal;
}

interface Refuser extends NamingContext {
  readonly locale: Locale;
  readonly uow: { readonly now: Instant };
}

/** Whose contacts, and what was said of them. */
export interface GivenContacts {
  readonly contacts?: ContactRoles | undefined;
  readonly use_account_address: boolean;
}

/**
 * The contacts of an order by role: those of the account, or new ones, which are added. Roles that are left out are the
 * owner's. Refuses what the registry of one of the TLDs would. Nothing was said: as they are.
 */
export async function contactsOrRefuse(
  tx: Tx,
  ctx: Refuser,
  tlds: readonly Tld[],
  given: GivenContacts,
): Promise<ContactIds> {
  const { accountId } = ctx.caller;
  if (given.use_account_address) return await accountContact(tx, ctx, accountId, tlds);
  if (given.contacts === undefined) return AS_THEY_ARE;
  const { contacts } = given;
  const stated = ROLES.flatMap((role) => {
    const ref = contacts[role];
    return ref === undefined ? [] : [{ role, ref, pointer: `/contacts/${role}` }];
  });
  const cards = await cardsOf(tx, ctx, stated);
  const problems = stated.flatMap(({ pointer }, at) => problemsUnder(tlds, cards[at], pointer));
  if (problems.length > 0) throw incomplete(ctx, problems);
  const ids = await ensureContacts(tx, accountId, cards, ctx.uow.now);
  const byRole = new Map(
    stated.map(({ role, ref }, at) => [role, 'contact_uuid' in ref ? ref.contact_uuid : ids[at]]),
  );
  const owner = byRole.get('owner') ?? null;
  const of = (role: (typeof ROLES)[number]) => byRole.get(role) ?? owner;
  return { owner, admin: of('admin'), tech: of('tech'), zone: of('zone') };
}

async function accountContact(
  tx: Tx,
  ctx: Refuser,
  accountId: string,
  tlds: readonly Tld[],
): Promise<ContactIds> {
  const address = await addressOf(tx, accountId);
  const missing = missingFields(address);
  if (address === null || missing.length > 0) {
    throw incomplete(
      ctx,
      missing.map((field) => ({
        pointer: '/use_account_address',
        error: 'required',
        message: `Your address has no ${field}: account/save-address.`,
      })),
    );
  }
  const card = cardOfAddress(address, await ownerEmail(tx, accountId), ctx.locale);
  const problems = problemsUnder(tlds, card, '/contacts/owner');
  if (problems.length > 0) throw incomplete(ctx, problems);
  const [id = null] = await ensureContacts(tx, accountId, [card], ctx.uow.now);
  return { owner: id, admin: id, tech: id, zone: id };
}

/** The cards that roles were given, in order; refuses contacts that are not the account's. */
export async function cardsOf(
  tx: Tx,
  ctx: NamingContext,
  stated: readonly { readonly ref: ContactRef; readonly pointer: string }[],
): Promise<readonly ContactCard[]> {
  const uuids = stated.flatMap(({ ref }) => ('contact_uuid' in ref ? [ref.contact_uuid] : []));
  const { accountId, resourceAllowlist: only } = ctx.caller;
  const own = await ownContacts(tx, accountId, uuids, only);
  return stated.map(({ ref, pointer }) => {
    if (!('contact_uuid' in ref)) return givenCard(ref);
    const known = own.get(ref.contact_uuid);
    if (known === undefined) {
      const message = 'You have no such contact.';
      throw ctx.refusal('not_found', {
        errors: [{ pointer: `${pointer}/contact_uuid`, error: 'not_allowed', message }],
      });
    }
    return cardOf(known);
  });
}

/** {@link problemsOf} of several TLDs: of each field the first. */
function problemsUnder(
  tlds: readonly Tld[],
  card: ContactCard | undefined,
  pointer: string,
): readonly InputProblem[] {
  const problems = [...new Set(tlds)].flatMap((tld) => problemsOf(tld, card, pointer));
  return [...new Map(problems.toReversed().map((problem) => [problem.pointer, problem])).values()].reverse();
}

/** What a card lacks that the TLD's registry wants. */
export function problemsOf(tld: Tld, card: ContactCard | undefined, pointer: string): InputProblem[] {
  return extraProblems(tld.contact_schema, card?.extra ?? {}).map(({ field, error, message }) => ({
    pointer: `${pointer}/extra/${field}`,
    error,
    message,
  }));
}

export function incomplete(ctx: Pick<Refuser, 'refusal'>, errors: readonly InputProblem[]): Refusal {
  return ctx.refusal('contact_incomplete', {
    errors,
    members: { fields: errors.map((problem) => problem.pointer) },
  });
}

/** For a registration that names none at all. */
export function noContacts(ctx: Refuser): Refusal {
  const message = 'A registration needs an owner: contacts, or use_account_address.';
  return incomplete(ctx, [{ pointer: '/contacts', error: 'required', message }]);
}
