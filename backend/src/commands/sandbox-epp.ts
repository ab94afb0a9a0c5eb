import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CatalogStore } from '../business/core/catalog/versions.ts';
import { type Command, optional, UsageError } from '../command.ts';
import { openInstallation } from '../installation.ts';
import { openSandboxEpp } from '../ports.ts';

const DEFAULT_PORT = 7700;

export const command: Command = {
  name: 'sandbox epp',
  summary: 'Let clients of EPP speak to the sandbox registry, until interrupted',
  usage: '[--epp-port 7700] [--epp-listen 127.0.0.1] [--certs <directory>] [--make-certs]',
  flags: { 'epp-port': 'string', 'epp-listen': 'string', certs: 'string', 'make-certs': 'boolean' },
  async run({ config, flags, tell }) {
    const port = Number(optional(flags, 'epp-port') ?? DEFAULT_PORT);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new UsageError('--epp-port takes a port from 0 to 65535');
    const directory = resolve(optional(flags, 'certs') ?? join(config.data, 'sandbox-epp'));
    const make = flags['make-certs'] === true;
    if (!make && !existsSync(join(directory, 'server.pem')))
      throw new UsageError(
        `${directory} has no ca.pem, server.pem and server.key: --make-certs makes them, and certificates of clients`,
      );
    const installation = await openInstallation(config, 'sandbox-epp');
    try {
      const catalogs = new CatalogStore(installation.readPool);
      await catalogs.newest(installation.readPool);
      const host = optional(flags, 'epp-listen') ?? '127.0.0.1';
      const server = await openSandboxEpp(installation, catalogs, { host, port, directory, make });
      try {
        tell(`EPP on ${host}:${server.port} with TLS; certificates are in ${directory}`);
        await interrupted();
      } finally {
        await server.close();
      }
    } finally {
      await installation.close();
    }
  },
};

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  });
}
