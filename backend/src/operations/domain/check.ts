import { z } from 'zod';
import { currency, timestamp } from '../../api/field.ts';
import { unicodeName } from '../../base/domain-name.ts';
import { splitDomain } from '../../base/domain-suffix.ts';
import { type Instant, wireTime } from '../../base/time.ts';
import { isSearched, type Tld } from '../../business/core/catalog/schema/tld.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import { domainPrices } from '../../business/domains/price.ts';
import { takesLabel } from '../../business/domains/registration/label-rules.ts';
import type { DomainAvailability, DomainQuestion } from '../../drivers/registry/port.ts';
import { operation } from '../../operation.ts';
import { domainPricing, searchedDomain, tldName, wireDomainPrices } from './domain.schema.ts';
import { lookAlikeWarnings, warning } from './look-alike.schema.ts';

const result = z.object({
  domain: z.string().describe('Name and TLD in punycode'),
  domain_unicode: z.string(),
  available: z.boolean().describe('Whether it can be registered now; false whenever that is not certain'),
  premium: z.boolean().describe('The registry asks a price of its own for this name'),
  pricing: domainPricing,
  reason: z
    .enum(['taken', 'reserved', 'invalid', 'unsupported_tld', 'registry_unavailable', 'unconfirmed'])
    .nullable()
    .describe(
      'Why it is not available. `registry_unavailable`: the registry did not answer in time, ask again later; ' +
        '`unconfirmed`: it seems free, but nobody who can register it said so; `invalid`: the TLD does not take ' +
        'such names.',
    ),
});

export default operation({
  method: 'POST',
  path: 'domain/check',
  summary: 'Whether a domain is available, here and under other TLDs',
  description:
    'Asks the registries about the submitted domain first, then about the same name under `tlds` or the TLDs ' +
    'that the provider suggests. An answer is at most a few seconds old.',
  audience: 'customer',
  scope: 'domain:read',
  input: z.strictObject({
    domain: searchedDomain,
    tlds: z.array(tldName).max(50).optional().describe('Further TLDs, instead of the suggested ones.'),
  }),
  output: z.object({
    searched_domain: z.string().describe('The name without its TLD, in punycode'),
    provided_tld: z.string().describe('The submitted TLD, in punycode; empty when there was none'),
    default_tld: z
      .string()
      .nullable()
      .describe('The TLD that was used because none was submitted; null when one was'),
    results: z.array(result),
    total_checked: z.int(),
    currency,
    tax_included: z.boolean(),
    checked_at: timestamp,
    warnings: z
      .array(warning)
      .optional()
      .describe(
        '`mixed_scripts`: the name looks like another one. Left out when there is nothing to warn of.',
      ),
  }),
  message: { en: 'The domain was checked.', de: 'Die Domain wurde geprüft.' },
  errors: ['unsupported_tld'],
  example: { input: { domain: 'example.com' } },
  async read(ctx, input) {
    const { content, tlds } = ctx.catalog;
    const unsupported = (name: string, pointer: string) =>
      ctx.refusal('unsupported_tld', {
        members: { tld: name },
        errors: [{ pointer, error: 'not_allowed', message: `Domains under .${name} are not sold here.` }],
      });
    const searched = (name: string, pointer: string): Tld => {
      const found = tlds.get(name);
      if (found === undefined || !isSearched(found)) throw unsupported(name, pointer);
      return found;
    };

    const split = splitDomain(input.domain.labels, (suffix) => tlds.has(suffix));
    if (split.kind === 'unknown_tld') throw unsupported(split.tld, '/domain');
    const bare = split.kind === 'bare';
    const first = searched(bare ? content.default_tld : split.tld, '/domain');
    const further = (input.tlds ?? content.suggested_tlds).map((name, at) => searched(name, `/tlds/${at}`));

    const candidates = [...new Set([first, ...further])].map((under) =>
      candidate(split.label, under, ctx.catalog),
    );
    const questions = candidates.filter((it) => it.ruledOut === null);
    const answered = await ctx.ports.registry.check(questions);
    const answers = new Map(answered.map((answer) => [answer.domain, answer]));
    const warnings = questions.length === 0 ? [] : lookAlikeWarnings(split.label);
    return {
      searched_domain: split.label,
      provided_tld: bare ? '' : split.tld,
      default_tld: bare ? first.tld : null,
      results: candidates.map((it) => wireResult(it, answers.get(it.domain), ctx.now)),
      total_checked: candidates.length,
      currency: content.currency,
      tax_included: content.prices_include_tax,
      checked_at: wireTime(ctx.now),
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  },
});

/** A name under one TLD, and the question to its registry. */
interface Candidate extends DomainQuestion {
  readonly policy: Tld;
  /** Why it cannot be registered, where the catalogue knows without asking. */
  readonly ruledOut: 'reserved' | 'invalid' | null;
}

function candidate(label: string, policy: Tld, catalog: CatalogVersion): Candidate {
  const { tld, registry } = policy;
  const domain = `${label}.${tld}`;
  // `co.uk` is not for sale under `uk`: names are sold under it.
  const ruledOut = catalog.tlds.has(domain) ? 'reserved' : takesLabel(policy, label) ? null : 'invalid';
  return { domain, tld, registry, policy, ruledOut };
}

function wireResult(it: Candidate, answer: DomainAvailability | undefined, now: Instant) {
  const premium = answer?.premium ?? null;
  const reason = answer === undefined ? (it.ruledOut ?? 'registry_unavailable') : answer.reason;
  return {
    domain: it.domain,
    domain_unicode: unicodeName(it.domain),
    available: answer?.available ?? false,
    premium: premium !== null,
    pricing: wireDomainPrices(domainPrices(it.policy, premium, now)),
    reason,
  };
}
