// Slow: 7 s

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import { createServer, type TLSSocket } from 'node:tls';
import { questionFor } from '../../../../test/contracts/registry.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { clients, eppCertificate, eppOptions, openEpp, trusted } from '../../../../test/epp.ts';
import { SetClock } from '../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { BackendUnavailable } from '../../outcome.ts';
import type { RegistryContact, RegistryOutcome, WantedRegistration } from '../port.ts';
import { EppRegistrar } from './registrar.ts';
import { encodeFrame } from './wire/frame.ts';

const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));
let database: TestDatabase;
let db: Pool;
let epp: Awaited<ReturnType<typeof openEpp>>;
let ours: EppRegistrar;

before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
  epp = await openEpp(db, clock);
  ours = epp.connect('hostkeep');
  done(await ours.register(wanted('standing.com')));
});
after(async () => {
  await epp.close();
  await db.end();
  await database.drop();
});

const ref = (domain: string) => questionFor(domain, 'epp');
const contact: RegistryContact = {
  handle: 'HK-FAULTS',
  type: 'person',
  name: 'Erika Muster',
  organisation: null,
  street: ['Musterweg 1'],
  city: 'Frankfurt',
  region: null,
  zip: '60311',
  country: 'DE',
  phone: '+49.691234567',
  fax: null,
  email: 'erika@example.org',
  disclosed: false,
  extra: {},
};
function wanted(domain: string): WantedRegistration {
  const contacts = { registrant: contact, admin: null, tech: null, billing: null };
  const code = { authcode: 'Code-1-of-many', fee: null };
  return { ...ref(domain), ...contacts, years: 1, nameservers: [], ds: [], ...code, since: clock.now() };
}
function done<Result>(outcome: RegistryOutcome<Result>): Result {
  if (outcome.kind !== 'done') assert.fail(JSON.stringify(outcome));
  return outcome.result;
}
function isUnavailable(because: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof BackendUnavailable, String(error));
    assert.match(String(error.cause), because);
    return true;
  };
}
async function charges(domain: string): Promise<string[]> {
  const { rows } = await db.pg.query<{ kind: string }>(
    'SELECT kind FROM sandbox.registry_charges WHERE domain = $1 ORDER BY id',
    [domain],
  );
  return rows.map(({ kind }) => kind);
}
const coded = (code: number) => (answer: string) =>
  answer
    .replace(/<result[\s\S]*?<\/result>/, `<result code="${code}"><msg>Command failed</msg></result>`)
    .replace(/<(resData|extension)>[\s\S]*<\/\1>/g, '');

test('a registry that says it failed may have done it all the same: nothing is done twice', async () => {
  for (const code of [2400, 2500, 2502]) {
    const order = wanted(`registered-once-${code}.com`);
    epp.proxy.faults.push({ command: '<domain:create', fault: coded(code) });
    await assert.rejects(ours.register(order), isUnavailable(new RegExp(String(code))));
    assert.equal(done(await ours.register(order)).sponsoredHere, true);
    assert.deepEqual(await charges(order.domain), ['create']);
  }
});

test('an answer with the id of another command ends the session, and is believed by nobody', async () => {
  const order = wanted('other-id.com');
  const { connections } = epp.proxy.state;
  const fault = (answer: string) => answer.replace(/<clTRID>.*<\/clTRID>/, '<clTRID>HK-another</clTRID>');
  epp.proxy.faults.push({ command: '<domain:create', fault });
  await assert.rejects(ours.register(order), isUnavailable(/transaction id of another command/));
  assert.equal(done(await ours.register(order)).sponsoredHere, true);
  assert.deepEqual(await charges(order.domain), ['create']);
  assert.equal(epp.proxy.state.connections, connections + 1, 'over a new session');
});

test('a transfer that was through at once, whose answer was lost and that its registry then forgot, is done', async () => {
  const rival = epp.connect('rival');
  const order = wanted('through-at-once.fr');
  done(await rival.register({ ...order, registrant: { ...contact, handle: 'RV-FAULTS' } }));
  clock.set(clock.now().add({ hours: 24 }));
  const { authcode, fee } = order;
  const asked = { ...ref(order.domain), authcode, fee, years: 1, since: clock.now() };
  epp.proxy.faults.push({ command: 'op="request"', fault: 'unanswered' });
  await assert.rejects(ours.requestTransfer(asked), BackendUnavailable);
  epp.proxy.faults.push({ command: 'op="query"', fault: 2301 });
  const transfer = done(await ours.requestTransfer(asked));
  assert.deepEqual([transfer.status, transfer.requestedHere], ['approved', true]);
  assert.deepEqual(await charges(order.domain), ['create', 'transfer']);

  clock.set(clock.now().add({ hours: 24 }));
  epp.proxy.faults.push({ command: 'op="query"', fault: 2301 });
  const later = await ours.requestTransfer({ ...asked, since: clock.now() });
  assert.deepEqual(later, { kind: 'refused', reason: 'state_conflict' }, 'what came before is not this one');
});

test('a queue full of messages is read one by one, and each stays until it is acknowledged', async () => {
  await db.pg.query(
    `INSERT INTO sandbox.registry_messages (registrar, at, text, about)
     SELECT 'hostkeep', $1, 'Note ' || n, jsonb_build_object('kind', 'domain', 'name', 'standing.com',
       'change', 'updated', 'expireAt', null) FROM generate_series(1, 50) n`,
    [clock.now().toString()],
  );
  const seen = new Set<string>();
  epp.proxy.faults.push({ command: 'op="ack"', fault: 'unanswered' });
  for (let message = await ours.nextMessage(); message !== null; message = await ours.nextMessage()) {
    assert.equal((await ours.nextMessage())?.id, message.id, 'asked twice, the same');
    assert.equal(seen.has(message.id), false);
    seen.add(message.id);
    const { id } = message;
    await ours.acknowledge(id).catch(() => ours.acknowledge(id));
  }
  assert.ok(seen.size >= 50);
});

