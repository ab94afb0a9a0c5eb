import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { beginChange } from '../../business/servers/changes/change.ts';
import { ISO } from '../../business/servers/changes/medium.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree } from './change.schema.ts';
import { bootDevice, shownIso } from './medium.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/iso-attach',
  summary: "Put a medium into a server's drive",
  description:
    'In place of the one that is there. With `boot: iso` the server starts from it first, from its next start on; the ' +
    'same medium with another `boot` changes only that. A reinstallation takes the medium out.',
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({
    uuid,
    iso: z.string().max(64).describe('A name from `server/iso`'),
    boot: bootDevice.default('disk').describe('What the server starts from first'),
  }),
  output: z.object({ uuid, iso: shownIso, boot: bootDevice, task }),
  message: { en: 'The medium is being put in.', de: 'Das Medium wird eingelegt.' },
  errors: [...CHANGE_ERRORS, 'validation_failed'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', iso: 'debian-13-netinst', boot: 'iso' } },
  resource: server,
  async handle(tx, ctx, input, found) {
    await mustBeFree(ctx, tx, found);
    const image = ctx.catalog.isoImages.get(input.iso);
    if (image === undefined) {
      const message = 'There is no such medium.';
      const problem = { pointer: '/iso', error: 'not_allowed', message } as const;
      throw ctx.refusal('validation_failed', { errors: [problem], members: { fields: ['/iso'] } });
    }
    const { name, displayname, sha256 } = image;
    const medium = { name, sha256, first: input.boot === 'iso' };
    const begun = beginChange(ctx.uow, ctx.sealer, found, { type: ISO, wanted: { medium } });
    return { uuid: found.id, iso: { name, displayname }, boot: input.boot, task: begun };
  },
});
