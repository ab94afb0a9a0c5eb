import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type GeneratedFile, ROOT } from './generated-file.ts';

const SOURCE = join(ROOT, 'backend/src');

/** The lists of all operations and of all jobs, from the files that are there. */
export function operationsAndJobs(): GeneratedFile[] {
  return [
    {
      name: 'backend/src/operations.generated.ts',
      text: list('operations/*/*.ts', /^operations\/|\.ts$/g, 'Operation', './operation.ts', 'operations'),
    },
    {
      name: 'backend/src/jobs.generated.ts',
      text: list('business/**/*.job.ts', /^business\/|\.job\.ts$/g, 'Job', './work/job.ts', 'jobs'),
    },
  ];
}

/**
 * The list brings the products along: no process runs an operation or a job without knowing them.
 * Each is named by its path and not by its place in the list: a new one changes no line of another.
 */
function list(pattern: string, around: RegExp, type: string, from: string, constant: string): string {
  const members = globSync(pattern, { cwd: SOURCE })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.(?:test|schema)\.ts$/.test(file))
    .sort()
    .map((file) => ({ file, name: camel(file.replaceAll(around, '')) }));
  const names = new Set(members.map(({ name }) => name));
  if (names.size !== members.length) throw new Error(`two of ${pattern} have one name`);
  return [
    '// Made by `npm run generate` from the tree. Do not edit.',
    "import './business/products.ts';",
    ...members.map(({ file, name }) => `import ${name} from './${file}';`),
    `import type { ${type} } from '${from}';`,
    '',
    `export const ${constant}: readonly ${type}[] = [`,
    ...members.map(({ name }) => `  ${name},`),
    '];',
    '',
  ].join('\n');
}

function camel(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
