/**
 * Everything that is checked without running the program: types, lint and format, generated files, advisories. All at
 * once; what takes long is not checked again while nothing that it depends on has changed.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { advisories } from './advisories.ts';
import { digestOf, passedBefore, rememberPassed } from './passed-checks.ts';

interface Check {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** All that the verdict depends on, as patterns of files. Without it, it is asked for each time. */
  readonly reads?: readonly string[];
}

const CHECKS: readonly Check[] = [
  {
    name: 'types',
    program: 'tsc',
    // Checks what changed since the last time, and what depends on it.
    args: ['-p', '.', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/hostkeep/types.tsbuildinfo'],
  },
  { name: 'lint and format', program: 'biome', args: ['ci', '--colors=off', '.'] },
  {
    name: 'row types fresh',
    program: 'node',
    args: ['scripts/generate.ts', '--check', 'rows'],
    reads: [
      'backend/src/db/migrations/*.sql',
      'backend/src/db/migrate.ts',
      'backend/src/db/rows.generated.ts',
      'scripts/generate*.ts',
      'package-lock.json',
    ],
  },
  {
    name: 'operations, jobs, OpenAPI and reference fresh',
    program: 'node',
    args: ['scripts/generate.ts', '--check', 'operations', 'openapi', 'reference'],
  },
  {
    name: 'OpenAPI valid',
    program: 'redocly',
    args: ['lint', 'api/openapi.json'],
    reads: ['api/openapi.json', 'redocly.yaml', 'package-lock.json'],
  },
  { name: 'import rule', program: 'node', args: ['--test', 'backend/test/imports.test.ts'] },
];

const results = await Promise.all([...CHECKS.map(run), advisories()]);
process.exitCode = results.every(Boolean) ? 0 : 1;

async function run(check: Check): Promise<boolean> {
  const { name, program, args, reads } = check;
  const digest = reads && digestOf(reads);
  if (digest !== undefined && passedBefore(name, digest)) {
    console.log(`ok     ${name} (nothing that it depends on has changed)`);
    return true;
  }
  const startedAt = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false)).once('close', (status) => resolve(status === 0));
  });
  const [passed, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (!passed) console.log(out + err || `${program} cannot be started`);
  else if (digest !== undefined) rememberPassed(name, digest);
  return passed;
}
