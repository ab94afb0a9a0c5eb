import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { bumpVersion } from '../../business/selling/subscriptions/version.ts';
import { removeDomain } from '../../business/webspaces/names/hostname.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { configure } from '../../business/webspaces/webspace-jobs.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, hostname, mustBeOn } from './webspace.schema.ts';

export default operation({
  method: 'POST',
  path: 'webspace/domain-remove',
  summary: 'Serve a host name from a webspace no more',
  description:
    'The name is free for others then. Its files stay. The name that every webspace gets cannot be removed.',
  audience: 'customer',
  scope: 'webspace:write',
  input: z.strictObject({ uuid, domain: hostname }),
  output: z.object({ uuid, domain: z.string(), version: z.int(), task: task.nullable() }),
  message: { en: 'The host name was removed.', de: 'Der Hostname wurde entfernt.' },
  errors: CHANGE_ERRORS,
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', domain: 'www.example.com' } },
  resource: webspace,
  async handle(tx, ctx, input, found) {
    mustBeOn(ctx, found);
    const domain = found.domains.find((known) => known.hostname === input.domain);
    if (domain === undefined || domain.proof === 'provider') throw ctx.refusal('not_found');
    await removeDomain(tx, domain.id);
    bumpVersion(ctx.uow, found.id);
    return {
      uuid: found.id,
      domain: domain.hostname,
      version: found.version + 1,
      task: domain.proof === null ? null : configure(ctx.uow, found),
    };
  },
});
