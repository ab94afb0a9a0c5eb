import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { powerState } from '../../api/server.ts';
import { task } from '../../api/task.ts';
import { takeNumber } from '../../business/servers/capacity/counter.ts';
import { beginChange } from '../../business/servers/changes/change.ts';
import {
  asksTheSystem,
  decidePower,
  POWER,
  POWER_ACTIONS,
  serverWantsPower,
} from '../../business/servers/changes/power.ts';
import { prefetchMachine } from '../../business/servers/machine/prefetch-machine.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree } from './change.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/power',
  summary: 'Start, stop or restart a server',
  description:
    '`stop` and `reset` cut the power; `shutdown` and `reboot` ask the system in the server, which may never follow: ' +
    'after `timeout` the task fails, or the power is cut with `force_after_timeout`. What is so already is answered ' +
    'with `changed: false`, without a task.',
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({
    uuid,
    action: z.enum(POWER_ACTIONS),
    timeout: z.int().min(10).max(600).default(120).describe('Seconds, for `shutdown` and `reboot`'),
    force_after_timeout: z.boolean().default(false),
  }),
  output: z.object({
    uuid,
    action: z.enum(POWER_ACTIONS),
    power_state: powerState.describe('Before'),
    expected_power_state: powerState,
    changed: z.boolean(),
    task: task.nullable(),
  }),
  message: { en: 'This is what becomes of the server.', de: 'Das geschieht nun mit dem Server.' },
  errors: [...CHANGE_ERRORS, 'server_not_running'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', action: 'reboot' } },
  resource: server,
  ask: (ctx, { uuid }) => prefetchMachine(ctx, uuid),
  async handle(tx, ctx, input, found, asked) {
    await mustBeFree(ctx, tx, found);
    const { action } = input;
    const power_state = asked?.power ?? 'unknown';
    const decision = decidePower(action, power_state);
    if (decision.kind === 'refused') {
      const members = { current_state: power_state, allowed_states: decision.allowed };
      throw ctx.refusal('server_not_running', { members });
    }
    const { kind, expected } = decision;
    const answer = { uuid: found.id, action, power_state, expected_power_state: expected };
    // A shutdown is wanted once it has succeeded: whatever makes machines follow the books would cut the power.
    if (found.wanted_power !== expected && (kind === 'unchanged' || action !== 'shutdown'))
      ctx.uow.changes.add(serverWantsPower, { id: found.id, wanted_power: expected });
    if (kind === 'unchanged') return { ...answer, changed: false, task: null };
    const isRestart = action === 'reboot' || action === 'reset';
    const begun = beginChange(ctx.uow, ctx.sealer, found, {
      type: POWER,
      wanted: {
        action,
        expected,
        previous: found.wanted_power,
        reboot: isRestart ? await takeNumber(tx, found.id, 'reboots') : null,
        force: input.force_after_timeout,
      },
      ...(asksTheSystem(action) ? { dueAt: ctx.now.add({ seconds: input.timeout }) } : {}),
    });
    return { ...answer, changed: true, task: begun };
  },
});
