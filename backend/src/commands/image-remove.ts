import { CatalogStore } from '../business/core/catalog/versions.ts';
import { type Command, UsageError } from '../command.ts';
import { openInstallation } from '../installation.ts';
import { openPorts } from '../ports.ts';

export const command: Command = {
  name: 'image remove',
  summary: 'Take an image from the nodes of a host; its file stays as long as a disk needs it',
  usage: '<host> <name>',
  flags: {},
  async run({ config, words, tell }) {
    const [host, name, ...more] = words;
    if (host === undefined || name === undefined || more.length > 0)
      throw new UsageError('name a host of the catalogue, and the image as it is in orders');
    const installation = await openInstallation(config, 'image-remove');
    const ports = await openPorts(installation, new CatalogStore(installation.readPool));
    try {
      for (const connection of ports.qemu.values()) {
        for (const { node, reason } of await connection.removeImage(host, name))
          tell(reason === null ? `${node}: removed` : `${node}: not sold any more, but ${reason}`);
      }
    } finally {
      await ports.close();
      await installation.close();
    }
  },
};
