import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { CONTRACT } from '../src/contract.ts';
import type { Operation } from '../src/operation.ts';
import { operations } from '../src/operations.generated.ts';
import { GROUPS, groupOf } from '../src/wire/group.ts';
import { each } from './each-operation.ts';

const SOURCE = new URL('../src/', import.meta.url);

test("an operation's path is its file's", async () => {
  const files = globSync('operations/*/*.ts', { cwd: SOURCE }).filter(
    (file) => !/\.(?:test|schema)\.ts$/.test(file),
  );
  const paths = await Promise.all(
    files.map(async (file) => {
      const module: { default: Operation } = await import(new URL(file, SOURCE).href);
      return [file.replaceAll('\\', '/'), `operations/${module.default.path}.ts`];
    }),
  );
  assert.deepEqual(
    paths.filter(([file, path]) => file !== path),
    [],
  );
  assert.equal(files.length, operations.length);
});

test('no two operations have one path', () => {
  assert.equal(new Set(operations.map(({ path }) => path)).size, operations.length);
});

test('every group has a title and a description', () => {
  assert.deepEqual(
    [...new Set(operations.map(groupOf))].filter((group) => GROUPS[group] === undefined),
    [],
  );
});

test('the answer that is shown is one that the operation gives', async () => {
  await each(operations, ({ path, output }) => {
    assert.deepEqual(output.safeParse(CONTRACT.answers[path]).error?.issues ?? [], []);
  });
});

test('the declared example is valid', async () => {
  await each(operations, ({ input, example }) => {
    assert.deepEqual(input.safeParse(example.input).error?.issues ?? [], []);
  });
});

test('the declared secrets are members of the input or the output', async () => {
  await each(operations, (operation) => {
    const text = JSON.stringify([
      operation.input.toJSONSchema({ io: 'input', unrepresentable: 'any' }),
      operation.output.toJSONSchema({ unrepresentable: 'any' }),
    ]);
    assert.deepEqual(
      operation.secrets.filter((name) => !text.includes(`"${name}":`)),
      [],
    );
  });
});

for (const part of ['operations', 'openapi', 'reference']) {
  test(`what is generated of ${part} is fresh`, () => {
    const file = new URL('../../scripts/generate.ts', import.meta.url);
    const { status, stderr } = spawnSync(process.execPath, [file.pathname, '--check', part], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });
}
