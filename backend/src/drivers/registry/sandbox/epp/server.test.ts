import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, type TestContext, test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { createTestDatabase, type TestDatabase } from '../../../../../test/database.ts';
import { clients, openEpp, type Registrar, trusted } from '../../../../../test/epp.ts';
import { assertValidEpp } from '../../../../../test/xmllint.ts';
import { SetClock } from '../../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../../db/migrate.ts';
import { Pool } from '../../../../db/pool.ts';
import { encodeFrame, FrameReader } from '../../epp/wire/frame.ts';

let database: TestDatabase;
let db: Pool;
let epp: Awaited<ReturnType<typeof openEpp>>;
const answers: string[] = [];

before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
  epp = await openEpp(db, new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z')));
});
after(async () => {
  await epp.close();
  await db.end();
  await database.drop();
});

const EPP = 'xmlns="urn:ietf:params:xml:ns:epp-1.0"';
const DOMAIN = 'xmlns:domain="urn:ietf:params:xml:ns:domain-1.0"';
const command = (inner: string) => `<epp ${EPP}><command>${inner}<clTRID>TEST-1</clTRID></command></epp>`;
const login = (extensions = '', registrar = 'hostkeep', password = 'hostkeep-sandbox') =>
  command(
    `<login><clID>${registrar}</clID><pw>${password}</pw><options><version>1.0</version><lang>en</lang></options>
    <svcs><objURI>urn:ietf:params:xml:ns:domain-1.0</objURI>${extensions}</svcs></login>`,
  );
const check = command(
  `<check><domain:check ${DOMAIN}><domain:name>x-name.com</domain:name></domain:check></check>`,
);

test('what a server of EPP does not do is answered with the code for that', async (t) => {
  const peer = await open(t);
  const cases: readonly (readonly [number, string])[] = [
    [2001, 'no xml at all'],
    [2001, `<!DOCTYPE epp [<!ENTITY a "b">]><epp ${EPP}>&a;</epp>`],
    [2001, `<epp xmlns="urn:other"><hello/></epp>`],
    [2001, `<epp ${EPP}/>`],
    [2002, check],
    [2002, command('<logout/>')],
    [2200, login('', 'hostkeep', 'wrong-password')],
    [2100, login().replace('1.0</version>', '2.0</version>')],
    [2102, login().replace('>en<', '>de<')],
    [2307, login('<svcExtension><extURI>urn:unknown</extURI></svcExtension>')],
    [1000, login()],
    [2002, login()],
    [1000, check],
    [2000, command(`<poke><domain:poke ${DOMAIN}/></poke>`)],
    [2001, command(`<check><domain:info ${DOMAIN}/></check>`)],
    [2003, command('<check/>')],
    [2003, command(`<info><domain:info ${DOMAIN}/></info>`)],
    [
      2003,
      command(`<create><domain:create ${DOMAIN}><domain:name>a-b.com</domain:name></domain:create></create>`),
    ],
    [2303, command(`<info><domain:info ${DOMAIN}><domain:name>a-b.com</domain:name></domain:info></info>`)],
    [2307, command('<info><host:info xmlns:host="urn:ietf:params:xml:ns:host-1.0"/></info>')],
    [2307, command('<info><x:info xmlns:x="urn:x"/></info>')],
    [2103, check.replace('<clTRID>', '<extension><x:x xmlns:x="urn:x"/></extension><clTRID>')],
    [
      2306,
      check.replace('<domain:name>', `${'<domain:name>y-name.com</domain:name>'.repeat(100)}<domain:name>`),
    ],
    [1300, command('<poll op="req"/>')],
    [2303, command('<poll op="ack" msgID="999"/>')],
    [2001, command('<poll op="look"/>')],
  ];
  for (const [code, document] of cases) assert.equal(await peer.ask(document), code, document);
  assert.equal(await peer.ask(command('<logout/>')), 1500);
  await peer.closed;
});

test('hello is answered with the greeting, before and after the log-in', async (t) => {
  const peer = await open(t);
  const hello = `<epp ${EPP}><hello/></epp>`;
  assert.match(await peer.send(hello), /<greeting>/);
  assert.equal(await peer.ask(login()), 1000);
  assert.match(await peer.send(hello), /<greeting>/);
});

test('after three log-ins that fail the server hangs up', async (t) => {
  const peer = await open(t);
  const wrong = login('', 'hostkeep', 'wrong-password');
  assert.deepEqual([await peer.ask(wrong), await peer.ask(wrong), await peer.ask(wrong)], [2200, 2200, 2501]);
  await peer.closed;
});

test('a registrar comes with their own certificate only', async (t) => {
  const peer = await open(t, 'rival');
  assert.equal(await peer.ask(login()), 2200);
  assert.equal(await peer.ask(login('', 'rival', 'rival-sandbox')), 1000);
});

test('a frame that is too large or no text is the last of its connection', async (t) => {
  for (const octets of [Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.from([0, 0, 0, 5, 0xff])]) {
    const peer = await open(t);
    assert.equal(await peer.ask(octets), 2500);
    await peer.closed;
  }
});

test('commands that come together are answered one after another', async (t) => {
  const peer = await open(t);
  const documents = [login(), check, command('<poll op="req"/>')];
  const frames = Buffer.concat(documents.map((document) => encodeFrame(document)));
  assert.equal(await peer.ask(frames), 1000);
  assert.match(await peer.next(), /chkData/);
  assert.match(await peer.next(), /code="1300"/);
});

test('what a client did not log in for is kept from them, or told as RFC 9038 says', async (t) => {
  const priced = check.replace(
    '<clTRID>',
    '<extension><fee:check xmlns:fee="urn:ietf:params:xml:ns:epp:fee-1.0"><fee:command name="create"/></fee:check></extension><clTRID>',
  );
  const plain = await open(t);
  assert.equal(await plain.ask(login()), 1000);
  assert.equal(await plain.ask(priced), 2103);
  const fees = await open(t);
  const fee = '<svcExtension><extURI>urn:ietf:params:xml:ns:epp:fee-1.0</extURI></svcExtension>';
  assert.equal(await fees.ask(login(fee)), 1000);
  assert.match(await fees.send(priced), /<fee:fee>8.00<\/fee:fee>/);
});

test('every answer is valid under the schemas of EPP', async () => {
  assert.ok(answers.length > 40);
  await assertValidEpp(answers);
});

/** A connection past its greeting. */
async function open(t: TestContext, registrar: Registrar = 'hostkeep') {
  const socket: TLSSocket = connect({
    host: '127.0.0.1',
    port: epp.port,
    ca: trusted,
    ...clients[registrar],
  });
  t.after(() => socket.destroy());
  const reader = new FrameReader();
  const arrived: string[] = [];
  let waiting: ((document: string) => void) | null = null;
  socket.on('data', (chunk: Buffer) => {
    for (const document of reader.read(chunk)) {
      answers.push(document);
      if (waiting === null) arrived.push(document);
      else waiting(document);
      waiting = null;
    }
  });
  const next = () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const first = arrived.shift();
    if (first !== undefined) return Promise.resolve(first);
    waiting = resolve;
    socket.once('close', () => reject(new Error('the connection was closed')));
    return promise;
  };
  const send = (asked: string | Buffer) => {
    socket.write(typeof asked === 'string' ? encodeFrame(asked) : asked);
    return next();
  };
  assert.match(await next(), /<greeting>/);
  return {
    next,
    send,
    ask: async (asked: string | Buffer) => Number(/code="(\d+)"/.exec(await send(asked))?.[1]),
    closed: once(socket, 'close'),
  };
}
