import { z } from 'zod';
import { currency, money, timestamp, uuid } from '../../api/field.ts';
import { countCode, demandOwnSecondFactor, secondFactorCode } from '../../api/second-factor.ts';
import { task } from '../../api/task.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { beginChange } from '../../business/domains/changes/change.ts';
import { APPROVAL, askOwners } from '../../business/domains/contacts/owner-approval.ts';
import { notifyOwnerChange } from '../../business/domains/contacts/owner-change-notice.ts';
import { ownerEmail } from '../../business/domains/contacts/owner-email.ts';
import { mailVerification } from '../../business/domains/contacts/verification-mail.ts';
import { domain } from '../../business/domains/domain.ts';
import { operation } from '../../operation.ts';
import { changeableOrRefuse, expectVersion } from './changing-domain.schema.ts';
import { contactRef } from './contact.schema.ts';
import {
  contactColumns,
  contactsOf,
  ownersAsked,
  plannedContacts,
  tradeFee,
} from './contact-change.schema.ts';
import { domainContacts, nameOfOwner, wireDomainContacts } from './contacts-shown.schema.ts';
import { EXTRA_ERRORS, payExtra } from './ordering/extra.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';

export default operation({
  method: 'POST',
  path: 'domain/contact-update',
  summary: 'Change the contacts of a domain, or give it another owner',
  description:
    'Roles that are left out stay. Another name or organisation is another owner, and under the TLDs of ICANN another ' +
    'e-mail address too: that wants `accept_trade`, in a session the code of whoever has two-factor authentication, ' +
    'and the fee of the registry where it asks one. There both owners agree by mail, and the domain is not ' +
    'transferred for some time afterwards, unless `opt_out_transfer_lock` was given. Other domains with the same ' +
    'contacts keep theirs.',
  audience: 'customer',
  scope: 'domain:write',
  input: z
    .strictObject({
      ...domainReference,
      contacts: z
        .strictObject({
          owner: contactRef.optional(),
          admin: contactRef.optional(),
          tech: contactRef.optional(),
          zone: contactRef.optional(),
        })
        .refine((roles) => Object.keys(roles).length > 0, 'At least one role.'),
      accept_trade: z.boolean().default(false),
      opt_out_transfer_lock: z.boolean().default(false),
      code: secondFactorCode.optional(),
      expected_version: z.int().min(1).optional(),
      dry_run: z.boolean().default(false).describe('Validate and price everything, change nothing.'),
    })
    .superRefine(namesOneDomain),
  output: z.object({
    uuid,
    domain: z.string(),
    contacts: domainContacts.describe('As they are to be.'),
    change: z.object({
      kind: z.enum(['update', 'trade']),
      price: money,
      currency,
      approval: z.object({
        required: z.boolean(),
        sent_to: z.array(z.string()),
        expires_at: timestamp.nullable(),
      }),
      transfer_lock_until: timestamp.nullable().describe('If it were done at once.'),
    }),
    version: z.int(),
    task: task.nullable().describe('null: nothing changes, or it was a dry run.'),
  }),
  message: { en: 'The contacts are being changed.', de: 'Die Kontakte werden geändert.' },
  errors: [
    'not_found',
    'version_mismatch',
    'state_conflict',
    'contact_incomplete',
    'trade_required',
    'two_factor_required',
    'two_factor_invalid',
    'rate_limited',
    ...EXTRA_ERRORS,
  ],
  secrets: ['code'],
  example: {
    input: {
      domain: 'example.com',
      contacts: { tech: { contact_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
    },
  },
  resource: domain,
  ask: (ctx, input) => countCode(ctx, ctx.caller.userId, input.code),
  async handle(tx, ctx, input, found) {
    const { uow, catalog } = ctx;
    const { now } = uow;
    const { dry_run: dryRun } = input;
    expectVersion(ctx, found, input.expected_version);
    const { tld } = await changeableOrRefuse(tx, ctx, catalog, found, 'contacts');
    const change = await plannedContacts(tx, ctx, found, tld, input.contacts);
    const { trade, generic, changed } = change;
    const fee = trade ? tradeFee(catalog, found.tld) : 0n;
    if (trade && !input.accept_trade && !dryRun)
      throw ctx.refusal('trade_required', { members: { fee: Number(fee) / 10_000 } });
    if (trade && !dryRun) await demandOwnSecondFactor(tx, ctx, input.code);
    const { orderId, price } = await payExtra(
      tx,
      ctx,
      found,
      {
        title: `Domain ${found.name}, change of owner`,
        lines: (sold) => [
          { description: 'Change of owner', quantity: 1, unitPrice: trade ? tradeFee(sold, found.tld) : 0n },
        ],
        years: null,
      },
      dryRun,
    );
    const locks = trade && generic && !input.opt_out_transfer_lock && tld.policy.transfer_lock_days > 0;
    const accountEmail = await ownerEmail(tx, found.account_id);
    const owners = trade && generic ? ownersAsked(change, accountEmail) : [];
    const approvalUntil = owners.length > 0 ? now.add(APPROVAL) : null;
    const answer = {
      uuid: found.id,
      domain: found.name,
      contacts: wireDomainContacts(change.placed),
      change: {
        kind: trade ? ('trade' as const) : ('update' as const),
        price,
        currency: catalog.content.currency,
        approval: {
          required: owners.length > 0,
          sent_to: dryRun ? [] : owners.map(({ email }) => email),
          expires_at: wireTimeOrNull(approvalUntil),
        },
        transfer_lock_until: locks ? wireTime(now.add({ hours: tld.policy.transfer_lock_days * 24 })) : null,
      },
      version: found.version,
      task: null,
    };
    if (dryRun || changed.length === 0) return answer;
    const columns = await contactColumns(tx, found.account_id, change, now);
    const draft = {
      kind: 'contacts',
      steps: [{ columns, wait_hours: 0 }],
      orderId,
      locks,
      approvalUntil,
    } as const;
    const { id: changeId, task: begun } = await beginChange(tx, uow, found, draft);
    const newOwner = nameOfOwner(change);
    if (approvalUntil !== null) {
      askOwners(ctx, found, { changeId, owners, newOwner, until: approvalUntil });
    } else if (generic && changed.includes('owner')) {
      const email = change.placed.owner?.card.email ?? '';
      await mailVerification(tx, ctx, { accountId: found.account_id, email, domain: found.name });
    }
    if (trade) {
      const told = { domain: found.name, newOwner, ip: ctx.ip, changeId };
      // Whoever was asked to agree knows it.
      const present = owners.length > 0 ? null : change.ownerBefore;
      notifyOwnerChange(uow, found, told, present, accountEmail);
    }
    return {
      ...answer,
      contacts: wireDomainContacts(await contactsOf(tx, { ...found, ...columns })),
      version: approvalUntil === null ? found.version + 1 : found.version,
      task: begun,
    };
  },
});
