import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { unsignZone } from '../../business/dns/dnssec/unsign.ts';
import { hostZones } from '../../business/dns/zone/hosting.ts';
import { beginChange } from '../../business/domains/changes/change.ts';
import { supersede } from '../../business/domains/changes/change-progress.ts';
import { delegationSteps } from '../../business/domains/delegation/delegation.ts';
import { domain } from '../../business/domains/domain.ts';
import { operation } from '../../operation.ts';
import { changeableOrRefuse, expectVersion } from './changing-domain.schema.ts';
import {
  delegationCheck,
  delegationSigner,
  delegationWarnings,
  inspectNameservers,
  reportProblems,
  wantedOrRefuse,
  wireCheck,
} from './delegation.schema.ts';
import { nameservers, shownNameserver, wireNameservers } from './nameserver.schema.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';

export default operation({
  method: 'POST',
  path: 'domain/nameservers',
  summary: 'Have a domain served by our name servers, or by yours',
  description:
    'Yours are asked first whether they answer for the domain with authority, and whether they have a key for the `ds`. ' +
    'A domain that is signed does not change at once: its DS is taken from the registry, and what resolvers remember ' +
    'passes before its name servers change and a new DS comes, which takes a day or more. `ignore_warnings` does not ' +
    'make that shorter. A request that comes meanwhile takes its place.',
  audience: 'customer',
  scope: 'domain:write',
  input: z
    .strictObject({
      ...domainReference,
      mode: z.enum(['default', 'custom']).default('custom'),
      nameservers: nameservers.optional().describe('Of `custom`.'),
      ds: z.array(delegationSigner).max(8).optional().describe('Of `custom`; left out: none.'),
      ignore_warnings: z.boolean().default(false).describe('Also when they do not answer as they should.'),
      expected_version: z.int().min(1).optional(),
      dry_run: z.boolean().default(false).describe('Ask the name servers, change nothing.'),
    })
    .superRefine(namesOneDomain),
  output: z.object({
    uuid,
    domain: z.string(),
    mode: z.enum(['default', 'custom']),
    nameservers: z.array(shownNameserver),
    previous_nameservers: z.array(shownNameserver),
    checks: z.array(delegationCheck).describe('Of `custom`.'),
    warnings: z.array(z.object({ error: z.string(), message: z.string() })),
    task: task.nullable(),
  }),
  message: { en: 'The name servers are being changed.', de: 'Die Nameserver werden geändert.' },
  errors: ['not_found', 'version_mismatch', 'state_conflict', 'validation_failed', 'delegation_check_failed'],
  example: {
    input: {
      domain: 'example.com',
      nameservers: [{ hostname: 'ns1.example.net' }, { hostname: 'ns2.example.net' }],
    },
  },
  resource: domain,
  ask: (ctx, input) => inspectNameservers(ctx, input),
  async handle(tx, ctx, input, found, reports) {
    const { uow, catalog } = ctx;
    expectVersion(ctx, found, input.expected_version);
    // What waits for resolvers can be thought better of.
    const isWaiting = ({ state }: { state: string }) => state === 'waiting';
    const { tld, before } = await changeableOrRefuse(tx, ctx, catalog, found, 'nameservers', isWaiting);
    const wanted = wantedOrRefuse(ctx, catalog, tld, found, input);
    const problems = reportProblems(reports);
    if (problems.length > 0 && !input.ignore_warnings && !input.dry_run)
      throw ctx.refusal('delegation_check_failed', {
        errors: problems,
        members: { checks: reports.map(wireCheck) },
      });
    const steps = delegationSteps(found, wanted, tld.policy, uow.now);
    const answer = {
      uuid: found.id,
      domain: found.name,
      mode: input.mode,
      nameservers: wireNameservers(wanted.nameservers),
      previous_nameservers: wireNameservers(found.nameservers ?? []),
      checks: reports.map(wireCheck),
      warnings: delegationWarnings(found, wanted, problems, steps),
      task: null,
    };
    if (input.dry_run) return answer;
    if (before !== null) await supersede(tx, uow, found, before);
    if (wanted.dnsHosted) {
      const { id: domainId, name } = found;
      const hostnames = wanted.nameservers.map(({ hostname }) => hostname);
      const { userId } = ctx.caller;
      // Signed once its registry sends everybody here.
      const hosted = { domainId, name, nameservers: hostnames, records: [], dnssec: false, userId };
      await hostZones(tx, uow, [hosted]);
    } else if (found.dns_hosted) {
      await unsignZone(tx, uow, found.id);
    }
    const draft = { kind: 'nameservers', steps, orderId: null, locks: false, approvalUntil: null } as const;
    const { task: begun } = await beginChange(tx, uow, found, draft);
    return { ...answer, task: begun };
  },
});
