import { resolve } from 'node:path';
import { CatalogStore } from '../business/core/catalog/versions.ts';
import { type Command, optional, UsageError } from '../command.ts';
import type { Config } from '../config.ts';
import { openInstallation } from '../installation.ts';
import { openImageBuilder, openPorts } from '../ports.ts';
import { addToHost } from './image-add.ts';

export const command: Command = {
  name: 'image build',
  summary: "Build an image of a distribution from its packages, and give it to a host's nodes",
  usage: '<distribution> [--output <file>] [--host <host>] [--mirror <url>] [--security-mirror <url>]',
  flags: { output: 'string', host: 'string', mirror: 'string', 'security-mirror': 'string' },
  async run({ config, words, flags, print, tell }) {
    const builder = await openImageBuilder();
    const [name, ...more] = words;
    if (name === undefined || !builder.distributions.includes(name) || more.length > 0)
      throw new UsageError(`name one of ${builder.distributions.join(', ')}`);
    const problem = await builder.problem();
    if (problem !== null)
      throw new UsageError(`${problem} (scripts/install.sh images installs what it takes)`);
    const output = resolve(optional(flags, 'output') ?? `${name}.qcow2`);
    const [archive, security] = [optional(flags, 'mirror'), optional(flags, 'security-mirror')];
    const mirrors = {
      ...(archive === undefined ? {} : { archive }),
      ...(security === undefined ? {} : { security }),
    };
    const sha256 = await builder.build(name, { mirrors, output, tell });
    print(`${sha256}  ${output}`);
    const host = optional(flags, 'host');
    if (host !== undefined) await give(config, { host, name, file: output, sha256 }, tell);
  },
};

async function give(
  config: Config,
  image: Parameters<typeof addToHost>[1],
  tell: (line: string) => void,
): Promise<void> {
  const installation = await openInstallation(config, 'image-build');
  const ports = await openPorts(installation, new CatalogStore(installation.readPool));
  try {
    await addToHost(ports, image, tell);
  } finally {
    await ports.close();
    await installation.close();
  }
}
