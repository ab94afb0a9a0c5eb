import { readFileSync } from 'node:fs';
import { CatalogStore } from '../business/core/catalog/versions.ts';
import { readCamt } from '../business/selling/payments/bank/camt.ts';
import { importEntries } from '../business/selling/payments/bank/import.ts';
import { type Command, UsageError } from '../command.ts';
import { openInstallation } from '../installation.ts';
import { inUnitOfWork } from '../unit-of-work/unit-of-work.ts';

export const command: Command = {
  name: 'bank import',
  summary: 'Import bank statements (CAMT.053) and book what names a payment',
  usage: '<file>',
  flags: {},
  async run({ config, words, print }) {
    const [file] = words;
    if (file === undefined || words.length > 1) throw new UsageError('give one file');
    const text = xmlText(readFileSync(file));
    const installation = await openInstallation(config, 'bank');
    try {
      const { writePool, clock } = installation;
      const { content } = await new CatalogStore(writePool).newest(writePool);
      const iban = content.seller?.iban;
      if (iban === undefined) throw new UsageError('the catalogue names no bank account: set seller.iban');
      const reading = readCamt(text, iban);
      if (!reading.ok) throw new UsageError(`${file} cannot be imported: ${reading.problem}`);
      const { imported, matched, unmatched, duplicates } = await inUnitOfWork(
        writePool,
        clock.now(),
        [],
        (tx, frame) => importEntries(tx, frame, reading.entries),
      );
      print(`imported ${imported}, matched ${matched}, unmatched ${unmatched}, duplicates ${duplicates}`);
    } finally {
      await installation.close();
    }
  },
};

/** The document in the encoding that it declares (XML 1.0 §4.3.3), as far as banks use others than UTF-8. */
function xmlText(file: Buffer): string {
  const declared = /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(file.toString('latin1', 0, 200))?.[1];
  return new TextDecoder(/^(iso-8859-1|windows-1252)$/i.test(declared ?? '') ? declared : 'utf-8').decode(
    file,
  );
}
