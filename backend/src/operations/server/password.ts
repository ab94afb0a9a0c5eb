import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { serverPassword } from '../../api/server.ts';
import { task } from '../../api/task.ts';
import { takeNumber } from '../../business/servers/capacity/counter.ts';
import { beginChange } from '../../business/servers/changes/change.ts';
import { newPassword } from '../../business/servers/changes/login.ts';
import { decideMethod, PASSWORD, PASSWORD_METHODS } from '../../business/servers/changes/password.ts';
import { prefetchMachine } from '../../business/servers/machine/prefetch-machine.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree, mustRunItsOwn } from './change.schema.ts';

/** For the system in the server to end, before a restart that was asked for cuts its power. */
const RESTART_SECONDS = 120;

export default operation({
  method: 'POST',
  path: 'server/password',
  summary: "Change a server's password",
  description:
    '`guest_agent` changes it at once in a running server, `cloud_init` when the server starts the next time, for which ' +
    'a running one takes `reboot: true`; `auto` takes the first that works. `server/config` shows no password from ' +
    'then on.',
  audience: 'customer',
  scope: 'server:write',
  plantsAccess: true,
  input: z.strictObject({
    uuid,
    password: serverPassword.optional().describe('Omitted: one is made, and shown in the answer.'),
    method: z.enum(['auto', ...PASSWORD_METHODS]).default('auto'),
    reboot: z.boolean().default(false).describe('Whether the server may be restarted for it.'),
  }),
  output: z.object({
    uuid,
    username: z.string(),
    password: z.string().nullable().describe('Only when it was made here; shown once.'),
    method: z.enum(PASSWORD_METHODS),
    requires_reboot: z.boolean().describe('Whether the server is restarted for it.'),
    task,
  }),
  message: { en: 'The password is being changed.', de: 'Das Passwort wird geändert.' },
  errors: [
    ...CHANGE_ERRORS,
    'validation_failed',
    'server_not_running',
    'not_supported_by_backend',
    'backend_unavailable',
  ],
  secrets: ['password'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  ask: (ctx, { uuid }) => prefetchMachine(ctx, uuid),
  async handle(tx, ctx, input, found, asked) {
    await mustBeFree(ctx, tx, found);
    mustRunItsOwn(ctx, found);
    const hasCloudInit = ctx.catalog.operatingSystems.get(found.os)?.cloud_init ?? false;
    const decision = decideMethod(input.method, asked, hasCloudInit);
    switch (decision.kind) {
      case 'unknown':
        throw ctx.refusal('backend_unavailable', { members: { backend: 'hypervisor' } });
      case 'not_running':
        throw ctx.refusal('server_not_running', { members: { current_state: asked?.power ?? 'unknown' } });
      case 'no_guest_agent':
        throw ctx.refusal('not_supported_by_backend', { members: { capability: 'guest_agent' } });
      case 'no_cloud_init':
        throw ctx.refusal('not_supported_by_backend', { members: { capability: 'cloud_init' } });
    }
    const { method, requiresReboot } = decision;
    if (requiresReboot && !input.reboot) {
      const message = 'The system in the server does not answer, so this takes a restart.';
      const problem = { pointer: '/reboot', error: 'required', message, allowed: [true] } as const;
      throw ctx.refusal('validation_failed', { errors: [problem], members: { fields: ['/reboot'] } });
    }
    const password = input.password ?? newPassword();
    const begun = beginChange(ctx.uow, ctx.sealer, found, {
      type: PASSWORD,
      wanted: {
        username: found.username,
        method,
        revision: await takeNumber(tx, found.id, 'password_revision'),
        reboot: requiresReboot ? await takeNumber(tx, found.id, 'reboots') : null,
      },
      secret: password,
      ...(requiresReboot ? { dueAt: ctx.now.add({ seconds: RESTART_SECONDS }) } : {}),
    });
    return {
      uuid: found.id,
      username: found.username,
      password: input.password === undefined ? password : null,
      method,
      requires_reboot: requiresReboot,
      task: begun,
    };
  },
});
