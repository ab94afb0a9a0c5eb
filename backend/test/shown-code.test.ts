// Needs: languages
// Slow: 10 s
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { operations } from '../src/operations.generated.ts';
import { type Code, codeExamples } from '../src/wire/docs/code.ts';
import { openHarness, operationAt } from './harness.ts';

const run = promisify(execFile);
const ROOT = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'hostkeep-shown-'));
after(() => rmSync(folder, { recursive: true }));

const harness = await openHarness();
const base = `${harness.running.address}/api/v2`;
const caller = await harness.customer(100_000n);

const COMMANDS: Readonly<Record<string, (code: string) => readonly [string, ...string[]]>> = {
  curl: (code) => ['sh', '-c', code],
  'curl, with a JSON body': (code) => ['sh', '-c', code],
  TypeScript: (code) => {
    const file = join(folder, 'shown.mts');
    writeFileSync(file, code);
    return [process.execPath, file];
  },
  Python: (code) => ['python3', '-c', code],
};

async function printed(language: string, code: string): Promise<string> {
  const [program, ...parameters] = COMMANDS[language]?.(code) ?? assert.fail(language);
  const { stdout } = await run(program, parameters, { env: { ...process.env, TOKEN: caller.token } });
  return stdout;
}

function codeFor(path: string): readonly Code[] {
  return codeExamples(operationAt(path), base);
}

// What an answer has in it, and no refusal.
const READS = {
  'server/prices': 'packages',
  'domain/check': 'available',
  'account/transactions': 'pagination',
};

for (const [path, member] of Object.entries(READS)) {
  for (const { language, text } of codeFor(path)) {
    test(`what is shown in ${language} calls ${path} as it stands`, async () => {
      assert.match(await printed(language, text), new RegExp(`['"]?${member}['"]?:`));
    });
  }
}

for (const { language, text } of codeFor('panel/order')) {
  test(`what is shown in ${language} calls panel/order, each time with a key of its own`, async () => {
    const before = await orders();
    await printed(language, text);
    await printed(language, text);
    assert.equal((await orders()) - before, 2);
  });

  test(`what is shown in ${language} says what was refused`, async () => {
    const refused = text.replaceAll('panel/order', 'panel/none');
    const shown = await printed(language, refused).catch((error) => `${error.stdout}${error.stderr}`);
    assert.match(shown, /operation_not_found/);
  });
}

async function orders(): Promise<number> {
  const { rows } = await harness.pool.pg.query<{ count: string }>(
    'SELECT count(*) FROM orders WHERE account_id = $1',
    [caller.accountId],
  );
  return Number(rows[0]?.count);
}

test('what is shown in TypeScript for every operation compiles under strict', async () => {
  for (const [index, operation] of operations.entries()) {
    const shown = codeExamples(operation, base).find(({ language }) => language === 'TypeScript');
    assert.ok(shown, operation.path);
    writeFileSync(join(folder, `${index}.ts`), `${shown.text}\nexport {};\n`);
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const options = {
    noEmit: true,
    strict: true,
    target: 'esnext',
    module: 'nodenext',
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
  );
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    ({ stdout }) => assert.fail(stdout),
  );
});

test('what is shown in Python for every operation is Python', async () => {
  const programs = operations.map((operation) => {
    const shown = codeExamples(operation, base).find(({ language }) => language === 'Python');
    assert.ok(shown, operation.path);
    return shown.text;
  });
  const file = join(folder, 'programs.json');
  writeFileSync(file, JSON.stringify(programs));
  const compile =
    "import json, sys\nfor text in json.load(open(sys.argv[1])): compile(text, 'shown', 'exec')";
  await run('python3', ['-c', compile, file]);
});
