import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { issueToken, newTokenSecret } from '../backend/src/business/core/access/token.ts';
import { createCustomer } from '../backend/src/business/core/accounts/customer.ts';
import {
  CONSOLE_SOCKET_PATH,
  issueTicket,
  ticketProtocol,
} from '../backend/src/business/servers/consoles/ticket.ts';
import { Pool } from '../backend/src/db/pool.ts';
import { transaction } from '../backend/src/db/transaction.ts';
import type { Screen, ScreenAddress } from './console-source.ts';
import { bareRate, consoleRate } from './console-viewer.ts';
import { type BenchDatabase, startPostgres } from './databases.ts';
import { machine } from './machine.ts';
import { median } from './measurement.ts';
import { CallableProcess } from './process.ts';

const USAGE = `Usage: npm run bench:console -- [--seconds 2] [--rounds 7]

What goes through a console beside what its VNC socket gives alone: whole screens of raw pixels, asked for as fast as they
come. Screen, viewer and Hostkeep between them are processes of their own; tickets, sessions and their supervision are
those of production. QEMU's screen is what consoles are of. The other one does nothing but send: then it is the processors
that are measured, which have to carry everything twice. Prints megabytes per second and the ratio of the two.`;

const LIMIT = 0.8;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '7' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

/** A customer with a server, and how they get tickets for its console. */
async function openServer({ url }: BenchDatabase) {
  const pool = new Pool({ url, size: 1, name: 'hostkeep-bench' });
  const now = Temporal.Now.instant();
  const person = { email: 'viewer@hosting.example', passwordHash: null, firstName: 'Ola', lastName: 'Nord' };
  const settings = { locale: 'en', timezone: 'UTC', currency: 'EUR' } as const;
  const serverId = randomUUID();
  const who = await transaction(pool, async (tx) => {
    const created = await createCustomer(tx, { ...person, ...settings }, now);
    if (created.kind !== 'created') throw new Error('there is a customer already');
    const { accountId, userId } = created;
    const draft = { accountId, userId, kind: 'api', name: 'bench', scopes: ['*'], expiresAt: null } as const;
    const tokenId = await issueToken(tx, draft, newTokenSecret(), now);
    return { accountId, userId, tokenId };
  });
  await pool.pg.query(
    `INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit, anchor_day,
       expire_at, created_at)
     VALUES ($1, $2, 'server', 'custom', 'bench', 'active', false, 1, 'month', 1, $3, $4)`,
    [serverId, who.accountId, now.add({ hours: 24 }).toString(), now.toString()],
  );
  await pool.pg.query(
    `INSERT INTO servers (id, host, node, hostname, os, username, cores, memory, disk, uplink, power_state)
     SELECT $1, host, name, 'bench.example', 'debian-13', 'root', 1, 1024, 10, 1000, 'running' FROM nodes LIMIT 1`,
    [serverId],
  );
  return {
    async protocols() {
      const draft = { ...who, serverId, requestId: randomUUID(), ip: null };
      const given = await transaction(pool, (tx) => issueTicket(tx, draft, Temporal.Now.instant()));
      return ['binary', ticketProtocol(given.ticket)];
    },
    close: () => pool.end(),
  };
}

interface Case {
  readonly name: string;
  /** false: is only shown. */
  readonly claimed: boolean;
  readonly screen: (directory: string) => Screen;
}

const CASES: readonly Case[] = [
  {
    name: "QEMU's VNC socket, 640 × 480",
    claimed: true,
    screen: (directory) => ({ kind: 'qemu', path: `${directory}/vnc.sock` }),
  },
  {
    name: 'a socket that does nothing but send, 1280 × 800',
    claimed: false,
    screen: () => ({ kind: 'sender', width: 1280, height: 800 }),
  },
];

interface Round {
  readonly bare: number;
  readonly console: number;
}

const postgres = await startPostgres();
const processes: { stop(): Promise<void> }[] = [];
function start<Order extends object, Result>(file: string): CallableProcess<Order, Result> {
  const started = new CallableProcess<Order, Result>(file);
  processes.push(started);
  return started;
}

/** Octets a second, alone and through a console, in turns, so that whatever else the machine does is shared. */
async function measure({ screen }: Case, url: string, protocols: () => Promise<string[]>): Promise<Round[]> {
  const address = await start<Screen, ScreenAddress>('console-source.ts').call(screen(postgres.directory));
  const carrier = start<{ url: string; screen: ScreenAddress }, string>('console-carrier.ts');
  const carried = await carrier.call({ url, screen: address });
  const socket = `${carried.replace('http', 'ws')}${CONSOLE_SOCKET_PATH}`;
  const round = async (seconds: number): Promise<Round> => ({
    bare: await bareRate(address, seconds),
    console: await consoleRate(socket, await protocols(), seconds),
  });
  await round(0.5);
  const rounds: Round[] = [];
  while (rounds.length < Number(values.rounds)) rounds.push(await round(Number(values.seconds)));
  return rounds;
}

try {
  const database = await postgres.create('console');
  const server = await openServer(database);
  console.log(`\n${machine(postgres.version)}`);
  console.log(`\nmegabytes per second alone and through a console; ratio, at least ${LIMIT}\n`);
  let missed = 0;
  for (const one of CASES) {
    const rounds = await measure(one, database.url, server.protocols);
    const figure = (pick: (round: Round) => number) =>
      (median(rounds.map(pick)) / 1e6).toFixed(0).padStart(6);
    const ratio = median(rounds.map((round) => round.console / round.bare));
    const verdict = !one.claimed ? 'shown' : ratio >= LIMIT ? 'met' : 'MISSED';
    if (verdict === 'MISSED') missed += 1;
    console.log(
      `${figure((round) => round.bare)} ${figure((round) => round.console)}  ${ratio.toFixed(2)} ` +
        `${verdict.padEnd(6)}  ${one.name}`,
    );
  }
  await server.close();
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await Promise.all(processes.map((started) => started.stop()));
  await postgres.stop();
}
