import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { DOMAIN_NAME_PROBLEMS, readDomainName } from '../../base/domain-name.ts';

/** A domain as clients write it: Unicode or punycode, any case. Gives it in punycode. */
export const domainName = z
  .string()
  .max(255)
  .transform((text, ctx) => {
    const reading = readDomainName(text);
    if (reading.ok && reading.name.labels.length > 1) return reading.name.ascii;
    const message = reading.ok ? 'This must be a name with its TLD.' : DOMAIN_NAME_PROBLEMS[reading.problem];
    ctx.addIssue({ code: 'custom', input: text, message });
    return z.NEVER;
  })
  .describe('The domain; Unicode or punycode.');

/** What every operation on one domain takes: exactly one of the two. */
export const domainReference = {
  uuid: uuid.optional(),
  domain: domainName.optional().describe('Instead of the `uuid`; Unicode or punycode.'),
};

/** For the object that has {@link domainReference} among its fields. */
export function namesOneDomain(
  input: { readonly uuid?: string | undefined; readonly domain?: string | undefined },
  ctx: z.RefinementCtx,
): void {
  if ((input.uuid === undefined) !== (input.domain === undefined)) return;
  const message = 'Exactly one of uuid and domain is needed.';
  ctx.addIssue({ code: 'custom', path: [input.uuid === undefined ? 'uuid' : 'domain'], input, message });
}
