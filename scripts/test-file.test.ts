import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import type { ProcessResult } from './test-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'files-'));
after(() => rm(folder, { recursive: true }));

const FILES = {
  good: "test('it holds', () => {}); after(() => console.log('the end of good'));",
  wrong: `test('a', async (t) => { await t.test('b', () => { throw new Error('wrong here'); }); });
    describe('s', () => { test('in s', () => {}); test.skip('later', () => {}); });`,
  hook: "test('before the hook', () => {}); after(() => { throw new Error('it cannot be undone'); });",
  missing: "import './there-is-no-such.ts';",
  none: 'void after;',
  ending: "test('ends all', () => { process.exit(3); });",
  last: "test('its turn comes later', () => {});",
};

for (const [name, text] of Object.entries(FILES))
  await writeFile(
    join(folder, `${name}.ts`),
    `import { after, describe, test } from 'node:test';\nvoid describe;\n${text}\n`,
  );

/** In a process that is no test's: Node runs no tests inside of tests. */
async function run(...names: (keyof typeof FILES)[]): Promise<ProcessResult> {
  const files = names.map((name) => join(folder, `${name}.ts`));
  const program = `import { runTestFiles } from ${JSON.stringify(join(import.meta.dirname, 'test-file.ts'))};
    const files = ${JSON.stringify(files)};
    console.log(JSON.stringify(await runTestFiles(files, 240_000, new AbortController().signal)));`;
  const main = join(folder, 'main.ts');
  await writeFile(main, program);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [main], { env });
  return JSON.parse(stdout);
}

/** What came of each, by its name: passed, failed with the first line of the reason, without verdict. */
function outlined({ results }: ProcessResult) {
  return results.map(({ file, passed, failures, undecided }) => [
    file.slice(folder.length + 1, -3),
    passed,
    failures.map(
      ({ test, detail }) =>
        `${test ?? 'the file'}: ${/(Error.*|it has no test|its process failed.*)/.exec(detail)?.[1]}`,
    ),
    undecided,
  ]);
}

test('files that share a process: each failure has its file, and what is wrong with one is not of the next', async () => {
  const shared = await run('good', 'wrong', 'hook', 'missing', 'none', 'last');
  assert.deepEqual(outlined(shared), [
    ['good', 1, [], []],
    ['wrong', 1, ['a > b: Error: wrong here'], ['s > later']],
    ['hook', 1, ['the file: Error: it cannot be undone'], []],
    [
      'missing',
      0,
      [
        `the file: Error [ERR_MODULE_NOT_FOUND]: Cannot find module '${folder}/there-is-no-such.ts' imported from ${folder}/missing.ts`,
      ],
      [],
    ],
    ['none', 0, ['the file: it has no test'], []],
    ['last', 1, [], []],
  ]);
  assert.deepEqual(shared.left, []);
  assert.match(shared.results[0]?.output ?? '', /the end of good/);
});

test('a file that ends the process is to blame, those before it have their verdict, those after it are left', async () => {
  const shared = await run('good', 'ending', 'last');
  assert.deepEqual(outlined(shared), [
    ['good', 1, [], []],
    ['ending', 0, ['the file: its process failed (exit status 3)'], []],
  ]);
  assert.deepEqual(shared.left, [join(folder, 'last.ts')]);
});

test('a file alone in its process is told of in the same way', async () => {
  assert.deepEqual(outlined(await run('wrong')), [['wrong', 1, ['a > b: Error: wrong here'], ['s > later']]]);
  assert.deepEqual(outlined(await run('hook')), [['hook', 1, ['the file: Error: it cannot be undone'], []]]);
  assert.deepEqual(outlined(await run('ending')), [
    ['ending', 0, ['the file: its process failed (exit status 3)'], []],
  ]);
});
