// Slow: 10 s

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { test } from 'node:test';
import { provisioned } from '../../../test/cases/server.ts';
import { type Caller, openHarness } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { type OpenConsole, openViewer } from '../../../test/viewer.ts';
import keepSessions from '../../business/servers/consoles/keep-sessions.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';
import { drawText } from '../../drivers/hypervisor/sandbox/screen-text.ts';

const harness = await openHarness({ settings: { consoleOrigins: ['https://panel.example'] } });
const { pool, clock, client } = harness;

type Ticket = OpenConsole & { readonly ticket: string; readonly link: string; readonly expires_at: string };

interface OpenServer {
  readonly as: Caller;
  readonly uuid: string;
  /** A ticket for its console. */
  ticket(input?: object, headers?: Readonly<Record<string, string>>): Promise<Ticket>;
}

async function openServer(): Promise<OpenServer> {
  const { as, uuid } = await provisioned(harness);
  const ticket = (input: object = {}, headers: Readonly<Record<string, string>> = {}) =>
    harness.data('server/vnc', { as, input: { uuid, ...input }, headers });
  return { as, uuid, ticket };
}

async function openConsole() {
  const server = await openServer();
  const viewer = await openViewer(await server.ticket());
  await viewer.greet();
  return { ...server, viewer };
}

const refused = (status: number, code: string) => ({ message: `${status} ${code}` });

interface SessionRow {
  readonly reason: string | null;
  readonly user_id: string;
  readonly token_id: string;
  readonly ip: string;
  readonly bytes_from_machine: string;
  readonly bytes_to_machine: string;
  readonly operator: string | null;
}

/** The sessions of a server, once the books say that none of them is open. */
async function endedSessions(uuid: string): Promise<readonly SessionRow[]> {
  const ended = async () => {
    const { rows } = await pool.pg.query<SessionRow>(
      `SELECT c.reason, c.user_id, c.token_id, host(c.ip) AS ip, c.bytes_from_machine, c.bytes_to_machine,
         t.impersonated_by AS operator
       FROM console_sessions c JOIN tokens t ON t.id = c.token_id WHERE server_id = $1 ORDER BY c.began_at, c.id`,
      [uuid],
    );
    return rows.every(({ reason }) => reason !== null) ? rows : null;
  };
  return await until(ended, () => 'a session does not end in the books', 5);
}

test('the answer names the socket, the page and the time, and keeps neither ticket nor password', async () => {
  const { as, uuid } = await openServer();
  const answer = await harness.call('server/vnc', { as, input: { uuid } });
  const { ticket, link, websocket_url, ...rest } = answer.body.data;
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.match(websocket_url, /^ws:\/\/127\.0\.0\.1:\d+\/console\/socket$/);
  assert.equal(
    link,
    `${websocket_url.replace(/^ws/, 'http').replace('/socket', '')}#name=web.example.com&server=${uuid}&ticket=${ticket}`,
  );
  assert.deepEqual(rest, {
    uuid,
    protocol: 'vnc_websocket',
    subprotocols: ['binary', `ticket.${ticket}`],
    password: '',
    port: null,
    expires_at: '2027-01-15 12:02:00',
    max_session_seconds: 14_400,
  });
  const { rows } = await pool.pg.query('SELECT * FROM console_tickets WHERE server_id = $1', [uuid]);
  assert.equal(rows.length, 1);
  assert.ok(
    !JSON.stringify(rows, (_, value) => (value?.type === 'Buffer' ? Buffer.from(value) : value)).includes(
      ticket,
    ),
  );
});

test('a viewer sees the screen, and what they type reaches the machine', async () => {
  const { viewer } = await openConsole();
  const lines = ['Hostkeep sandbox', '', 'web.example.com login: '];
  const drawn = (shown: readonly string[]) => drawText(shown, 320, 200, 4);
  const { width, height, pixels } = await viewer.see(false);
  assert.deepEqual([width, height], [320, 200]);
  assert.ok(pixels.equals(drawn(lines)), 'the screen is what the machine drew');
  for (const character of 'root') viewer.press(character.charCodeAt(0));
  let now = await viewer.see(true);
  while (!now.pixels.equals(drawn([...lines.slice(0, -1), `${lines.at(-1)}root`])))
    now = await viewer.see(true);
  viewer.socket.close();
});

