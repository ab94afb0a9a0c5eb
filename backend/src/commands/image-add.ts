import { CatalogStore } from '../business/core/catalog/versions.ts';
import { type Command, UsageError } from '../command.ts';
import { openInstallation } from '../installation.ts';
import { type OpenPorts, openPorts } from '../ports.ts';

export const command: Command = {
  name: 'image add',
  summary: 'Give the nodes of a host a qcow2 image to install servers from; twice changes nothing',
  usage: '<host> <name> <file> --sha256 <checksum>',
  flags: { sha256: 'string' },
  async run({ config, words, flags, tell }) {
    const [host, name, file, ...more] = words;
    const { sha256 } = flags;
    if (host === undefined || name === undefined || file === undefined || more.length > 0)
      throw new UsageError('name a host of the catalogue, the image as it is in orders, and its file');
    if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
      throw new UsageError('--sha256 takes the checksum of the file, 64 hexadecimal digits');
    const installation = await openInstallation(config, 'image-add');
    const ports = await openPorts(installation, new CatalogStore(installation.readPool));
    try {
      await addToHost(ports, { host, name, file, sha256 }, tell);
    } finally {
      await ports.close();
      await installation.close();
    }
  },
};

/** Gives an image to every node of a host. */
export async function addToHost(
  { qemu }: Pick<OpenPorts, 'qemu'>,
  image: { readonly host: string; readonly name: string; readonly file: string; readonly sha256: string },
  tell: (line: string) => void,
): Promise<void> {
  const { host, name, file, sha256 } = image;
  const added = await Promise.all([...qemu.values()].map((one) => one.addImage(host, name, file, sha256)));
  const outcomes = added.flat();
  if (outcomes.length === 0) throw new UsageError(`no node of ${host} is in HOSTKEEP_HYPERVISORS_FILE`);
  for (const { node, reason } of outcomes) {
    if (reason !== null) throw new UsageError(`${node}: ${reason}`);
    tell(`${node} has ${name}`);
  }
}
