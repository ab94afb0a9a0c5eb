import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { beginChange } from '../../business/servers/changes/change.ts';
import { FIREWALL, firewallOf } from '../../business/servers/network/firewall.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree } from './change.schema.ts';
import { givenFirewall, shownFirewall, wantedFirewall, wireFirewall } from './firewall.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/firewall-replace',
  summary: "Replace the rules of a server's firewall",
  description:
    'The rules are about what opens something: answers, errors of ICMP and what neighbours need always pass. They hold ' +
    'from outside the server, also in the rescue system and after a reinstallation, and open nothing that the provider ' +
    'keeps closed. Connections that are there go on.',
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({ uuid, ...givenFirewall, expected_version: z.int().min(1).optional() }),
  output: z.object({
    uuid,
    ...shownFirewall,
    version: z.int().describe('Once the task has succeeded'),
    task,
  }),
  message: { en: 'The firewall is being changed.', de: 'Die Firewall wird geändert.' },
  errors: [...CHANGE_ERRORS, 'version_mismatch'],
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      rules: [{ direction: 'in', protocol: 'tcp', port_from: 22, cidr: '192.0.2.0/24', action: 'accept' }],
      policy_in: 'drop',
      expected_version: 1,
    },
  },
  resource: server,
  async handle(tx, ctx, input, found) {
    await mustBeFree(ctx, tx, found);
    const { version } = await firewallOf(tx, found.id);
    if (input.expected_version !== undefined && input.expected_version !== version)
      throw ctx.refusal('version_mismatch', { members: { current_version: version } });
    const wanted = wantedFirewall(input);
    const begun = beginChange(ctx.uow, ctx.sealer, found, { type: FIREWALL, wanted });
    return { uuid: found.id, ...wireFirewall(wanted), version: version + 1, task: begun };
  },
});
