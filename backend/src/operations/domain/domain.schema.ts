import { z } from 'zod';
import { money } from '../../api/field.ts';
import { DOMAIN_NAME_PROBLEMS, type DomainName, readDomainName } from '../../base/domain-name.ts';
import { type UnitPrice, wireUnitPrice } from '../../base/money.ts';
import type { DomainPrices } from '../../business/domains/price.ts';

/** A web address as copied from a browser: scheme, host, port and the rest. */
const PASTED = /^(https?:\/\/)?([^/?#:]*)(?::\d{1,5})?(?:[/?#].*)?$/isu;

/** What somebody types or pastes into a search for domains. */
export const searchedDomain = z
  .string()
  .max(2_000)
  .transform((text, ctx) => domainName(hostOf(text), ctx))
  .describe(
    'The name to search, with or without a TLD; any case, Unicode or punycode. Of a pasted web address, the ' +
      'host is searched; of a longer name such as `www.example.com`, the part that can be registered.',
  );

/** A TLD that a client names; gives it in punycode. */
export const tldName = z
  .string()
  .max(255)
  .transform((text, ctx) => domainName(text.trim().replace(/^\./, ''), ctx).ascii)
  .describe('Unicode or punycode, with or without a dot in front');

export const domainPricing = z
  .object({
    register: money,
    renew: money,
    transfer: money.nullable().describe('null where no transfer is offered'),
    restore: money,
  })
  .describe('For one year, in the currency beside it');

/** `shown`: how a price is written. */
export function wireDomainPrices(
  prices: DomainPrices,
  shown: (price: UnitPrice) => number = wireUnitPrice,
): z.input<typeof domainPricing> {
  return {
    register: shown(prices.register),
    renew: shown(prices.renew),
    transfer: prices.transfer === null ? null : shown(prices.transfer),
    restore: shown(prices.restore),
  };
}

/** Without a scheme, only what stands behind a dotted name is taken for the rest of an address. */
function hostOf(text: string): string {
  const [, scheme, host = ''] = PASTED.exec(text.trim()) ?? [];
  return scheme !== undefined || host.includes('.') ? host : text;
}

function domainName(text: string, ctx: z.RefinementCtx): DomainName {
  const reading = readDomainName(text);
  if (reading.ok) return reading.name;
  ctx.addIssue({ code: 'custom', input: text, message: DOMAIN_NAME_PROBLEMS[reading.problem] });
  return z.NEVER;
}
