// Needs: websites

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { systemClock } from '../src/base/clock.ts';
import type { Executor } from '../src/drivers/host/executor.ts';
import { localExecutor } from '../src/drivers/host/local.ts';
import { Host } from '../src/drivers/webserver/linux/host.ts';
import type { PlanOptions } from '../src/drivers/webserver/linux/plan.ts';
import { HostSettings } from '../src/drivers/webserver/linux/settings.ts';
import { LinuxWebserver } from '../src/drivers/webserver/linux/webserver.ts';
import type { SiteRef, WantedSite } from '../src/drivers/webserver/port.ts';
import { openKeeper } from './keeper.ts';
import { until as untilThere } from './until.ts';
import { wantedSite } from './webspaces.ts';

/** The PHP that Debian has. */
export const PHP = '/usr/sbin/php-fpm8.2';

const PROGRAMS = [
  'nginx',
  'php-fpm8.2',
  'sshd',
  'btrfs',
  'setfacl',
  'mariadbd',
  'nft',
  'sshpass',
  'sftp',
  'curl',
];

// The temporary directory of the tests is closed to other users.
const ENVIRONMENT = { ...process.env, LC_ALL: 'C.UTF-8', TMPDIR: '/tmp' };

/** Says what is missing for these tests: they drive Debian's programs themselves, as root. */
function requireHost(): void {
  assert.equal(process.getuid?.(), 0, 'the tests of the linux web server must run as root');
  const missing = PROGRAMS.filter((program) => spawnSync('which', [program]).status !== 0);
  assert.deepEqual(missing, [], 'run scripts/install.sh tests');
  accessSync('/dev/loop-control', constants.W_OK);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Runs a program to its end; what it printed. */
export function ran(argv: readonly string[], options: { input?: string; env?: NodeJS.ProcessEnv } = {}) {
  const [file = '', ...given] = argv;
  const { status, stdout, stderr } = spawnSync(file, given, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...options,
    env: { ...ENVIRONMENT, ...options.env },
  });
  return { code: status ?? -1, stdout, stderr };
}