test('a ticket opens one console, also when two come with it at the same moment', async () => {
  const server = await openServer();
  const ticket = await server.ticket();
  const outcomes = await Promise.allSettled([openViewer(ticket), openViewer(ticket), openViewer(ticket)]);
  const [opened, ...others] = outcomes.filter(({ status }) => status === 'fulfilled');
  assert.ok(opened?.status === 'fulfilled' && others.length === 0);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.equal(outcome.reason.message, '403 console_ticket_invalid');
  }
  opened.value.socket.close();
  await assert.rejects(openViewer(ticket), refused(403, 'console_ticket_invalid'));
});

test('a ticket that is over, unknown, malformed or missing opens nothing', async () => {
  const server = await openServer();
  const ticket = await server.ticket();
  const made = (protocols: readonly string[]) => openViewer({ ...ticket, subprotocols: protocols });
  const unknown = `ticket.${Buffer.alloc(32, 7).toString('base64url')}`;
  await assert.rejects(made(['binary', unknown]), refused(403, 'console_ticket_invalid'));
  await assert.rejects(made(['binary', "ticket.'--"]), refused(403, 'console_ticket_invalid'));
  await assert.rejects(made(['binary']), refused(426, 'upgrade_required'));
  await assert.rejects(made([`ticket.${ticket.ticket}`]), refused(426, 'upgrade_required'));
  clock.set(clock.now().add({ seconds: 120 }));
  await assert.rejects(openViewer(ticket), refused(403, 'console_ticket_invalid'));
});

test('who has no good ticket is counted by where they come from', async () => {
  const strict = await openHarness({ settings: { addressRate: 3 } });
  const { as, uuid } = await provisioned(strict);
  const { websocket_url } = await strict.data('server/vnc', { as, input: { uuid } });
  const unknown = `ticket.${Buffer.alloc(32, 7).toString('base64url')}`;
  const guess = () => openViewer({ websocket_url, subprotocols: ['binary', unknown] });
  for (let tried = 0; tried < 3; tried += 1)
    await assert.rejects(guess(), refused(403, 'console_ticket_invalid'));
  await assert.rejects(guess(), refused(429, 'rate_limited'));
});

test('pages of other sites open nothing and use no ticket up; our own and allowed ones do, and programs', async () => {
  const server = await openServer();
  const ticket = await server.ticket();
  const own = new URL(ticket.link).origin;
  for (const origin of ['https://evil.example', 'null', `${own}.evil.example`])
    await assert.rejects(openViewer(ticket, { origin }), refused(403, 'origin_not_allowed'));
  for (const origin of [own, 'https://panel.example']) {
    const viewer = await openViewer(origin === own ? ticket : await server.ticket(), { origin });
    viewer.socket.close();
  }
});

test('a ticket that is bound to an address is taken from there alone', async () => {
  const server = await openServer();
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const ticket = await server.ticket({ bind_ip: true }, from('203.0.113.5'));
  await assert.rejects(
    openViewer(ticket, { headers: from('203.0.113.6') }),
    refused(403, 'console_ticket_invalid'),
  );
  const viewer = await openViewer(ticket, { headers: from('203.0.113.5') });
  viewer.socket.close();
  assert.equal((await endedSessions(server.uuid))[0]?.ip, '203.0.113.5');
});

test('requests to upgrade to something else, or elsewhere, are answered as if they did not', async () => {
  const upgrading = (path: string, to: string) =>
    client.send({ method: 'GET', path, headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: to } });
  assert.equal((await upgrading('/healthz', 'h2c')).status, 200);
  assert.equal((await upgrading('/healthz', 'websocket')).status, 200);
  assert.equal((await upgrading('/console/socket', 'h2c')).status, 426);
  assert.equal((await client.send({ method: 'GET', path: '/console/socket' })).status, 426);
});

