import { CatalogStore } from '../business/core/catalog/versions.ts';
import { type Command, UsageError } from '../command.ts';
import { BackendUnavailable } from '../drivers/outcome.ts';
import { openInstallation } from '../installation.ts';
import { openPorts } from '../ports.ts';

export const command: Command = {
  name: 'web prepare',
  summary: 'Prepare the hosts of webspaces: directories, SFTP, nginx and firewall; twice changes nothing',
  usage: '[<host> ...]',
  flags: {},
  async run({ config, words, tell }) {
    const installation = await openInstallation(config, 'web-prepare');
    const ports = await openPorts(installation, new CatalogStore(installation.readPool));
    try {
      const { linux } = ports;
      if (linux === null) throw new UsageError('no hosts are configured: set HOSTKEEP_WEB_HOSTS_FILE');
      const unknown = words.find((name) => !linux.hosts.includes(name));
      if (unknown !== undefined) throw new UsageError(`no host is named ${unknown}`);
      for (const name of words.length > 0 ? words : linux.hosts) {
        await linux.webserver.prepare(name);
        tell(`${name} is prepared`);
      }
    } catch (error) {
      if (!(error instanceof BackendUnavailable)) throw error;
      const { cause } = error;
      throw new UsageError(cause instanceof Error ? cause.message : error.message);
    } finally {
      await ports.close();
      await installation.close();
    }
  },
};
