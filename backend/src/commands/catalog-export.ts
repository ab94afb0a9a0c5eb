import { writeFileSync } from 'node:fs';
import { printCatalog } from '../business/core/catalog/print.ts';
import { CatalogStore, NoCatalog } from '../business/core/catalog/versions.ts';
import { type Command, UsageError } from '../command.ts';
import { openInstallation } from '../installation.ts';

export const command: Command = {
  name: 'catalog export',
  summary: 'Write everything sold, with its prices, as one YAML file',
  usage: '[<file>]   (default: standard output)',
  flags: {},
  async run({ config, words, print, tell }) {
    const installation = await openInstallation(config, 'catalog');
    try {
      const { version, content } = await new CatalogStore(installation.readPool).newest(
        installation.readPool,
      );
      const text = printCatalog(content);
      const [file] = words;
      if (file === undefined) print(text.trimEnd());
      else writeFileSync(file, text);
      tell(`This is catalogue version ${version}.`);
    } catch (error) {
      if (error instanceof NoCatalog)
        throw new UsageError(`${error.message}: hostkeep catalog import <file>`);
      throw error;
    } finally {
      await installation.close();
    }
  },
};
