import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Executor } from '../src/drivers/host/executor.ts';
import { Qmp } from '../src/drivers/hypervisor/qemu/qmp.ts';
import { until } from './until.ts';

const QEMU = 'qemu-system-x86_64';
const PATIENCE_MS = 240_000;
const LOOK_MS = 20;
const Status = z.object({ status: z.string() });

/**
 * An executor whose machines begin where the first one of their build was held: with its kernel started, before it had
 * seen its disk (image/initrd-init). Most of an emulated start is spared. The first one of each build starts from its
 * disk, as does whatever is reset; one that waits to be let go is left alone. What they draw by chance may be the same.
 */
export async function keptStarts(
  executor: Executor,
): Promise<{ readonly executor: Executor; forget(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'hostkeep-starts-'));
  await chmod(directory, 0o777); // the machines' users write there
  const kept = new Map<string, string>();
  let making: Promise<void> = Promise.resolve();

  const begin = async (argv: readonly string[], from: string, options?: Parameters<Executor['run']>[1]) => {
    const opened = ['sh', '-euc', 'exec 3<"$0"; exec "$@"', from, ...argv, '-incoming', 'fd:3'];
    const finished = await executor.run(opened, options);
    if (finished.code === 0) await during(executor, argv, goOn);
    return finished;
  };

  const keeping: Executor = {
    ...executor,
    async run(argv, options) {
      if (!argv.includes(QEMU) || argv.includes('-S')) return await executor.run(argv, options);
      const build = buildOf(argv);
      const before = making;
      const { promise, resolve } = Promise.withResolvers<void>();
      making = promise;
      try {
        await before;
        const from = kept.get(build);
        if (from !== undefined) return await begin(argv, from, options);
        const held = await executor.run([...argv, '-smbios', 'type=3,asset=held'], options);
        if (held.code !== 0) return held;
        const path = join(directory, String(kept.size));
        await during(executor, argv, (qmp) => keep(qmp, path));
        await end(argv);
        kept.set(build, path);
        return await begin(argv, path, options);
      } finally {
        resolve();
      }
    },
  };
  return { executor: keeping, forget: () => rm(directory, { recursive: true, force: true }) };
}

/** What a machine is built of: all but who it is, and what its disks and drives hold. */
function buildOf(argv: readonly string[]): string {
  const given = argv.slice(argv.indexOf(QEMU) + 1);
  const devices = given
    .filter((_word, index) => given[index - 1] === '-device')
    .map((word) => word.split(',')[0]);
  const values = ['-machine', '-accel', '-cpu', '-smp', '-m'].map((name) => given[given.indexOf(name) + 1]);
  return JSON.stringify([values, devices]);
}

async function keep(qmp: Qmp, path: string): Promise<void> {
  let said = '';
  await until(
    async () => {
      if (said.includes('listening')) await press(qmp, 'ret');
      said += await printed(qmp);
      return said.includes('held') ? true : null;
    },
    () => `it is not held: ${said}`,
    100,
  );
  await qmp.execute('stop');
  const socket = `${path}.sock`;
  const taken = spawn('socat', ['-u', `UNIX-LISTEN:${socket},mode=666`, `CREATE:${path}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const closed = once(taken, 'close');
  await until(
    async () => existsSync(socket) || null,
    () => 'nothing listens',
    LOOK_MS,
  );
  await qmp.execute('migrate', { uri: `unix:${socket}` });
  const [code] = await closed;
  const state = async () => Status.parse(await qmp.execute('query-migrate')).status;
  await until(
    async () => ((await state()) === 'completed' ? true : null),
    async () => `the start was not kept: ${await state()}, ${code}`,
    LOOK_MS,
  );
}

/** Lets a machine go on that was begun from a kept start. What it prints from here on is left to who reads it. */
async function goOn(qmp: Qmp): Promise<void> {
  const state = async () => Status.parse(await qmp.execute('query-status')).status;
  await until(
    async () => ((await state()) === 'inmigrate' ? null : true),
    () => 'it is not read',
    LOOK_MS,
  );
  await qmp.execute('cont');
  for (const key of ['g', 'o', 'ret']) await press(qmp, key);
}

async function press(qmp: Qmp, key: string): Promise<void> {
  await qmp.execute('send-key', { keys: [{ type: 'qcode', data: key }] });
}

async function printed(qmp: Qmp): Promise<string> {
  return String(await qmp.execute('ringbuf-read', { device: 'serial', size: 65_536 }));
}

function during<T>(executor: Executor, argv: readonly string[], work: (qmp: Qmp) => Promise<T>): Promise<T> {
  const pid = pidFile(argv);
  return Qmp.during(executor.connect(pid.replace(/pid$/, 'commands.sock')), PATIENCE_MS, work);
}

async function end(argv: readonly string[]): Promise<void> {
  const pid = Number(await readFile(pidFile(argv), 'utf8'));
  process.kill(pid, 'SIGKILL');
  const gone = async () => (existsSync(`/proc/${pid}`) ? null : true);
  await until(gone, () => 'it does not end', LOOK_MS);
}

function pidFile(argv: readonly string[]): string {
  return argv[argv.indexOf('-pidfile') + 1] ?? '';
}
