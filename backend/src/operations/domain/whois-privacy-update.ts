import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { type Instant, isBefore, later } from '../../base/time.ts';
import { beginChange } from '../../business/domains/changes/change.ts';
import { type Domain, domain } from '../../business/domains/domain.ts';
import { missingYears } from '../../business/domains/renewal/term.ts';
import { operation } from '../../operation.ts';
import { changeableOrRefuse } from './changing-domain.schema.ts';
import { contactsOf } from './contact-change.schema.ts';
import { EXTRA_ERRORS, payExtra } from './ordering/extra.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';
import { whoisPrivacy, wireWhoisPrivacy } from './whois-privacy.schema.ts';

export default operation({
  method: 'POST',
  path: 'domain/whois-privacy-update',
  summary: 'Hide the owner of a domain from the public, or show them',
  description:
    'Where it costs something, every year is paid that was begun of the term that runs, and renewals include it. What ' +
    'was paid once of a term is not paid again when it is switched off and on. ' +
    'Persons are hidden in any case.',
  audience: 'customer',
  scope: 'domain:write',
  input: z.strictObject({ ...domainReference, enabled: z.boolean() }).superRefine(namesOneDomain),
  output: z.object({ uuid, domain: z.string(), whois_privacy: whoisPrivacy, task: task.nullable() }),
  message: {
    en: 'What the public sees of the owner is being changed.',
    de: 'Was die Öffentlichkeit vom Inhaber sieht, wird geändert.',
  },
  errors: ['not_found', 'state_conflict', 'not_supported_for_tld', ...EXTRA_ERRORS],
  example: { input: { domain: 'example.com', enabled: true } },
  resource: domain,
  async handle(tx, ctx, { enabled }, found) {
    const { tld } = await changeableOrRefuse(tx, ctx, ctx.catalog, found, 'whois_privacy');
    if (!tld.features.whois_privacy) throw ctx.refusal('not_supported_for_tld');
    const owner = (await contactsOf(tx, found)).owner?.card ?? null;
    const answer = {
      uuid: found.id,
      domain: found.name,
      whois_privacy: wireWhoisPrivacy(ctx.catalog, found, owner, enabled),
    };
    if (enabled === found.whois_privacy) return { ...answer, task: null };
    const years = unpaidYears(found, ctx.uow.now);
    const price = (of: typeof tld | undefined) => (enabled && years > 0 ? (of?.whois_privacy ?? 0n) : 0n);
    const { orderId } = await payExtra(
      tx,
      ctx,
      found,
      {
        title: `Domain ${found.name}, WHOIS privacy`,
        lines: ({ tlds }) => [
          {
            description: 'WHOIS privacy (year)',
            quantity: years,
            unitPrice: price(tlds.get(found.tld)),
          },
        ],
        years,
      },
      false,
    );
    const { task: begun } = await beginChange(tx, ctx.uow, found, {
      kind: 'whois_privacy',
      steps: [
        {
          // While it is on, it is paid until the end of the term.
          columns: { whois_privacy: enabled, ...(enabled ? {} : { whois_privacy_until: found.expire_at }) },
          wait_hours: 0,
        },
      ],
      orderId,
      locks: false,
      approvalUntil: null,
    });
    return { ...answer, task: begun };
  },
});

/** Years of the term that runs, of which it was not paid already. */
function unpaidYears({ whois_privacy_until: until, expire_at }: Domain, now: Instant): number {
  if (until !== null && !isBefore(until, expire_at)) return 0;
  return Math.max(1, missingYears(until === null ? now : later(until, now), expire_at));
}
