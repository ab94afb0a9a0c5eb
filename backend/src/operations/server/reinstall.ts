import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { hostname, serverPassword, userData } from '../../api/server.ts';
import { task } from '../../api/task.ts';
import { takeNumber } from '../../business/servers/capacity/counter.ts';
import { beginChange } from '../../business/servers/changes/change.ts';
import { newPassword } from '../../business/servers/changes/login.ts';
import { REINSTALL, type Reinstallation, writeSecrets } from '../../business/servers/changes/reinstall.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree } from './change.schema.ts';
import { reinstallableSystem } from './os.schema.ts';
import { chosenKeys, installedKeys } from './ssh-keys.schema.ts';

const planned = {
  uuid,
  os: z.string(),
  hostname: z.string(),
  username: z.string(),
  data_loss: z.literal(true),
};

export default operation({
  method: 'POST',
  path: 'server/reinstall',
  summary: 'Install a server anew',
  description:
    'Everything on its disk is lost; addresses, their reverse names and the price stay. Keys that are not named stay ' +
    'as they were; `user_data` is used for this installation alone.',
  audience: 'customer',
  scope: 'server:write',
  plantsAccess: true,
  input: z.strictObject({
    uuid,
    os: z.string().max(63).describe('From `server/os`.'),
    hostname: hostname.optional().describe('Omitted: as it is.'),
    password: serverPassword.optional().describe('Omitted: one is made, and shown in the answer.'),
    ...installedKeys,
    user_data: userData.optional().describe('For cloud-init.'),
    confirm: z.string().max(253).optional().describe('The present host name; not needed for a dry run.'),
    dry_run: z
      .boolean()
      .default(false)
      .describe('Check everything, change nothing; `data` holds a `preview`.'),
  }),
  output: z.union([
    z.object({
      ...planned,
      password: z.string().nullable().describe('Only when it was made here.'),
      task,
    }),
    z.object({ preview: z.object(planned) }),
  ]),
  message: { en: 'The server is being installed anew.', de: 'Der Server wird neu installiert.' },
  errors: [
    ...CHANGE_ERRORS,
    'resource_protected',
    'confirmation_mismatch',
    'validation_failed',
    'os_requirements_not_met',
  ],
  secrets: ['password', 'user_data'],
  example: {
    input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', os: 'debian-13', confirm: 'web.example.com' },
  },
  resource: server,
  async handle(tx, ctx, input, found) {
    await mustBeFree(ctx, tx, found);
    if (found.protect_reinstall) throw ctx.refusal('resource_protected');
    const isConfirmed = input.dry_run && input.confirm === undefined;
    if (!isConfirmed && input.confirm !== found.hostname) throw ctx.refusal('confirmation_mismatch');
    const os = reinstallableSystem(ctx, found, input.os);
    const keys = await chosenKeys(ctx, tx, found.account_id, input);
    const answer = {
      uuid: found.id,
      os: os.name,
      hostname: input.hostname ?? found.hostname,
      username: os.username,
      data_loss: true as const,
    };
    if (input.dry_run) return { preview: answer };
    const { ssh_keys } = await tx.kysely
      .selectFrom('servers')
      .select('ssh_keys')
      .where('id', '=', found.id)
      .executeTakeFirstOrThrow();
    const wanted: Reinstallation = {
      os: os.name,
      hostname: answer.hostname,
      username: os.username,
      ssh_keys: [...(keys ?? ssh_keys)],
      generation: await takeNumber(tx, found.id, 'generations'),
    };
    const password = input.password ?? newPassword();
    const secret = writeSecrets({ password, user_data: input.user_data ?? null });
    const begun = beginChange(ctx.uow, ctx.sealer, found, { type: REINSTALL, wanted, secret });
    return { ...answer, password: input.password === undefined ? password : null, task: begun };
  },
});
