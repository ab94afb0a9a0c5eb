import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openChild, pipeChild, runChild } from './child.ts';

test('what a program printed is whole when it has ended, however many end at once', async () => {
  for (let round = 0; round < 20; round += 1) {
    const finished = await Promise.all(Array.from({ length: 20 }, () => runChild('host', ['seq', '2000'])));
    for (const { code, stdout } of finished) assert.deepEqual([code, stdout.length], [0, 8893]);
  }
});

test('a daemon that a program leaves behind, and that holds its errors open, is not waited for', async () => {
  const { code, stdout } = await runChild('host', ['sh', '-c', 'sleep 20 </dev/null >/dev/null & echo $!']);
  assert.equal(code, 0);
  process.kill(Number(stdout.trim()));
});

test('a source that breaks off fails the caller, though the program ends well with the half that it got', async () => {
  const broken = Readable.from(
    (async function* () {
      yield 'half';
      throw new Error('the source broke');
    })(),
  );
  await assert.rejects(
    pipeChild('host', ['cat'], { from: broken, to: new PassThrough().resume() }),
    /the source broke/,
  );
  const left = new PassThrough();
  left.write('half');
  const told = assert.rejects(pipeChild('host', ['cat'], { from: left }), {
    code: 'ERR_STREAM_PREMATURE_CLOSE',
  });
  left.destroy();
  await told;
});

test('a program that needs only the beginning of its input ends well', async () => {
  const long = Readable.from(Array.from({ length: 100 }, () => 'x'.repeat(65_536)));
  await pipeChild('host', ['head', '-c', '1'], { from: long, to: new PassThrough().resume() });
  await assert.rejects(pipeChild('host', ['false'], { from: Readable.from(['x'.repeat(1_000_000)]) }), {
    name: 'CommandFailed',
  });
});

/** Fails to start children in each way that there is, without and with a free file descriptor. */
const FAILING = `
import { openSync } from 'node:fs';
import { openChild, pipeChild, runChild } from ${JSON.stringify(import.meta.resolve('./child.ts'))};
import { localExecutor } from ${JSON.stringify(import.meta.resolve('./local.ts'))};

async function each(program) {
  const names = [];
  const named = (error) => names.push(error.name);
  await runChild('host', [program]).catch(named);
  await pipeChild('host', [program], {}).catch(named);
  // Opened without anybody who listens for errors.
  await Promise.all([openChild([program]), localExecutor('host').connect('/nowhere/socket')].map(
    (stream) => new Promise((closed) => stream.on('close', closed)),
  ));
  return names;
}

console.log(JSON.stringify(await each('/nowhere/program')));
let full = false;
while (!full) try { openSync('/dev/null'); } catch { full = true; }
console.log(JSON.stringify(await each('true')));
`;

test('a program that cannot be started fails its caller, and never the process: none there, no descriptor left', async () => {
  const node = [process.execPath, '--input-type=module', '--eval', FAILING];
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', ...node]);
  const failed = JSON.stringify(['BackendUnavailable', 'BackendUnavailable']);
  assert.deepEqual(stdout.trim().split('\n'), [failed, failed]);
});

test('what a program prints before it fails is read before its failure', async () => {
  for (let run = 0; run < 50; run += 1) {
    const stream = openChild(['sh', '-c', 'echo why; exit 3']);
    let said = '';
    await assert.rejects(async () => {
      for await (const chunk of stream) said += chunk;
    }, /ended with 3/);
    assert.equal(said, 'why\n');
  }
});
