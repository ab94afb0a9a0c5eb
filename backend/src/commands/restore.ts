import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, UsageError } from '../command.ts';
import { BackupError, restore } from '../db/backup.ts';
import { openInstallation } from '../installation.ts';
import { filesIn, openStorage } from '../ports.ts';
import { setSafeMode } from '../work/safe-mode.ts';

export const command: Command = {
  name: 'restore',
  summary: 'Fill an empty installation from a backup, and switch safe mode on',
  usage: '<directory> --data <new data directory> --key-file <the backed-up key file>',
  flags: {},
  async run({ config, words, tell }) {
    const [directory] = words;
    if (directory === undefined) throw new UsageError('the directory is missing');
    const keyFile = config.keyFile ?? `${resolve(config.data)}.key`;
    if (!existsSync(keyFile))
      throw new UsageError(`${keyFile} is missing: without it the backup's secrets do not open`);
    const installation = await openInstallation(config, 'restore');
    try {
      const manifest = await restore(installation.ownerUrl, resolve(directory));
      await setSafeMode(installation.writePool, true, installation.clock.now());
      tell(`Restored the backup of ${manifest.created_at}.`);
      const { copied, damaged } = await filesIn(directory).copyTo(await openStorage(config));
      for (const name of damaged) tell(`The file ${name} is damaged: it was left out.`);
      tell(
        copied > 0
          ? `Restored ${copied} attached files.`
          : 'It holds no attached files: those in a bucket are saved and restored apart.',
      );
      tell(
        'Safe mode is on: no command reaches a back end until you have compared them with the books (the reconciler',
      );
      tell('reports what differs) and say: hostkeep safe-mode off');
    } catch (error) {
      if (error instanceof BackupError) throw new UsageError(error.message);
      throw error;
    } finally {
      await installation.close();
    }
  },
};