test('a handshake that is no WebSocket is refused before it uses up its ticket', async () => {
  const server = await openServer();
  const { subprotocols, websocket_url } = await server.ticket();
  const { port, host } = new URL(websocket_url);
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.on('data', (part) => {
      text += part;
    });
    socket.on('close', () => resolve(text));
    socket.end(
      `GET /console/socket HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\nSec-WebSocket-Protocol: ${subprotocols.join(', ')}\r\n\r\n`,
    );
  });
  assert.match(answer, /^HTTP\/1\.1 426 /);
  assert.match(answer, /"error":"upgrade_required"/);
  assert.deepEqual(await endedSessions(server.uuid), [], 'its ticket is not used up');
});

test('so many consoles of a server are open at once, and no more', async () => {
  const server = await openServer();
  const late = await server.ticket();
  const viewers = [];
  for (let open = 0; open < 4; open += 1) viewers.push(await openViewer(await server.ticket()));
  await assert.rejects(openViewer(late), refused(409, 'console_limit_reached'));
  const asked = await harness.call('server/vnc', { as: server.as, input: { uuid: server.uuid } });
  assert.deepEqual([asked.status, asked.body.error, asked.body.limit], [409, 'console_limit_reached', 4]);
  for (const { socket } of viewers) socket.close();
  await endedSessions(server.uuid);
  (await openViewer(await server.ticket())).socket.close();
});

const OPERATOR = await harness.operator();

/** What ends a console, and how it is told. */
const ENDINGS: Readonly<Record<string, { code: number; by(server: OpenServer): Promise<unknown> }>> = {
  access_ended: {
    code: 4003,
    by: ({ as }) => pool.pg.query('UPDATE tokens SET revoked_at = created_at WHERE id = $1', [as.tokenId]),
  },
  suspended: {
    code: 4004,
    by: ({ uuid }) =>
      harness.data('staff/suspend', { as: OPERATOR, input: { uuid, reason: 'abuse', note: 'spam' } }),
  },
  service_ended: {
    code: 4005,
    by: ({ uuid }) => pool.pg.query("UPDATE services SET state = 'deleted' WHERE id = $1", [uuid]),
  },
  machine_off: {
    code: 4001,
    by: ({ uuid }) =>
      pool.pg.query("UPDATE servers SET wanted_power = 'stopped', power_state = 'stopped' WHERE id = $1", [
        uuid,
      ]),
  },
};

for (const [reason, { code, by }] of Object.entries(ENDINGS)) {
  test(`a console ends: ${reason}`, async () => {
    const { viewer, ...server } = await openConsole();
    await by(server);
    assert.deepEqual(await viewer.closed, { code, reason });
    const [session] = await endedSessions(server.uuid);
    assert.equal(session?.reason, reason);
  });

  test(`no console begins with a ticket from before: ${reason}`, async () => {
    const server = await openServer();
    const ticket = await server.ticket();
    await by(server);
    await assert.rejects(openViewer(ticket), refused(409, 'state_conflict'));
    await assert.rejects(openViewer(ticket), refused(403, 'console_ticket_invalid'));
  });
}

test('a console ends when its person may not come in any more', async () => {
  const { viewer, as } = await openConsole();
  await pool.pg.query("UPDATE users SET state = 'disabled' WHERE id = $1", [as.userId]);
  assert.equal((await viewer.closed).reason, 'access_ended');
});

test('a console of an operator in a customer’s place ends with the operator, and the books say that it was theirs', async () => {
  const server = await openServer();
  const operator = await harness.operator();
  const input = { customer_uuid: server.as.accountId, reason: 'Ticket 5' };
  const { token } = await harness.data('staff/impersonate', { as: operator, input });
  const ticket = await harness.data('server/vnc', {
    as: { ...server.as, token },
    input: { uuid: server.uuid },
  });
  const viewer = await openViewer(ticket);
  await viewer.greet();
  await pool.pg.query("UPDATE users SET state = 'disabled' WHERE id = $1", [operator.userId]);
  assert.equal((await viewer.closed).reason, 'access_ended');
  const [session] = await endedSessions(server.uuid);
  assert.deepEqual([session?.operator, session?.user_id], [operator.userId, server.as.userId]);
});

