import { randomBytes, randomUUID } from 'node:crypto';
import { OWNER } from '../domains.ts';
import type { Caller, Harness } from '../harness.ts';
import type { OperationCases, Prepare } from './case.ts';
import { codesUsedUp, guarded, WRONG_CODE } from './people.ts';

export const someName = (tld = 'com', prefix = 'every') =>
  `${prefix}-${randomBytes(5).toString('hex')}.${tld}`;

export const order = async (tld?: string) => ({
  domain: someName(tld),
  contacts: { owner: OWNER },
  tos: true,
  cancellation: true,
});

/** Registers a domain for somebody who has the money. */
export async function registered(
  harness: Harness,
  as: Caller,
  tld?: string,
): Promise<{ uuid: string; domain: string }> {
  const input = await order(tld);
  const { domain_uuid, state } = await harness.data('domain/order', {
    as,
    input,
    headers: { prefer: 'wait=30' },
  });
  if (state !== 'ACTIVE') throw new Error(`${input.domain} was not registered`);
  return { uuid: domain_uuid, domain: input.domain };
}

export const withDomain =
  (more: (domain: string) => Record<string, unknown> = () => ({}), sql?: string, tld?: string): Prepare =>
  async (harness) => {
    const as = await harness.customer();
    const { uuid, domain } = await registered(harness, as, tld);
    if (sql !== undefined) await harness.pool.pg.query(sql, [uuid]);
    return { as, input: { uuid, ...more(domain) } };
  };

export const unknownDomain =
  (more: Record<string, unknown> = {}): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { uuid: randomUUID(), ...more } });

/** What a session of somebody with a second factor needs a code for. */
export function ownCode(input: Record<string, unknown>, sql?: string): OperationCases['refuses'] {
  const session = async (harness: Harness) => {
    const { as } = await guarded(harness);
    const { uuid } = await registered(harness, as);
    if (sql !== undefined) await harness.pool.pg.query(sql, [uuid]);
    return { as: await harness.tokenOf(as, { kind: 'session' }), input: { uuid, ...input } };
  };
  return {
    two_factor_required: session,
    two_factor_invalid: async (harness) => {
      const { as, input: given } = await session(harness);
      return { as, input: { ...given, code: WRONG_CODE } };
    },
    rate_limited: async (harness) => {
      const { as, input: given } = await session(harness);
      await codesUsedUp(harness, as.userId);
      return { as, input: { ...given, code: WRONG_CODE } };
    },
  };
}
