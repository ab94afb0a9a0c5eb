/**
 * Makes the files of the tree that are made from others: `node scripts/generate.ts [--check] [part…]`, of the parts
 * `operations`, `priorities`, `rows`, `openapi` and `reference`, or all. With --check it only compares, and exits 1 when one is stale.
 */
import { type GeneratedFile, isFresh, write } from './generated-file.ts';

/** In this order: what comes later loads what was written before. */
const PARTS: Readonly<Record<string, () => Promise<GeneratedFile[]>>> = {
  operations: async () => (await import('./generate-operations.ts')).operationsAndJobs(),
  priorities: async () => (await import('./generate-priorities.ts')).priorities(),
  rows: async () => (await import('./generate-rows.ts')).rows(),
  openapi: async () => (await import('./generate-openapi.ts')).openApi(),
  reference: async () => (await import('./generate-reference.ts')).reference(),
};

const words = process.argv.slice(2);
const check = words.includes('--check');
const named = words.filter((word) => word !== '--check');
const unknown = named.filter((word) => !(word in PARTS));
if (unknown.length > 0)
  throw new Error(`there is no ${unknown.join(', ')}: ${Object.keys(PARTS).join(', ')}`);
for (const [part, make] of Object.entries(PARTS)) {
  if (named.length > 0 && !named.includes(part)) continue;
  for (const file of await make()) {
    if (!check) write(file);
    else if (!isFresh(file)) {
      console.error(`${file.name} is stale: run npm run generate`);
      process.exitCode = 1;
    }
  }
}
