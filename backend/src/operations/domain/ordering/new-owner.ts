import { isGeneric, type Tld } from '../../../business/core/catalog/schema/tld.ts';
import { contactsById } from '../../../business/domains/contacts/contact.ts';
import { type Mailing, mailVerification } from '../../../business/domains/contacts/verification-mail.ts';
import type { ClaimedDomain } from '../../../business/domains/registration/ordered.ts';

type Tx = Parameters<typeof mailVerification>[0];

/**
 * Mails the owner of domains that were just ordered, who is one for all of them, the link that proves their address,
 * where ICANN's rules hold for one. Their time begins once that is registered (rule F10).
 */
export async function mailNewOwner(
  tx: Tx,
  ctx: Mailing & { readonly caller: { readonly accountId: string } },
  claims: readonly ClaimedDomain[],
  tlds: readonly Tld[],
): Promise<void> {
  const first = claims.find((claim) => tlds.some((tld) => tld.tld === claim.tld && isGeneric(tld)));
  const ownerId = first?.contacts.owner ?? null;
  const owner = (await contactsById(tx, [ownerId])).get(ownerId ?? '');
  if (first === undefined || owner === undefined || owner.verification === 'pending') return;
  const { accountId } = ctx.caller;
  await mailVerification(tx, ctx, { accountId, email: owner.email, domain: first.name });
}
