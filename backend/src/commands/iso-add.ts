import { CatalogStore } from '../business/core/catalog/versions.ts';
import { type Command, UsageError } from '../command.ts';
import { openInstallation } from '../installation.ts';
import { openPorts } from '../ports.ts';

export const command: Command = {
  name: 'iso add',
  summary: 'Give the nodes of a host a medium that customers may put into drives; twice changes nothing',
  usage: '<host> <file> --sha256 <checksum>',
  flags: { sha256: 'string' },
  async run({ config, words, flags, tell }) {
    const [host, file, ...more] = words;
    const { sha256 } = flags;
    if (host === undefined || file === undefined || more.length > 0)
      throw new UsageError('name a host of the catalogue, and the file');
    if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
      throw new UsageError('--sha256 takes the checksum of the file, 64 hexadecimal digits');
    const installation = await openInstallation(config, 'iso-add');
    const ports = await openPorts(installation, new CatalogStore(installation.readPool));
    try {
      const added = await Promise.all(
        [...ports.qemu.values()].map((connection) => connection.addMedium(host, file, sha256)),
      );
      const outcomes = added.flat();
      if (outcomes.length === 0) throw new UsageError(`no node of ${host} is in HOSTKEEP_HYPERVISORS_FILE`);
      for (const { node, reason } of outcomes) {
        if (reason !== null) throw new UsageError(`${node}: ${reason}`);
        tell(`${node} has ${sha256}`);
      }
    } finally {
      await ports.close();
      await installation.close();
    }
  },
};
