/** Everything that is checked without running the program: types, lint and format, generated files, advisories. */
import { spawnSync } from 'node:child_process';

const CHECKS: readonly (readonly [name: string, program: string, args: readonly string[]])[] = [
  ['types', 'tsc', ['-p', '.']],
  ['lint and format', 'biome', ['ci', '--colors=off', '.']],
  ['operations and jobs fresh', 'node', ['scripts/generate-operations.ts', '--check']],
  ['row types fresh', 'node', ['scripts/generate-rows.ts', '--check']],
  ['OpenAPI fresh', 'node', ['scripts/generate-openapi.ts', '--check']],
  ['reference fresh', 'node', ['scripts/generate-reference.ts', '--check']],
  ['OpenAPI valid', 'redocly', ['lint', 'api/openapi.json']],
  ['import rule', 'node', ['--test', 'backend/test/imports.test.ts']],
];

let failed = 0;
for (const [name, program, args] of CHECKS) {
  const startedAt = performance.now();
  const result = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const passed = result.status === 0;
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (passed) continue;
  failed += 1;
  console.log(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`);
}
failed += audit();
process.exitCode = failed === 0 ? 0 : 1;

/** Known vulnerabilities of what is installed in production; a registry that does not answer is said, not failed on. */
function audit(): number {
  const result = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });
  try {
    const report = JSON.parse(result.stdout) as { metadata?: { vulnerabilities: Record<string, number> } };
    if (report.metadata === undefined) throw new Error('no report');
    const { high = 0, critical = 0 } = report.metadata.vulnerabilities;
    console.log(
      `${high + critical === 0 ? 'ok    ' : 'FAILED'} advisories (${high} high, ${critical} critical)`,
    );
    return high + critical === 0 ? 0 : 1;
  } catch {
    console.log('??     advisories: the registry has no audit report to give');
    return 0;
  }
}
