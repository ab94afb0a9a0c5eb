import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { bumpVersion } from '../../business/selling/subscriptions/version.ts';
import {
  CHALLENGE_LABEL,
  displaceFormerOwners,
  lockHostname,
  proveDomain,
  standingOf,
} from '../../business/webspaces/names/hostname.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { configure } from '../../business/webspaces/webspace-jobs.ts';
import { BackendUnavailable } from '../../drivers/outcome.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, domainObject, hostname, mustBeOn, wireDomain } from './webspace.schema.ts';

const DEADLINE_MS = 5_000;

export default operation({
  method: 'POST',
  path: 'webspace/domain-verify',
  summary: 'Prove that a host name is yours',
  description:
    'Looks for the TXT record that `webspace/domain-add` asked for. Proven, the name is served from this webspace ' +
    'and from no other. The record may go then.',
  audience: 'customer',
  scope: 'webspace:write',
  input: z.strictObject({ uuid, domain: hostname }),
  output: z.object({ uuid, domain: domainObject, version: z.int(), task: task.nullable() }),
  message: { en: 'The host name is yours.', de: 'Der Hostname gehört Ihnen.' },
  errors: [...CHANGE_ERRORS, 'hostname_taken', 'hostname_not_proven', 'backend_unavailable'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', domain: 'www.example.com' } },
  resource: webspace,
  ask: (ctx, input) =>
    ctx.ports.resolver.texts(`${CHALLENGE_LABEL}.${input.domain}`, DEADLINE_MS).catch((error: unknown) => {
      if (!(error instanceof BackendUnavailable)) throw error;
      return null;
    }),
  async handle(tx, ctx, input, found, texts) {
    mustBeOn(ctx, found);
    const domain = found.domains.find((known) => known.hostname === input.domain);
    if (domain === undefined) throw ctx.refusal('not_found');
    if (domain.proof !== null) {
      return { uuid: found.id, domain: wireDomain(domain), version: found.version, task: null };
    }
    if (texts === null) throw ctx.refusal('backend_unavailable', { members: { backend: 'name servers' } });
    const record = `${CHALLENGE_LABEL}.${input.domain}`;
    if (!texts.includes(domain.challenge)) throw ctx.refusal('hostname_not_proven', { members: { record } });
    await lockHostname(tx, domain.hostname);
    if ((await standingOf(tx, ctx.caller.accountId, domain.hostname)) === 'taken')
      throw ctx.refusal('hostname_taken');
    await displaceFormerOwners(tx, ctx.uow, domain.hostname);
    await proveDomain(tx, domain.id, ctx.uow.now);
    bumpVersion(ctx.uow, found.id);
    return {
      uuid: found.id,
      domain: wireDomain({ ...domain, proof: 'txt', tls_state: 'pending' }),
      version: found.version + 1,
      task: configure(ctx.uow, found),
    };
  },
});
