import { resolve } from 'node:path';
import { type Command, UsageError } from '../command.ts';
import { BackupError, backUp } from '../db/backup.ts';
import { openInstallation } from '../installation.ts';
import { filesIn } from '../ports.ts';

export const command: Command = {
  name: 'backup',
  summary: 'Write the database and the files into a new directory, while everything runs',
  usage: '<directory>',
  flags: {},
  async run({ config, words, tell }) {
    const [directory] = words;
    if (directory === undefined) throw new UsageError('the directory is missing');
    const installation = await openInstallation(config, 'backup');
    try {
      let files = `Attached files are in the bucket ${config.s3Url}: it is saved apart.`;
      const saveFiles = async () => {
        if (config.s3Url !== undefined) return;
        const { copied, damaged } = await filesIn(config.data).copyTo(filesIn(directory));
        files = `${copied} attached files are in it, too.`;
        for (const name of damaged) tell(`The file ${name} is damaged: it was left out.`);
      };
      const now = installation.clock.now().toString();
      const manifest = await backUp(installation.ownerUrl, resolve(directory), now, saveFiles);
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      tell(`${rows} rows of ${manifest.tables.length} tables are in ${directory}.`);
      tell(files);
      tell(
        `The secrets among them open only with the key file ${installation.keyFile}: keep a copy of it elsewhere.`,
      );
    } catch (error) {
      if (error instanceof BackupError || (error as { code?: unknown }).code === 'EEXIST') {
        throw new UsageError(error instanceof BackupError ? error.message : `${directory} exists already`);
      }
      throw error;
    } finally {
      await installation.close();
    }
  },
};
