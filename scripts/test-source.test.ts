import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { demandOf } from './test-source.ts';

const ROOT = join(import.meta.dirname, '..');

test('a file needs what any module needs that it loads, however it loads it, and nothing of a type', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'demand-'));
  t.after(() => rm(folder, { recursive: true }));
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await write('dns.ts', '// Needs: dns, resolvers\n\nexport const dns = 1;\n');
  await write('again.ts', "export { dns } from './dns.ts';\n// Needs: mail\n");
  await write('child.ts', '// Needs: browser\n// Slow: 20 s for what starts it\n');
  await write('late.ts', "// Needs: epp\nimport './one.test.ts';\n"); // in a circle
  await write('type.ts', '// Needs: machines\n// Alone: never\nexport type Size = number;\n');
  await write(
    'one.test.ts',
    [
      "import { dns } from './again.ts';",
      "import type { Size } from './type.ts';",
      "// import './type.ts';",
      "const program = new URL('./child.ts', import.meta.url);",
      "const late = await import('./late.ts');",
    ].join('\n'),
  );
  await write('plain.test.ts', "import type { Size } from './type.ts';\n");
  await write('own.test.ts', "// Slow: 7 s\n// Alone: it changes the environment\n\nimport './child.ts';\n");

  const { needs, slowSeconds, alone } = demandOf(join(folder, 'one.test.ts'));
  assert.deepEqual(needs, ['browser', 'dns', 'epp', 'mail', 'resolvers']);
  assert.equal(slowSeconds, 20);
  assert.equal(alone, false);
  assert.deepEqual(demandOf(join(folder, 'plain.test.ts')), {
    needs: [],
    slowSeconds: undefined,
    alone: false,
    modules: 1,
  });
  const own = demandOf(join(folder, 'own.test.ts'));
  assert.equal(own.slowSeconds, 7, 'what the file says of itself counts');
  assert.ok(own.alone);
});

test('what installs packages knows every group that a test needs', () => {
  const known = new Set([
    'database',
    ...[
      ...readFileSync(join(ROOT, 'scripts/install.sh'), 'utf8').matchAll(/^ {4}([a-z-]+)\) packages=/gm),
    ].map(([, name]) => name),
  ]);
  const files = globSync(['{acceptance,simulate,backend/src,backend/test}/**/*.test.ts'], { cwd: ROOT });
  const needed = new Set(files.flatMap((file) => demandOf(join(ROOT, file)).needs));
  assert.ok(needed.has('machines') && needed.has('browser'), [...needed].join());
  assert.deepEqual(
    [...needed].filter((name) => !known.has(name)),
    [],
  );
});
