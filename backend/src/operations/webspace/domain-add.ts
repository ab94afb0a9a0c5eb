import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { bumpVersion } from '../../business/selling/subscriptions/version.ts';
import { DOCUMENT_ROOT } from '../../business/webspaces/document-root.ts';
import {
  addDomain,
  displaceFormerOwners,
  exceeded,
  isProviders,
  lockHostname,
  MOST_NAMES,
  standingOf,
} from '../../business/webspaces/names/hostname.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { configure } from '../../business/webspaces/webspace-jobs.ts';
import { operation } from '../../operation.ts';
import {
  CHANGE_ERRORS,
  documentRoot,
  domainObject,
  hostname,
  mustBeOn,
  mustFit,
  wireDomain,
  wireLimits,
} from './webspace.schema.ts';

export default operation({
  method: 'POST',
  path: 'webspace/domain-add',
  summary: 'Serve a host name from a webspace',
  description:
    'A host name belongs to one webspace. One below a domain of the account is served at once; any other when the ' +
    'TXT record in `domain.challenge` is there and `webspace/domain-verify` has seen it. Until then others may ' +
    'claim it, too. A certificate is ordered as soon as the name leads here. A webspace has at most 500 names, ' +
    'whatever its package allows.',
  audience: 'customer',
  scope: 'webspace:write',
  input: z.strictObject({ uuid, domain: hostname, document_root: documentRoot.default(DOCUMENT_ROOT) }),
  output: z.object({ uuid, domain: domainObject, version: z.int(), task: task.nullable() }),
  message: { en: 'The host name was added.', de: 'Der Hostname wurde hinzugefügt.' },
  errors: [...CHANGE_ERRORS, 'already_exists', 'hostname_taken', 'limit_reached'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', domain: 'www.example.com' } },
  resource: webspace,
  async handle(tx, ctx, input, found) {
    mustBeOn(ctx, found);
    const { domain } = input;
    if (found.domains.some((known) => known.hostname === domain)) throw ctx.refusal('already_exists');
    if (isProviders(ctx.catalog, domain)) throw ctx.refusal('hostname_taken');
    const limits = wireLimits(ctx.catalog, found);
    mustFit(ctx, 'domains', MOST_NAMES, found.domains.length);
    const own = found.domains.filter(({ proof }) => proof !== 'provider');
    const over = exceeded(
      limits,
      own.map((known) => known.hostname),
      domain,
    );
    if (over !== null)
      throw ctx.refusal('limit_reached', { members: { limit: limits[over], limited: over } });
    await lockHostname(tx, domain);
    const standing = await standingOf(tx, ctx.caller.accountId, domain);
    if (standing === 'taken') throw ctx.refusal('hostname_taken');
    const proof = standing === 'account' ? standing : null;
    if (proof !== null) await displaceFormerOwners(tx, ctx.uow, domain);
    const draft = {
      id: randomUUIDv7(),
      webspaceId: found.id,
      hostname: domain,
      documentRoot: input.document_root,
      proof,
    };
    const challenge = await addDomain(tx, draft, ctx.uow.now);
    bumpVersion(ctx.uow, found.id);
    return {
      uuid: found.id,
      domain: wireDomain({
        hostname: domain,
        document_root: input.document_root,
        proof,
        challenge,
        tls_state: proof === null ? 'none' : 'pending',
        tls_expire_at: null,
      }),
      version: found.version + 1,
      task: proof === null ? null : configure(ctx.uow, found),
    };
  },
});
