// Slow: 15 s

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { openRfbSource } from '../../../test/rfb-source.ts';
import { openServers } from '../../../test/servers.ts';
import { type OpenConsole, openViewer, type Viewer } from '../../../test/viewer.ts';
import { CONSOLE_SOCKET_PATH, issueTicket, ticketProtocol } from '../../business/servers/consoles/ticket.ts';
import { APPLICATION_ROLE } from '../../db/migrate.ts';
import { Pool } from '../../db/pool.ts';
import { transaction } from '../../db/transaction.ts';
import type { Screens } from './carried-console.ts';
import { Consoles, type ConsoleTiming } from './consoles.ts';
import { addConsoleSocket, isConsoleUpgrade } from './socket-route.ts';

const [WIDTH, HEIGHT] = [1024, 1024];
const FRAME = WIDTH * HEIGHT * 4;
const NEVER_MS = 3_600_000;

const site = await openServers();
const source = await openRfbSource(WIDTH, HEIGHT);
after(() => source.close());
const who = await site.customer(100_000n);
const { server_uuid: serverId } = await site.order(who);
await site.work();

/** The machine is what the sandbox says; its screen changes all the time. */
const hypervisor: Screens = {
  status: (machine, deadlineMs) => site.ports.hypervisor.status(machine, deadlineMs),
  console: async () => ({ stream: connect(source.port, '127.0.0.1'), password: null }),
};

/** A process of its own that carries consoles. */
async function openProcess(timing: Partial<ConsoleTiming> = {}) {
  const pool = new Pool({ url: site.database.url, size: 2, name: 'consoles', role: APPLICATION_ROLE });
  const never = { checkMs: NEVER_MS, seeMs: NEVER_MS, askMs: NEVER_MS, unsupervisedMs: NEVER_MS };
  const { clock, log } = site;
  const consoles = new Consoles({ pool, hypervisor, clock, log, timing: { ...never, ...timing } });
  const app = Fastify({ http: { shouldUpgradeCallback: isConsoleUpgrade } });
  const options = { consoles, publicUrl: () => 'http://127.0.0.1', origins: [] };
  addConsoleSocket(app, { ...options, countStranger: async () => {} });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await app.close();
    await pool.end();
  };
  after(close);
  const websocket_url = `${url.replace('http', 'ws')}${CONSOLE_SOCKET_PATH}`;
  return { pool, close, open: async () => await openViewer(await ticketFor(websocket_url)) };
}

async function ticketFor(websocket_url: string): Promise<OpenConsole> {
  const { accountId, userId, tokenId } = who;
  const draft = { serverId, accountId, userId, tokenId, requestId: tokenId, ip: null };
  const { ticket } = await transaction(site.pool, (tx) => issueTicket(tx, draft, site.clock.now()));
  return { websocket_url, subprotocols: ['binary', ticketProtocol(ticket)] };
}

const told = new Set<string>();

/** Why the sessions ended that this has not told of yet; null: one is open. */
async function reasons(): Promise<readonly (string | null)[]> {
  const { rows } = await site.pool.pg.query<{ id: string; reason: string | null }>(
    'SELECT id, reason FROM console_sessions ORDER BY id',
  );
  const untold = rows.filter(({ id }) => !told.has(id));
  for (const { id } of untold) told.add(id);
  return untold.map(({ reason }) => reason);
}

/** Waits until so many of those have ended. */
async function untilEnded(count: number): Promise<void> {
  for (let ended = 0; ended < count; ) {
    const { rows } = await site.pool.pg.query<{ id: string }>(
      'SELECT id FROM console_sessions WHERE reason IS NOT NULL',
    );
    ended = rows.filter(({ id }) => !told.has(id)).length;
  }
}

/** Asks for so many frames at once, without taking them. */
async function ask(viewer: Viewer, frames: number): Promise<void> {
  await viewer.greet();
  viewer.socket.pause();
  for (let count = 0; count < frames; count += 1) viewer.request(false);
}

/** Waits until nothing more leaves the machine. */
async function untilStill(): Promise<number> {
  for (let before = -1; ; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const now = source.sent();
    if (now === before) return now;
    before = now;
  }
}

test('what a viewer does not read waits in the machine, not in memory; they get all of it, in order', async () => {
  const { open, close } = await openProcess();
  const viewer = await open();
  const frames = 60;
  const memory = process.memoryUsage().rss;
  const begun = source.sent();
  await ask(viewer, frames);
  const waiting = (await untilStill()) - begun;
  // The system's own buffers on the two ways hold a few frames; the process does not hold them besides.
  assert.ok(waiting < (frames * FRAME) / 4, `${waiting} octets have left the machine`);
  assert.ok(process.memoryUsage().rss - memory < 64 * 1024 * 1024);
  viewer.socket.resume();
  for (let number = 0; number < frames; number += 1) {
    const { pixels } = await viewer.frame();
    assert.ok(pixels.equals(Buffer.alloc(FRAME, number)), `frame ${number} is whole, and comes in its turn`);
  }
  viewer.socket.close();
  await viewer.closed;
  await untilEnded(1);
  await close();
  assert.deepEqual(await reasons(), ['closed']);
});

test('a viewer who does not answer any more is taken for gone', async () => {
  const { open, close } = await openProcess({ askMs: 5_000 });
  const [there, gone] = [await open(), await open()];
  await there.greet();
  await ask(gone, 30);
  await untilEnded(1);
  gone.socket.resume();
  await gone.closed;
  assert.equal(there.socket.readyState, there.socket.OPEN, 'one who answers stays');
  await close();
  await there.closed;
  assert.deepEqual((await reasons()).toSorted(), ['restart', 'viewer_lost']);
});

test('a process that is stopped says so to its viewers, also to who does not read, and keeps it', async () => {
  const { open, close } = await openProcess();
  const [reading, stuck] = [await open(), await open()];
  await reading.greet();
  await ask(stuck, 30);
  await close();
  assert.deepEqual(await reading.closed, { code: 1012, reason: 'restart' });
  stuck.socket.resume();
  await stuck.closed;
  assert.deepEqual(await reasons(), ['restart', 'restart']);
});

test('where the books do not answer for too long whether it may go on, a console ends', async () => {
  const { open, pool, close } = await openProcess({ checkMs: 20, unsupervisedMs: 200 });
  const viewer = await open();
  await viewer.greet();
  await pool.end();
  assert.deepEqual(await viewer.closed, { code: 1013, reason: 'unsupervised' });
  await close().catch(() => {});
  await reasons();
});

test('what goes on is said to the books, with what went through it', async () => {
  const { open, close } = await openProcess({ seeMs: 20 });
  const viewer = await open();
  await viewer.greet();
  site.clock.set(site.clock.now().add({ seconds: 50 }));
  await viewer.see(false);
  const seen = async () =>
    await site.pool.pg.query('SELECT FROM console_sessions WHERE seen_at = $1 AND bytes_from_machine > $2', [
      site.clock.now().toString(),
      FRAME,
    ]);
  while ((await seen()).rows.length === 0);
  viewer.socket.close();
  await viewer.closed;
  await untilEnded(1);
  await close();
  await reasons();
});

test('a ticket is good at every process, and at one of them', async () => {
  const [one, other] = [await openProcess(), await openProcess()];
  const viewers = await Promise.all([one.open(), other.open()]);
  for (const viewer of viewers) await viewer.greet();
  await Promise.all([one.close(), other.close()]);
  assert.deepEqual(await reasons(), ['restart', 'restart']);
});
