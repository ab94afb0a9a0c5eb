import { readFileSync } from 'node:fs';
import { importCatalog } from '../business/core/catalog/import.ts';
import { parseCatalog } from '../business/core/catalog/parse.ts';
import { syncInventories } from '../business/products.ts';
import { type Command, optional, UsageError } from '../command.ts';
import { transaction } from '../db/transaction.ts';
import { openInstallation } from '../installation.ts';
import { unservedMappings } from '../ports.ts';

export const command: Command = {
  name: 'catalog import',
  summary: 'Make a YAML or JSON file the newest catalogue version',
  usage: '<file> [--note <text>] [--check]',
  flags: { note: 'string', check: 'boolean' },
  async run({ config, words, flags, tell }) {
    const [file] = words;
    if (file === undefined) throw new UsageError('the file is missing');
    const reading = parseCatalog(readFileSync(file, 'utf8'));
    if (!reading.ok) {
      const lines = reading.problems.map(
        (problem) => `${file}:${problem.line}: ${problem.path}: ${problem.message}`,
      );
      throw new UsageError(`nothing was imported\n${lines.join('\n')}`);
    }
    const objections = await unservedMappings(config, reading.catalog);
    if (objections.length > 0)
      throw new UsageError(`nothing was imported: tlds of ${file}\n${objections.join('\n')}`);
    if (flags.check === true) {
      tell('The file is right.');
      return;
    }
    const installation = await openInstallation(config, 'catalog');
    try {
      const outcome = await transaction(installation.writePool, (tx) =>
        importCatalog(
          tx,
          reading.catalog,
          optional(flags, 'note') ?? file,
          installation.clock.now(),
          syncInventories,
        ),
      );
      if (outcome.kind === 'in_use') {
        throw new UsageError(
          `these are in use, mark them "sold: false" instead of dropping them: ${outcome.items.join(', ')}`,
        );
      }
      tell(
        outcome.kind === 'imported'
          ? `This is catalogue version ${outcome.version} now.`
          : `Nothing changed: version ${outcome.version}.`,
      );
    } finally {
      await installation.close();
    }
  },
};
