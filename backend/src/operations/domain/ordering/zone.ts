import { z } from 'zod';
import { uuid } from '../../../api/field.ts';
import type { CatalogVersion } from '../../../business/core/catalog/versions.ts';
import type { ExistingZone } from '../../../business/dns/zone/existing.ts';
import { planZone, type ZoneDraft } from '../../../business/dns/zone/hosting.ts';
import { type ImportedZone, importZone } from '../../../business/dns/zone/imported.ts';
import { templateRecords, ZONE_TEMPLATES } from '../../../business/dns/zone/template.ts';
import type { ClaimedDomain } from '../../../business/domains/registration/ordered.ts';
import { server } from '../../../business/servers/server.ts';
import type { InputProblem, Refusal, RefusalDetail } from '../../../errors.ts';
import { recordInput } from '../dns-record.schema.ts';

/** What a new domain's zone begins with. */
export const orderedDns = z
  .strictObject({
    template: z
      .enum(ZONE_TEMPLATES)
      .default('none')
      .describe('`parking` and `mail` where they are offered; `server`: a server of yours.'),
    server_uuid: uuid.optional().describe('For the template `server`.'),
    records: z.array(recordInput).max(500).default([]).describe('Besides, or with `none` instead.'),
    import_existing: z
      .boolean()
      .default(false)
      .describe(
        'Besides, what the present name servers of the domain have: `dns_import` says what was found.',
      ),
  })
  .describe('What the zone begins with that is hosted here; with a transfer, that it is to be hosted here.');
export type OrderedDns = z.output<typeof orderedDns>;

type Executor = Parameters<typeof server.load>[0];

interface Ordering {
  readonly caller: {
    readonly accountId: string;
    readonly userId: string;
    readonly resourceAllowlist: readonly string[] | null;
  };
  refusal(code: 'validation_failed', detail?: RefusalDetail): Refusal;
}

/** What is wrong with it as far as the request alone can tell. */
export function dnsProblems(
  name: string,
  {
    action,
    nameservers,
    dns,
  }: {
    readonly action: string;
    readonly nameservers?: unknown;
    readonly dns?: OrderedDns | undefined;
  },
): readonly InputProblem[] {
  if (dns === undefined) return [];
  const problem = (pointer: string, message: string): InputProblem[] => [
    { pointer, error: 'not_allowed', message },
  ];
  if (action !== 'register' && action !== 'transfer')
    return problem('/dns', `This has no place in an order to ${action}.`);
  if (nameservers !== undefined)
    return problem('/dns', 'The zone is not hosted here with other name servers.');
  if ((dns.template === 'server') !== (dns.server_uuid !== undefined))
    return problem('/dns/server_uuid', 'A server belongs to the template server, and to no other.');
  return recordProblems(name, dns.records, dns.records.length);
}

/** What a zone that is ordered is to begin with. */
export interface PlannedZone {
  readonly records: ZoneDraft['records'];
  /** null: nobody was asked. */
  readonly imported: ImportedZone | null;
}

/**
 * The zones of ordered domains by their names, where something is said of them; refuses what cannot be one.
 * `comesFromHere`: another customer of ours has the domain.
 */
export async function planZones(
  db: Executor,
  ctx: Ordering,
  { content }: CatalogVersion,
  ordered: readonly { readonly name: string; readonly comesFromHere: boolean }[],
  dns: OrderedDns | undefined,
  existing: ReadonlyMap<string, ExistingZone>,
): Promise<ReadonlyMap<string, PlannedZone>> {
  if (dns === undefined) return new Map();
  const { template, server_uuid: serverId, records: given } = dns;
  const refuse = (pointer: string, message: string) =>
    invalid(ctx, [{ pointer, error: 'not_allowed', message }]);
  if (content.nameservers.length === 0) throw refuse('/dns', 'No zones are hosted here.');
  if (ordered.some(({ comesFromHere }) => comesFromHere))
    throw refuse('/dns', 'The zone of a domain that is here already comes with it.');
  const addresses = serverId === undefined ? [] : await serverAddresses(db, ctx.caller, serverId);
  const offered = templateRecords(template, content.zone_templates, addresses);
  if (template === 'server' && addresses.length === 0)
    throw refuse('/dns/server_uuid', 'There is no such server.');
  if (offered === null) throw refuse('/dns/template', 'This template is not offered here.');
  const own = [...given, ...offered];
  const problems = ordered.flatMap(({ name }) => recordProblems(name, own, given.length));
  if (problems.length > 0) throw invalid(ctx, problems);
  return new Map(
    ordered.map(({ name }) => {
      const found = existing.get(name);
      const imported = found === undefined ? null : importZone(name, found, own);
      return [name, { records: [...own, ...(imported?.records ?? [])], imported }];
    }),
  );
}

/**
 * The zones of domains that were claimed: those that are registered with our name servers are made `now` (rule F6), those
 * that are transferred and to be hosted here `later` (rule F2).
 */
export function draftsOf(
  { caller: { userId } }: Pick<Ordering, 'caller'>,
  claimed: readonly ClaimedDomain[],
  zones: ReadonlyMap<string, PlannedZone>,
): { readonly now: readonly ZoneDraft[]; readonly later: readonly ZoneDraft[] } {
  const draft = ({ id, name, nameservers, dnssec }: ClaimedDomain): ZoneDraft => ({
    domainId: id,
    name,
    nameservers: (nameservers ?? []).map(({ hostname }) => hostname),
    records: zones.get(name)?.records ?? [],
    dnssec,
    userId,
  });
  return {
    now: claimed.filter(({ state, dnsHosted }) => state === 'pending' && dnsHosted).map(draft),
    later: claimed.filter(({ state, name }) => state === 'pending_transfer' && zones.has(name)).map(draft),
  };
}

/**
 * Its IPv4 addresses: which of its IPv6 network's it answers at, nobody here knows. None: it is not the customer's, or
 * none that their token is for.
 */
async function serverAddresses(
  db: Executor,
  { accountId, resourceAllowlist: only }: Ordering['caller'],
  uuid: string,
): Promise<readonly string[]> {
  if (only !== null && !only.includes(uuid)) return [];
  const [found] = await server.load(db, [{ accountId, uuid }]);
  return (found?.addresses ?? []).filter(({ family }) => family === 4).map(({ address }) => address);
}

/** Of the first so many, which the request lists, each by its place; of the others, said of the template. */
function recordProblems(name: string, records: OrderedDns['records'] | ZoneDraft['records'], listed: number) {
  const planned = planZone(name, records);
  if (planned.ok) return [];
  return planned.errors.map((problem): InputProblem => {
    const at = Number(/^\/records\/(\d+)/.exec(problem.pointer)?.[1]);
    return { ...problem, pointer: at < listed ? `/dns${problem.pointer}` : '/dns/template' };
  });
}

function invalid(ctx: Ordering, errors: readonly InputProblem[]): Refusal {
  return ctx.refusal('validation_failed', {
    errors,
    members: { fields: errors.map(({ pointer }) => pointer) },
  });
}
