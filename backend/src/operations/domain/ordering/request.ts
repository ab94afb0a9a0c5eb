import { z } from 'zod';
import { label, timestamp, uuid } from '../../../api/field.ts';
import {
  charged,
  codeOfFurtherTerm,
  consent,
  NEW_ORDER_ERRORS,
  ORDER_ERRORS,
  orderFields,
  quote,
} from '../../../api/order.ts';
import { task } from '../../../api/task.ts';
import { unicodeName } from '../../../base/domain-name.ts';
import { splitDomain } from '../../../base/domain-suffix.ts';
import type { Sealer } from '../../../base/seal.ts';
import type { Tld } from '../../../business/core/catalog/schema/tld.ts';
import type { CatalogStore, CatalogVersion } from '../../../business/core/catalog/versions.ts';
import type { DomainAction } from '../../../business/domains/price.ts';
import type { OrderedName } from '../../../business/domains/registration/availability.ts';
import { takesLabel } from '../../../business/domains/registration/label-rules.ts';
import type { InputProblem, Refusal, RefusalDetail } from '../../../errors.ts';
import type { Locale } from '../../../operation.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { contactRoles } from '../contact.schema.ts';
import { dnsImport } from '../dns-import.schema.ts';
import { domainPricing } from '../domain.schema.ts';
import { nameserverProblems, nameservers } from '../nameserver.schema.ts';
import { domainName } from '../reference.schema.ts';
import { dnsProblems, orderedDns } from './zone.ts';

/** What `domain/order` takes. */
export const domainOrderInput = z.strictObject({
  action: z.enum(['register', 'transfer', 'renew', 'restore']).default('register'),
  domain: domainName,
  period: z.int().min(1).max(10).default(1).describe('Years.'),
  authcode: z.string().min(1).max(255).optional().describe('From the present registrar; to transfer.'),
  contacts: contactRoles.optional().describe('Roles that are left out are the owner’s.'),
  use_account_address: z.boolean().default(false).describe('Your account’s address, instead of `contacts`.'),
  nameservers: nameservers
    .optional()
    .describe('Omitted: ours, and the zone is hosted here; of a transfer: those that it has.'),
  dns: orderedDns.optional(),
  whois_privacy: z.boolean().default(true).describe('Ignored where the TLD does not have it.'),
  dnssec: z.boolean().default(false).describe('Sign the zone that is hosted here.'),
  auto_renew: z.boolean().optional().describe('Omitted: true, and for one that you have, as it is.'),
  transfer_lock: z.boolean().default(true),
  premium_confirmed: z.boolean().default(false).describe('That the registry asks a price of its own.'),
  custom_name: label.optional(),
  ...consent,
  ...orderFields,
  discount_code: codeOfFurtherTerm,
});
export type DomainOrderInput = z.output<typeof domainOrderInput>;

export const domainOrdered = z.union([
  z.object({
    order_id: uuid,
    domain_uuid: uuid,
    domain: z.string(),
    action: z.enum(['register', 'transfer', 'renew', 'restore']),
    period: z.int(),
    duration: z.int().describe('The same as `period`.'),
    expire_at: timestamp.nullable().describe('null: its registry says it when the transfer is through.'),
    pricing: domainPricing,
    charged,
    transaction_uuid: uuid,
    premium: z.boolean(),
    state: z.enum(['PENDING', 'ACTIVE', 'FAILED']),
    next_step: z.object({
      kind: z.enum(['none', 'confirm_email', 'foa', 'registry_approval', 'document']),
      detail: z.string().nullable(),
      expires_at: timestamp.nullable(),
    }),
    dns_import: dnsImport.optional().describe('Left out when it was not asked for.'),
    task,
  }),
  z.object({ quote, dns_import: dnsImport.optional() }),
]);

export const DOMAIN_ORDER_ERRORS = [
  'not_found',
  'state_conflict',
  'domain_not_available',
  'backend_unavailable',
  'transfer_locked',
  'authcode_invalid',
  'contact_incomplete',
  'premium_not_confirmed',
  'unsupported_tld',
  'not_supported_for_tld',
  'period_not_allowed',
  ...ORDER_ERRORS,
  ...NEW_ORDER_ERRORS,
] as const;
export type DomainOrderError = (typeof DOMAIN_ORDER_ERRORS)[number];

