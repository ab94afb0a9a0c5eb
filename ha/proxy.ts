import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PATRONI_PORT, POSTGRES_PORT } from './database-node.ts';
import type { Network } from './network.ts';
import { OsProcess } from './os-process.ts';
import type { Workspace } from './workspace.ts';

/** Where customers come in, and where Hostkeep finds the primary, on the machine of the proxy. */
export const PUBLIC_PORT = 8080;
export const PRIMARY_PORT = POSTGRES_PORT;

export interface ProxyOptions {
  readonly network: Network;
  readonly workspace: Workspace;
  readonly machine: string;
  readonly databaseAddresses: readonly string[];
  readonly apiPorts: readonly number[];
}

/** HAProxy: to the primary by what Patroni says, and to the API processes that say they are ready. */
export async function startProxy(options: ProxyOptions): Promise<OsProcess> {
  const { network, workspace, machine } = options;
  const file = join(workspace.directory, 'haproxy.cfg');
  await writeFile(file, configuration(options), { mode: 0o644 });
  return new OsProcess({
    name: 'haproxy',
    namespace: network.namespace(machine),
    user: 'haproxy',
    program: 'haproxy',
    args: ['-db', '-f', file],
    log: workspace.log('haproxy'),
  });
}

function configuration({ databaseAddresses, apiPorts }: ProxyOptions): string {
  const databases = databaseAddresses.map(
    (address, index) => `  server db${index + 1} ${address}:${POSTGRES_PORT} check port ${PATRONI_PORT}`,
  );
  const apis = apiPorts.map((port, index) => `  server api${index + 1} 127.0.0.1:${port} check`);
  return `global
  maxconn 4000

defaults
  timeout connect 3s
  timeout client 1h
  timeout server 1h
  timeout check 2s

listen primary
  mode tcp
  bind :${PRIMARY_PORT}
  option httpchk OPTIONS /primary
  http-check expect status 200
  # A server that is no longer the primary loses its connections at once.
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${databases.join('\n')}

listen api
  mode http
  bind :${PUBLIC_PORT}
  option httpchk GET /readyz
  http-check expect status 200
  option redispatch
  # Only where no connection came about: nothing that an API process may have taken is sent twice.
  retry-on conn-failure
  retries 3
  timeout client 120s
  timeout server 120s
  default-server inter 500ms fall 2 rise 1
${apis.join('\n')}
`;
}
