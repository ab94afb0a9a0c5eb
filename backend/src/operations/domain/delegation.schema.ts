import { z } from 'zod';
import { fieldProblem } from '../../api/order.ts';
import type { DelegationSigner } from '../../base/delegation-signer.ts';
import type { Tld } from '../../business/core/catalog/schema/tld.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import type { ChangeStep } from '../../business/domains/changes/change.ts';
import type { ServerReport, WantedDelegation } from '../../business/domains/delegation/delegation.ts';
import { type Domain, domain } from '../../business/domains/domain.ts';
import type { InputProblem, Refusal, RefusalDetail } from '../../errors.ts';
import type { ReadContext } from '../../operation.ts';
import { nameserverProblems } from './nameserver.schema.ts';

const DIGEST_LENGTHS: Readonly<Record<number, number>> = { 1: 40, 2: 64, 4: 96 };

/** A DS as clients give it (RFC 4034 §5). */
export const delegationSigner = z
  .strictObject({
    key_tag: z.int().min(0).max(65_535),
    algorithm: z.int().min(1).max(255),
    digest_type: z.int().describe('1: SHA-1, 2: SHA-256, 4: SHA-384.'),
    digest: z
      .string()
      .overwrite((text) => text.replace(/\s+/g, '').toUpperCase())
      .regex(/^[0-9A-F]+$/, 'This must be hexadecimal.'),
  })
  .refine(({ digest_type, digest }) => DIGEST_LENGTHS[digest_type] === digest.length, {
    message: 'The digest does not have the length of its type.',
    path: ['digest'],
  });

export function givenSigner(given: z.output<typeof delegationSigner>): DelegationSigner {
  return {
    keyTag: given.key_tag,
    algorithm: given.algorithm,
    digestType: given.digest_type,
    digest: given.digest,
  };
}

/** What a name server said. */
export const delegationCheck = z.object({
  hostname: z.string(),
  resolves: z.boolean(),
  authoritative: z.boolean(),
  soa_serial: z.int().nullable(),
  latency_ms: z.int().nullable(),
});

export function wireCheck({ hostname, resolves, authoritative, soaSerial, latencyMs }: ServerReport) {
  return { hostname, resolves, authoritative, soa_serial: soaSerial, latency_ms: latencyMs };
}

/** Why the domain would not be reachable at these name servers, or not by everybody. */
export function reportProblems(reports: readonly ServerReport[]): readonly InputProblem[] {
  return reports.flatMap((report, at): InputProblem[] => {
    const message = problemOf(report);
    return message === null ? [] : [{ pointer: `/nameservers/${at}`, error: 'not_allowed', message }];
  });
}

function problemOf({ hostname, resolves, authoritative, latencyMs, hasKey }: ServerReport): string | null {
  if (!resolves) return `${hostname} has no address, or one that is not public.`;
  if (latencyMs === null) return `${hostname} does not answer.`;
  if (!authoritative) return `${hostname} does not answer for the domain with authority.`;
  return hasKey === false ? `${hostname} has no key for any of the DS.` : null;
}

const DEADLINE_MS = 5_000;

interface DelegationInput {
  readonly uuid?: string | undefined;
  readonly domain?: string | undefined;
  readonly mode: 'default' | 'custom';
  readonly nameservers?: WantedDelegation['nameservers'] | undefined;
  readonly ds?: readonly z.output<typeof delegationSigner>[] | undefined;
}

/** What the name servers say that a customer wants for a domain of theirs; nothing of what is not theirs. */
export async function inspectNameservers(
  ctx: Pick<ReadContext<'customer'>, 'db' | 'ports' | 'caller'>,
  input: DelegationInput,
): Promise<readonly ServerReport[]> {
  const { nameservers = [], ds = [], mode } = input;
  if (mode === 'default' || nameservers.length === 0) return [];
  const uuid = domain.keyOf?.(input) ?? '';
  const [found] = await domain.load(ctx.db, [{ accountId: ctx.caller.accountId, uuid }]);
  if (found == null || nameserverProblems(found.name, nameservers, true).length > 0) return [];
  const question = { zone: found.name, nameservers, ds: ds.map(givenSigner) };
  return await ctx.ports.delegation.inspect(question, DEADLINE_MS);
}

interface Refuser {
  refusal(code: 'validation_failed', detail: RefusalDetail): Refusal;
}

/** Where the domain is to be delegated; refuses what its TLD does not have, and what does not fit together. */
export function wantedOrRefuse(
  ctx: Refuser,
  { content }: CatalogVersion,
  tld: Tld,
  found: Domain,
  { mode, nameservers, ds }: DelegationInput,
): WantedDelegation {
  const refuse = (pointer: string, error: InputProblem['error'], message: string) =>
    ctx.refusal('validation_failed', fieldProblem(pointer, error, message));
  if (mode === 'default') {
    if (nameservers !== undefined) throw refuse('/nameservers', 'not_allowed', 'Only of custom ones.');
    if (ds !== undefined) throw refuse('/ds', 'not_allowed', 'Only of custom name servers.');
    const ours = content.nameservers.map((hostname) => ({ hostname, ipv4: [], ipv6: [] }));
    if (ours.length === 0) throw refuse('/mode', 'not_allowed', 'No zones are hosted here.');
    // Of a zone that is signed here its publisher tells the registry.
    const isStill = found.dns_hosted && found.nameservers !== null;
    return { nameservers: ours, dnsHosted: true, ds: isStill ? found.ds : [] };
  }
  if (nameservers === undefined) throw refuse('/nameservers', 'required', 'Which ones?');
  if ((ds ?? []).length > 0 && !tld.features.dnssec)
    throw refuse('/ds', 'not_allowed', 'The registry of this TLD takes none.');
  const problems = nameserverProblems(found.name, nameservers, tld.features.glue);
  if (problems.length > 0)
    throw ctx.refusal('validation_failed', {
      errors: problems,
      members: { fields: problems.map(({ pointer }) => pointer) },
    });
  return { nameservers, dnsHosted: false, ds: (ds ?? []).map(givenSigner) };
}

/** What is said beside: what the name servers did not answer, and what becomes of signatures. */
export function delegationWarnings(
  found: Domain,
  wanted: WantedDelegation,
  problems: readonly InputProblem[],
  steps: readonly ChangeStep[],
) {
  const warnings = problems.map(({ message }) => ({ error: 'delegation_check_failed', message }));
  if (found.ds.length > 0 && wanted.ds.length === 0) {
    const message = 'The domain is signed, and will not be: its DS is removed.';
    warnings.push({ error: 'dnssec_removed', message });
  }
  const hours = steps.slice(0, -1).reduce((sum, step) => sum + step.wait_hours, 0);
  if (hours > 0) {
    const message = `So that resolvers see no wrong signatures, this takes about ${hours} hours.`;
    warnings.push({ error: 'dnssec_delays', message });
  }
  return warnings;
}