test('what went through a console is in the books, with who looked', async () => {
  const { viewer, as, uuid } = await openConsole();
  await viewer.see(false);
  viewer.socket.close();
  const [session] = await endedSessions(uuid);
  const { reason, user_id, token_id, ip } = session ?? {};
  assert.deepEqual([reason, user_id, token_id, ip], ['closed', as.userId, as.tokenId, '127.0.0.1']);
  const init = 24 + 'web.example.com'.length;
  assert.equal(Number(session?.bytes_from_machine), init + 16 + 320 * 200 * 4);
  assert.equal(Number(session?.bytes_to_machine), 1 + 10);
});

test('what is no RFB ends a console', async () => {
  const server = await openServer();
  const says: readonly (readonly [string | Buffer, number])[] = [
    [Buffer.from('GET / HTTP/1.1\r\n\r\n'), 1002],
    [Buffer.from('RFB 003.008\n\x02'), 1002],
    [Buffer.alloc(8192), 1002],
    ['RFB 003.008\n', 1002],
  ];
  for (const [garbage, code] of says) {
    const viewer = await openViewer(await server.ticket());
    viewer.socket.send(garbage);
    assert.deepEqual(await viewer.closed, { code, reason: 'not_rfb' });
  }
  const { viewer } = await openConsole();
  viewer.socket.send(Buffer.alloc(2 * 1024 * 1024));
  assert.equal((await viewer.closed).code, 1009, 'a message that is too long');
});

test('a machine that does not understand what is said ends its console, and goes on', async () => {
  const { viewer, uuid } = await openConsole();
  viewer.socket.send(Buffer.from([0xee]));
  assert.deepEqual(await viewer.closed, { code: 4007, reason: 'machine_closed' });
  assert.equal((await endedSessions(uuid))[0]?.reason, 'machine_closed');
});

test('a host that does not answer, and a machine that went off meanwhile, end a console before it shows anything', async () => {
  const server = await openServer();
  const first = await server.ticket();
  await planFault(pool, { command: 'console', fault: 'timeout_before', serverId: server.uuid });
  assert.deepEqual(await (await openViewer(first)).closed, { code: 1014, reason: 'backend_unavailable' });
  const second = await server.ticket();
  await pool.pg.query(
    "UPDATE sandbox.machines SET power = 'stopped', booted_at = NULL WHERE server_id = $1",
    [server.uuid],
  );
  assert.deepEqual(await (await openViewer(second)).closed, { code: 4001, reason: 'machine_off' });
});

test('a session that no process carries any more is ended by upkeep, and one that is carried is not', async () => {
  const { viewer, uuid, as } = await openConsole();
  const gone = randomUUID();
  await pool.pg.query(
    `INSERT INTO console_sessions (id, server_id, account_id, user_id, token_id, request_id, ip, began_at, limit_at, seen_at)
     SELECT $1, server_id, account_id, user_id, token_id, request_id, ip, began_at, limit_at, seen_at - interval '61 seconds'
     FROM console_sessions WHERE server_id = $2`,
    [gone, uuid],
  );
  assert.ok(keepSessions.kind === 'maintenance');
  await keepSessions.run(pool, { now: clock.now() } as never, {} as never);
  const { rows } = await pool.pg.query(
    'SELECT id, reason FROM console_sessions WHERE server_id = $1 AND reason IS NOT NULL',
    [uuid],
  );
  assert.deepEqual(rows, [{ id: gone, reason: 'lost' }]);
  await pool.pg.query('UPDATE tokens SET revoked_at = created_at WHERE id = $1', [as.tokenId]);
  assert.equal((await viewer.closed).reason, 'access_ended');
});

test('a console ends when its time is over', async () => {
  const { viewer } = await openConsole();
  clock.set(clock.now().add({ seconds: 14_400 }));
  assert.deepEqual(await viewer.closed, { code: 4002, reason: 'time_over' });
});