/** What deciding an order needs of its request. */
export interface OrderingContext {
  readonly uow: UnitOfWork;
  readonly caller: {
    readonly accountId: string;
    readonly userId: string;
    readonly tokenId: string;
    readonly resourceAllowlist: readonly string[] | null;
  };
  readonly locale: Locale;
  readonly ip: string;
  readonly sealer: Sealer;
  readonly publicUrl: string;
  readonly catalogs: CatalogStore;
  refusal(code: DomainOrderError, detail?: RefusalDetail): Refusal;
}
type Refuser = Pick<OrderingContext, 'refusal'>;

/** Reads the name against the catalogue; refuses what is not sold, and names that the registry does not take. */
export function orderedName(
  ctx: Refuser,
  { tlds }: CatalogVersion,
  { domain, action }: Pick<DomainOrderInput, 'domain' | 'action'>,
): OrderedName {
  const split = splitDomain(domain.split('.'), (suffix) => tlds.has(suffix));
  const suffix = split.kind === 'bare' ? domain : split.tld;
  const tld = tlds.get(suffix);
  const fresh = action === 'register' || action === 'transfer';
  if (split.kind !== 'registrable' || tld === undefined || (fresh && !tld.sold)) {
    const message = `Domains under .${suffix} are not sold here.`;
    throw ctx.refusal('unsupported_tld', {
      members: { tld: suffix },
      errors: [{ pointer: '/domain', error: 'not_allowed', message }],
    });
  }
  const name = `${split.label}.${suffix}`;
  const problem =
    name !== domain
      ? `Names below another, such as ${unicodeName(domain)}, are not registered: ${unicodeName(name)} is.`
      : tlds.has(name) || !takesLabel(tld, split.label)
        ? 'This TLD does not take such names.'
        : null;
  if (problem !== null) throw invalid(ctx, [{ pointer: '/domain', error: 'not_allowed', message: problem }]);
  return { name, tld };
}

/** What a domain that is there already keeps. */
const NEW_ONLY = ['authcode', 'contacts', 'nameservers', 'custom_name'] as const;

/** What the catalogue has to say about an order, before any registry is asked (rule F2). */
export function checkOrder(ctx: Refuser, { name, tld }: OrderedName, input: DomainOrderInput): void {
  const { action } = input;
  if (action === 'transfer' && tld.transfer === null) throw ctx.refusal('not_supported_for_tld');
  if (action === 'transfer' && tld.policy.transfer_model !== 'authcode')
    throw ctx.refusal('not_supported_for_tld');
  if (action === 'restore' && tld.redemption_days === 0) throw ctx.refusal('not_supported_for_tld');
  if (input.dnssec && !tld.features.dnssec) throw ctx.refusal('not_supported_for_tld');
  checkPeriod(ctx, tld, action, input.period);
  const superfluous: readonly (keyof DomainOrderInput)[] =
    action === 'register' ? ['authcode'] : action === 'transfer' ? [] : NEW_ONLY;
  const problems: InputProblem[] = superfluous
    .filter((field) => input[field] !== undefined)
    .map((field) => ({
      pointer: `/${field}`,
      error: 'not_allowed',
      message: `This has no place in an order to ${action}.`,
    }));
  if (action === 'transfer' && input.authcode === undefined)
    problems.push({ pointer: '/authcode', error: 'required', message: 'A transfer needs the code.' });
  if (input.use_account_address && input.contacts !== undefined)
    problems.push({
      pointer: '/use_account_address',
      error: 'not_allowed',
      message: 'Either the contacts, or the address of the account.',
    });
  problems.push(...dnsProblems(name, input));
  problems.push(...nameserverProblems(name, input.nameservers ?? [], tld.features.glue));
  if (problems.length > 0) throw invalid(ctx, problems);
}

/** A transfer brings what the registry says, which is a year or nothing. */
function checkPeriod(ctx: Refuser, tld: Tld, action: DomainAction, period: number): void {
  const allowed = action === 'transfer' ? [1] : tld.periods;
  if (allowed.includes(period)) return;
  throw ctx.refusal('period_not_allowed', {
    errors: [
      {
        pointer: '/period',
        error: 'not_allowed',
        message: `Years that are sold: ${allowed.join(', ')}.`,
        allowed,
      },
    ],
  });
}

function invalid(ctx: Refuser, errors: readonly InputProblem[]): Refusal {
  return ctx.refusal('validation_failed', {
    errors,
    members: { fields: errors.map((problem) => problem.pointer) },
  });
}
