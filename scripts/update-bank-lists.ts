// Writes backend/src/business/banks/lists/ from the lists that the Python package schwifty ships (MIT), which
// are made from what the national banks and clearing houses publish:
//   node scripts/update-bank-lists.ts <a clone of schwifty>
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { z } from 'zod';

const LISTS = {
  at: ['generated_at.v2.json', 'Oesterreichische Nationalbank, SEPA-Zahlungsverkehrs-Verzeichnis'],
  be: ['generated_be.v2.json', 'National Bank of Belgium, list of bank identification codes'],
  ch: ['generated_ch.v2.json', 'SIX Interbank Clearing, bank master'],
  nl: ['generated_nl.json', 'Betaalvereniging Nederland, BIC list'],
} as const;

const Bank = z.object({ name: z.string(), bic: z.string().nullish() });
const Expanded = z.array(Bank.extend({ bank_code: z.string() }));
const Folded = z.object({ entries: z.array(Bank.extend({ bank_codes: z.array(z.string()) })) });
const Registry = z.union([Folded, Expanded]);

const [clone] = process.argv.slice(2);
if (clone === undefined) throw new Error('usage: node scripts/update-bank-lists.ts <a clone of schwifty>');
const git = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' });

for (const [country, [name, publisher]] of Object.entries(LISTS)) {
  const path = `schwifty/bank_registry/${name}`;
  const date = git('log', '-1', '--format=%cs', '--', path).trim();
  const codes = new Map<string, string[]>();
  for (const { name, bic, bankCodes } of banksIn(git('show', `HEAD:${path}`))) {
    const bank = `${bic ?? ''}\t${name.replace(/\s+/g, ' ').trim()}`;
    codes.set(bank, [...(codes.get(bank) ?? []), ...bankCodes]);
  }
  const lines = [...codes].map(([bank, of]) => `${bank}\t${of.toSorted().join(' ')}`).sort();
  const head = [`# ${publisher}, as of ${date}, by way of schwifty (MIT)`, '# BIC\tname\tbank codes'];
  const file = new URL(`../backend/src/business/banks/lists/${country}.tsv`, import.meta.url);
  writeFileSync(file, `${[...head, ...lines].join('\n')}\n`);
}

function banksIn(json: string) {
  const registry = Registry.parse(JSON.parse(json));
  return Array.isArray(registry)
    ? registry.map(({ bank_code, ...bank }) => ({ ...bank, bankCodes: [bank_code] }))
    : registry.entries.map(({ bank_codes, ...bank }) => ({ ...bank, bankCodes: bank_codes }));
}
