import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { config, hostsystem, serviceState, wireConfig, wireHostsystem } from '../../api/server.ts';
import { hasScope } from '../../base/scope.ts';
import { wireTime } from '../../base/time.ts';
import { PASSWORD_PURPOSE } from '../../business/servers/changes/login.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';

const READ_PASSWORD = 'server:read_password';

export default operation({
  method: 'GET',
  path: 'server/config',
  summary: "A server's configuration and initial login",
  description:
    'Numbers are texts: `memory` MiB, `disk` GiB, `uplink` Mbit/s. `config.password` is the initial password, ' +
    `and empty once another was chosen, or unless the token has the scope \`${READ_PASSWORD}\`. What a server ` +
    'does not have is an empty text.',
  audience: 'customer',
  scope: 'server:read',
  input: z.strictObject({ uuid }),
  output: z.object({
    uuid,
    hostsystem,
    config: config(z.string()),
    state: serviceState,
    custom_name: z.string().nullable(),
    expire_at: timestamp,
    auto_renew: z.boolean(),
    version: z.int(),
  }),
  message: { en: 'The server was found.', de: 'Der Server wurde gefunden.' },
  errors: ['not_found'],
  secrets: ['password'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  read(ctx, _input, found) {
    const sealed = hasScope(ctx.caller.scopes, READ_PASSWORD) ? found.password_sealed : null;
    return {
      uuid: found.id,
      hostsystem: wireHostsystem(ctx.catalog, found.host, found.node),
      config: wireConfig(
        ctx.catalog,
        found,
        sealed === null ? '' : ctx.sealer.openText(PASSWORD_PURPOSE, sealed),
      ),
      state: found.state,
      custom_name: found.custom_name,
      expire_at: wireTime(found.expire_at),
      auto_renew: found.auto_renew,
      version: found.version,
    };
  },
});