test('what comes in place of a frame ends the session with a clear reason, and the next command works', async () => {
  const header = (length: number) => {
    const octets = Buffer.alloc(4);
    octets.writeUInt32BE(length);
    return octets;
  };
  const bomb = `<?xml version="1.0"?><!DOCTYPE epp [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><epp>&b;</epp>`;
  const bad: readonly (readonly [Buffer, RegExp])[] = [
    [header(0x7fff_ffff), /announces 2147483647 octets/],
    [header(4), /announces no content/],
    [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), /announces \d+ octets/],
    [encodeFrame(bomb), /document type/],
    [encodeFrame('<epp xmlns="urn:ietf:params:xml:ns:epp-1.0">&bomb;</epp>'), /entity/],
    [encodeFrame('<epp'.repeat(3)), /no XML/],
    [encodeFrame('<a>'.repeat(100) + '</a>'.repeat(100)), /nested/],
    [encodeFrame('<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><hello/></epp>'), /no response/],
    [Buffer.concat([header(8), Buffer.from([0xff, 0xfe, 0x3c, 0x00])]), /UTF-8/],
  ];
  for (const [octets, reason] of bad) {
    epp.proxy.faults.push({ command: '<domain:info', fault: () => octets });
    await assert.rejects(ours.info(ref('standing.com')), isUnavailable(reason));
    assert.equal((await ours.info(ref('standing.com')))?.domain, 'standing.com');
  }
});

test('a frame that never ends is given up after the time for an answer', async (t) => {
  const impatient = new EppRegistrar(
    eppOptions('hostkeep', { port: epp.proxy.port, clock }, { answerMs: 5_000 }),
  );
  t.after(() => impatient.close());
  epp.proxy.faults.push({ command: '<domain:info', fault: () => Buffer.from([0, 1, 0, 0, 0x3c]) });
  await assert.rejects(
    impatient.info(ref('standing.com')),
    isUnavailable(/no answer to domain info within 5000 ms/),
  );
});

test('a greeting that is late, a registry that is down, and one that hangs up are told apart', async (t) => {
  const silent = await listen(t, () => {});
  const connect = (port: number, own: Parameters<typeof eppOptions>[2] = {}) => {
    const driver = new EppRegistrar(eppOptions('hostkeep', { port, clock }, own));
    t.after(() => driver.close());
    return driver;
  };
  await assert.rejects(
    connect(silent, { greetingMs: 200 }).greeting(),
    isUnavailable(/no greeting within 200 ms/),
  );
  const closing = await listen(t, (socket) => socket.destroy());
  await assert.rejects(connect(closing).greeting(), isUnavailable(/connection (was closed|failed)/));
  const free = createTcpServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  await assert.rejects(connect(port).greeting(), isUnavailable(/ECONNREFUSED/));
});

test('expired certificates, foreign ones and none at all are refused on both sides', async (t) => {
  const asking = (own: Parameters<typeof eppOptions>[2], port = epp.port) => {
    const driver = new EppRegistrar(eppOptions('hostkeep', { port, clock }, own));
    t.after(() => driver.close());
    return driver.greeting();
  };
  const expired = eppCertificate('hostkeep', [], true);
  await assert.rejects(
    asking({ tls: { ca: trusted, ...expired } }),
    isUnavailable(/certificate|alert|closed/i),
  );
  await assert.rejects(asking({ tls: { ca: trusted } }), isUnavailable(/certificate|alert|closed/i));
  const old = eppCertificate('registry', ['127.0.0.1'], true);
  await assert.rejects(asking({}, await listen(t, () => {}, old)), isUnavailable(/certificate has expired/));
  const named = eppCertificate('registry', ['registry.example']);
  await assert.rejects(
    asking({}, await listen(t, () => {}, named)),
    isUnavailable(/altnames|does not match/i),
  );
  await assert.rejects(asking({ tls: { ca: trusted, ...clients.rival } }), isUnavailable(/2200/));
  await assert.rejects(asking({ password: 'wrong-password' }), isUnavailable(/2200/));
});

test('a log-in that is refused is not tried again at once, whoever asks', async (t) => {
  const pause = { firstMs: 0, longestMs: 0, rejectedMs: 300_000 };
  const own = { password: 'wrong-password', pause };
  const driver = new EppRegistrar(eppOptions('hostkeep', { port: epp.proxy.port, clock }, own));
  t.after(() => driver.close());
  await assert.rejects(driver.greeting(), isUnavailable(/2200/));
  const { connections } = epp.proxy.state;
  await assert.rejects(driver.info(ref('standing.com')), isUnavailable(/2200/));
  await assert.rejects(driver.register(wanted('not-tried.com')), isUnavailable(/2200/));
  assert.equal(epp.proxy.state.connections, connections);
});

/** A server with TLS that answers as it is told. */
async function listen(
  t: TestContext,
  answer: (socket: TLSSocket) => void,
  certificate = eppCertificate('registry', ['127.0.0.1']),
): Promise<number> {
  const sockets = new Set<TLSSocket>();
  const server = createServer({ ...certificate }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    answer(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
