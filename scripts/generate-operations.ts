/**
 * Writes backend/src/operations.generated.ts and backend/src/jobs.generated.ts from the files that are there.
 * With --check it only compares and exits 1 when one is stale.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';

const SOURCE = new URL('../backend/src/', import.meta.url);

function list(pattern: string, type: string, from: string, constant: string): string {
  const files = globSync(pattern, { cwd: SOURCE })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort();
  const imports = files.map((file, index) => `import m${index} from './${file}';`);
  return [
    '// Made by `npm run generate` from the tree. Do not edit.',
    ...imports,
    `import type { ${type} } from '${from}';`,
    '',
    `export const ${constant}: readonly ${type}[] = [`,
    ...files.map((_, index) => `  m${index},`),
    '];',
    '',
  ].join('\n');
}

const made = {
  'operations.generated.ts': list('operations/*/*.ts', 'Operation', './operation.ts', 'operations'),
  'jobs.generated.ts': list('business/*/jobs/*.ts', 'Job', './work/job.ts', 'jobs'),
};

for (const [name, text] of Object.entries(made)) {
  const file = new URL(name, SOURCE);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is stale: run npm run generate`);
    process.exitCode = 1;
  }
}
