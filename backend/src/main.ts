import type { Command } from './command.ts';
import { UsageError } from './command.ts';
import { ConfigError, parseCommandLine } from './config.ts';

/** Loaded when chosen, so that `token create` does not wait for the server's code. */
const COMMANDS: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  serve: () => import('./commands/serve.ts'),
  worker: () => import('./commands/worker.ts'),
  migrate: () => import('./commands/migrate.ts'),
  doctor: () => import('./commands/doctor.ts'),
  'token create': () => import('./commands/token-create.ts'),
  'customer create': () => import('./commands/customer-create.ts'),
  'customer list': () => import('./commands/customer-list.ts'),
  'staff create': () => import('./commands/staff-create.ts'),
  'staff list': () => import('./commands/staff-list.ts'),
  'staff link': () => import('./commands/staff-link.ts'),
  'staff disable': () => import('./commands/staff-disable.ts'),
  'staff enable': () => import('./commands/staff-enable.ts'),
  'demo close': () => import('./commands/demo-close.ts'),
  'balance adjust': () => import('./commands/balance-adjust.ts'),
  'bank import': () => import('./commands/bank-import.ts'),
  'sandbox payment': () => import('./commands/sandbox-payment.ts'),
  'sandbox registry': () => import('./commands/sandbox-registry.ts'),
  'sandbox epp': () => import('./commands/sandbox-epp.ts'),
  'catalog export': () => import('./commands/catalog-export.ts'),
  'catalog import': () => import('./commands/catalog-import.ts'),
  'mail test': () => import('./commands/mail-test.ts'),
  'image add': () => import('./commands/image-add.ts'),
  'image build': () => import('./commands/image-build.ts'),
  'image remove': () => import('./commands/image-remove.ts'),
  'iso add': () => import('./commands/iso-add.ts'),
  'web prepare': () => import('./commands/web-prepare.ts'),
  mails: () => import('./commands/mails.ts'),
  'key rotate': () => import('./commands/key-rotate.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  'safe-mode': () => import('./commands/safe-mode.ts'),
};

async function main(args: readonly string[]): Promise<number> {
  const chosen = choose(args);
  if (chosen === null) {
    process.stderr.write(await help());
    return args.length === 0 || args.includes('--help') || args[0] === 'help' ? 0 : 2;
  }
  const { command } = await chosen.load();
  if (args.includes('--help')) {
    process.stderr.write(`hostkeep ${command.name} ${command.usage}\n\n${command.summary}\n`);
    return 0;
  }
  try {
    const { config, words, flags } = parseCommandLine(chosen.rest, process.env, command.flags);
    await command.run({
      config,
      words,
      flags,
      print: (line) => process.stdout.write(`${line}\n`),
      tell: (line) => process.stderr.write(`${line}\n`),
    });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof ConfigError || error instanceof UsageError) {
      process.stderr.write(`hostkeep ${command.name}: ${error.message}\n`);
      return 2;
    }
    process.stderr.write(`hostkeep ${command.name} failed: ${(error as Error).stack ?? String(error)}\n`);
    return 1;
  }
}

/** The command that the first one or two words name. */
function choose(args: readonly string[]) {
  for (const length of [2, 1]) {
    const load = COMMANDS[args.slice(0, length).join(' ')];
    if (load !== undefined) return { load, rest: args.slice(length) };
  }
  return null;
}

async function help(): Promise<string> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const lines = commands.map(({ command }) => `  ${command.name.padEnd(18)} ${command.summary}`);
  return [
    'Usage: hostkeep <command> [--data <directory>] [flags]',
    '',
    ...lines,
    '',
    'hostkeep <command> --help tells what a command takes. All of them work on the data directory',
    '(--data, HOSTKEEP_DATA, default ./data) or on the server of DATABASE_URL.',
    '',
  ].join('\n');
}

process.exitCode = await main(process.argv.slice(2));