/** The same beside what else goes on. */
export function running(argv: readonly string[]): Promise<{ code: number; stdout: string }> {
  const [file = '', ...given] = argv;
  return new Promise((resolve) => {
    const child = spawn(file, given, { stdio: ['ignore', 'pipe', 'ignore'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.on('close', (code) => resolve({ code: code ?? -1, stdout }));
  });
}

/** Waits until it holds; `what` says that it does not. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const held = async () => ((await holds()) ? true : null);
  await untilThere(held, () => what, 25);
}

export interface WebHostOptions {
  readonly plans?: PlanOptions;
  readonly acme?: HostSettings['acme'];
  readonly executor?: Executor;
  readonly sizeMib?: number;
  readonly httpPort?: number;
  /** Further versions of PHP, which may be in the host's directory. */
  readonly php?: (directory: string) => HostSettings['php'];
}

/** How many sites a host of a test may have. */
const MOST_SITES = 999;

/** What takes a host back, the last first; it stands for itself, whatever of the host was made. */
function takenBack({
  directory,
  settings: { mark, sites },
  firstUid,
}: {
  directory: string;
  settings: HostSettings;
  firstUid: number;
}): string[] {
  const own = `[ "$uid" -gt ${firstUid} ] && [ "$uid" -le ${firstUid + MOST_SITES} ] || continue`;
  const each = (table: string, then: string) =>
    `getent ${table} | while IFS=: read -r name x uid rest; do ${own}; ${then}; done`;
  const alone = 'flock --wait 30 /run/lock/hostkeep-web-users';
  // The files of users may be locked by somebody who does not wait their turn: again, then.
  const gone = (table: string, command: string) =>
    `for round in $(seq 1 20); do left=$(${each(table, 'echo "$name"')}); [ -n "$left" ] || break; [ "$round" = 1 ] || sleep 1; for name in $left; do ${alone} ${command} "$name"; done; done`;
  return [
    `for root in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/memory /sys/fs/cgroup/pids; do [ ! -d "$root/${mark}" ] || find "$root/${mark}" -depth -type d -exec rmdir {} +; done`,
    `umount -l '${sites}'`,
    `nft delete table inet ${mark}`,
    `${alone} groupdel ${mark.replaceAll('_', '-')}-sftp`,
    gone('group', 'groupdel'),
    gone('passwd', 'userdel -f'),
    // By the directory, which only its own programs name.
    `pkill -KILL -f '${directory}/'`,
    `for wait in $(seq 1 50); do pgrep -f '${directory}/' || break; sleep 0.1; done`,
    `pkill -TERM -f '${directory}/'`,
    each('passwd', 'setpriv --reuid "$uid" --regid "$uid" --clear-groups sh -c "kill -KILL -1"'),
  ];
}

let opened = 0;

/**
 * A host of webspaces of the test's own on this machine: a btrfs image, MariaDB, nginx and sshd as children, on free
 * ports of 127.0.0.1, with firewall rules that concern its own users only.
 */
export async function openWebHost(options: WebHostOptions = {}) {
  requireHost();
  opened += 1;
  // Below directories of root's only: an sshd changes its root nowhere else.
  const directory = await mkdtemp('/var/lib/hostkeep-test-');
  const keeper = openKeeper();
  keeper.undo(`rm -rf --one-file-system '${directory}'`);
  ran(['chmod', '0755', directory]);
  const tag = directory
    .slice(-6)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, 'x');
  const firstUid = 1_000_000 + (process.pid % 30_000) * 10_000 + opened * 1_000;
  const [httpPort, httpsPort, sftpPort, databasePort] = await Promise.all([
    options.httpPort ?? freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const settings = HostSettings.parse({
    etc: `${directory}/etc`,
    sites: `${directory}/sites`,
    run: `${directory}/run`,
    log: `${directory}/log`,
    spool: `${directory}/spool`,
    http: { addresses: ['127.0.0.1'], port: httpPort },
    https: { port: httpsPort },
    sftpPort,
    php: { '8.2': PHP, ...options.php?.(directory) },
    mariadb: { socket: `${directory}/mariadb.sock`, port: databasePort },
    addresses: ['127.0.0.1'],
    users: { first: firstUid + 1, last: firstUid + MOST_SITES },
    mark: `hkt_${tag}`,
    acme: options.acme ?? null,
  });
  for (const line of takenBack({ directory, settings, firstUid })) keeper.undo(line);
  const child = (argv: readonly string[]) => {
    const [file = '', ...given] = argv;
    return spawn(file, given, { stdio: 'ignore', env: ENVIRONMENT });
  };

  const image = `${directory}/sites.img`;
  for (const argv of [
    ['truncate', '-s', `${options.sizeMib ?? 2048}M`, image],
    ['mkfs.btrfs', '-q', image],
    ['mkdir', '-p', settings.sites, '/run/sshd'],
    ['mount', '-o', 'loop', image, settings.sites],
    ['chmod', '0755', settings.sites],
    ['btrfs', 'quota', 'enable', settings.sites],
    [
      ...['mariadb-install-db', '--no-defaults', '--user=mysql', `--datadir=${directory}/mariadb`],
      ...['--auth-root-authentication-method=socket', '--skip-test-db'],
    ],
  ]) {
    const { code, stderr } = ran(argv);
    assert.equal(code, 0, `${argv.join(' ')}: ${stderr}`);
  }
  ran(['chown', 'root:mysql', directory]);
  ran(['chmod', '0775', directory]);
  child([
    ...['mariadbd', '--no-defaults', '--user=mysql', `--datadir=${directory}/mariadb`],
    ...[`--socket=${settings.mariadb.socket}`, `--port=${databasePort}`, '--bind-address=127.0.0.1'],
    ...[`--pid-file=${directory}/mariadb/pid`, '--skip-name-resolve=0', '--max-connections=500'],
    ...['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=32M', '--performance-schema=off'],
  ]);
  await until('MariaDB does not start', () => ran(['test', '-S', settings.mariadb.socket]).code === 0);
  ran(['chown', 'root:root', directory]);
  ran(['chmod', '0755', directory]);

  const host = new Host(options.executor ?? localExecutor('web server'), settings, options.plans);
  const driver = new LinuxWebserver({
    hosts: new Map([['web1', host]]),
    clock: systemClock,
    backupDirectory: `${directory}/backups`,
  });
  await driver.prepare('web1');
  const nginx = child(['nginx', '-c', `${settings.etc}/nginx/nginx.conf`, '-g', 'daemon off;']);
  child(['/usr/sbin/sshd', '-D', '-f', `${settings.etc}/sshd/sshd_config`, '-E', `${directory}/sshd.log`]);
  await until('nginx does not start', () => ran(['test', '-s', `${settings.run}/nginx.pid`]).code === 0);
  await until('sshd does not start', () => ran(['test', '-s', `${settings.run}/sshd.pid`]).code === 0);

  let made = 0;
  /** A site that was never made, with a user of its own. */
  function wanted(change: Partial<WantedSite> = {}): WantedSite {
    made += 1;
    assert.ok(made <= MOST_SITES);
    const username = `${tag}${String(made)}`.replace(/^[^a-z]/, 'x').slice(0, 16);
    return wantedSite({
      webspaceId: randomUUID(),
      host: 'web1',
      username,
      uid: firstUid + made,
      diskMib: 32,
      memoryMib: 64,
      phpVersion: '8.2',
      hostnames: [{ hostname: `${username}.sites.example`, documentRoot: 'htdocs' }],
      ...change,
    });
  }

  const at = (scheme: 'http' | 'https', hostname: string) => {
    const port = scheme === 'http' ? httpPort : httpsPort;
    return ['--resolve', `${hostname}:${port}:127.0.0.1`, `${scheme}://${hostname}:${port}`] as const;
  };
  /** What curl gets: the status (0: no answer), the headers and the body. */
  async function curl(hostname: string, path = '/', more: readonly string[] = []) {
    const [resolve, to, url] = at(more.includes('--cacert') ? 'https' : 'http', hostname);
    const { stdout } = await running([
      'curl',
      '-sS',
      '-i',
      '-m',
      '15',
      ...more,
      resolve,
      to,
      `${url}${path}`,
    ]);
    const [head = '', ...body] = stdout.split('\r\n\r\n');
    return { status: Number(/^HTTP\/\S+ (\d+)/.exec(head)?.[1] ?? 0), head, body: body.join('\r\n\r\n') };
  }

  /** SFTP with a password: whether every command of the batch worked, and what was said. */
  function sftp(username: string, password: string, batch: string) {
    return ran(
      [
        ...['sshpass', '-e', 'sftp', '-P', String(sftpPort), '-o', 'BatchMode=no', '-o', 'LogLevel=ERROR'],
        ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
        ...[
          '-o',
          'PubkeyAuthentication=no',
          '-o',
          'NumberOfPasswordPrompts=1',
          '-b',
          '-',
          `${username}@127.0.0.1`,
        ],
      ],
      { input: batch, env: { SSHPASS: password } },
    );
  }

  /** Puts a file in place as its user would: below htdocs. */
  function put(site: SiteRef & { uid?: number }, path: string, text: string): void {
    const { code, stderr } = ran(
      [
        'setpriv',
        '--reuid',
        site.username,
        '--regid',
        site.username,
        '--clear-groups',
        'sh',
        '-c',
        'cat >"$1"',
        'sh',
        `${settings.sites}/${site.username}/${path}`,
      ],
      { input: text },
    );
    assert.equal(code, 0, stderr);
  }

  function sql(user: string, password: string, text: string, database = user) {
    return ran([
      ...['mariadb', '--no-defaults', `--socket=${settings.mariadb.socket}`, `--user=${user}`],
      ...[`--password=${password}`, '--batch', '--skip-column-names', '-e', text, database],
    ]);
  }

  async function close(): Promise<void> {
    await keeper.close();
    assert.equal(ran(['test', '-e', directory]).code, 1, `${directory} is left`);
    const users = ran(['getent', 'passwd']).stdout.split('\n');
    const left = users.filter((line) => {
      const uid = Number(line.split(':')[2]);
      return uid > firstUid && uid <= firstUid + MOST_SITES;
    });
    assert.deepEqual(left, [], 'users are left');
  }

  return {
    directory,
    settings,
    host,
    driver,
    nginx,
    wanted,
    curl,
    sftp,
    put,
    sql,
    close,
    /** A line for the shell that takes back what a test does to the machine besides, however the test ends. */
    undo: keeper.undo,
    httpPort,
    httpsPort,
    /** Users that come from elsewhere have a number above, within 999. */
    firstUid,
  };
}

export type WebHost = Awaited<ReturnType<typeof openWebHost>>;
