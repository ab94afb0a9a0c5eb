import { resolve } from 'node:path';
import { rotateKeyFile } from '../base/seal.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  name: 'key rotate',
  summary: 'Seal new secrets with a fresh key; the old ones still open what they sealed',
  usage: '[--key-file <file>]',
  flags: {},
  async run({ config, tell }) {
    const file = config.keyFile ?? `${resolve(config.data)}.key`;
    tell(`${file} seals with ${rotateKeyFile(file)} now. Restart every process, and back the file up.`);
  },
};
