import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { delv } from '../../../../test/delv.ts';
import { dig } from '../../../../test/dig.ts';
import { until } from '../../../../test/until.ts';
import { systemClock } from '../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import type { RrSet } from '../port.ts';
import { askByTcp, askByUdp, rcodeOf } from '../question.ts';
import { SandboxDns } from './dns.ts';
import { type SandboxServer, startSandboxServer } from './server.ts';

const ZONE = 'example.com';
const [NOERROR, FORMERR, NXDOMAIN, NOTIMP, REFUSED, BADVERS] = [0, 1, 3, 4, 5, 16];

let database: TestDatabase;
let db: Pool;
let server: SandboxServer;
let dns: SandboxDns;
const errors: unknown[] = [];

const set = (name: string, type: string, ...records: readonly string[]): RrSet => ({
  name: name === '@' ? ZONE : `${name}.${ZONE}`,
  type,
  ttl: 300,
  records,
});

// The zone of RFC 4592 §2.2.1, and more.
const RRSETS: readonly RrSet[] = [
  set('*', 'TXT', '"this is a wildcard"'),
  set('*', 'MX', '10 host1.example.com.'),
  set('sub.*', 'TXT', '"this is not a wildcard"'),
  set('host1', 'A', '192.0.2.1'),
  set('_ssh._tcp.host1', 'SRV', '0 0 22 host1.example.com.'),
  set('_ssh._tcp.host2', 'SRV', '0 0 22 host2.example.com.'),
  set('subdel', 'NS', 'ns.example.com.', 'ns.subdel.example.com.'),
  set('ns.subdel', 'A', '192.0.2.53'),
  set('ns.subdel', 'AAAA', '2001:db8::53'),
  set('ns', 'A', '192.0.2.54'),
  set('safe', 'NS', 'ns.example.net.'),
  set('safe', 'DS', `1 13 2 ${'ab'.repeat(32)}`),
  set('chain1', 'CNAME', 'chain2.example.com.'),
  set('chain2', 'CNAME', 'host1.example.com.'),
  set('away', 'CNAME', 'www.example.net.'),
  set('loop1', 'CNAME', 'loop2.example.com.'),
  set('loop2', 'CNAME', 'loop1.example.com.'),
  set('nowhere', 'CNAME', 'a.host1.example.com.'),
  set('big', 'TXT', ...Array.from({ length: 30 }, (_, at) => `"${String(at).padStart(100, 'x')}"`)),
];

before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
  const options = { db, clock: systemClock, onError: (error: unknown) => void errors.push(error) };
  server = await startSandboxServer({ address: '127.0.0.1', port: 0 }, options);
  dns = new SandboxDns({ db, clock: systemClock, server });
  await dns.ensureZone({ zone: ZONE, rrsets: RRSETS, nameservers: ['ns1.dns.example'], dnssec: false });
});
after(async () => {
  await server.close();
  await db.end();
  await database.drop();
  assert.deepEqual(errors, []);
});

/** Header line, answers, authority and additional as `dig` shows them, names without the zone for short. */
async function asked(name: string, type: string, ...flags: string[]) {
  const lines = await dig(server, name === '@' ? ZONE : `${name}.${ZONE}`, type, ...flags);
  const text = lines.join('\n');
  const section = (title: string) =>
    (text.split(`;; ${title} SECTION:\n`)[1]?.split('\n;;')[0] ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replaceAll(/\s+/g, ' ').replaceAll(/\.?example\.com\./g, '.'));
  return {
    status: /status: (\w+)/.exec(text)?.[1],
    flags: /flags: ([a-z ]*);/.exec(text)?.[1]?.split(' ') ?? [],
    answer: section('ANSWER'),
    authority: section('AUTHORITY'),
    additional: section('ADDITIONAL'),
  };
}

const answersOf = async (name: string, type: string) => {
  const { status, answer } = await asked(name, type);
  return [status, ...answer];
};

test('wildcards match as RFC 4592 §2.2.1 says', async () => {
  assert.deepEqual(await answersOf('host3', 'MX'), ['NOERROR', 'host3. 300 IN MX 10 host1.']);
  assert.deepEqual(await answersOf('host3', 'A'), ['NOERROR']);
  assert.deepEqual(await answersOf('foo.bar', 'TXT'), [
    'NOERROR',
    'foo.bar. 300 IN TXT "this is a wildcard"',
  ]);
  assert.deepEqual(await answersOf('host1', 'MX'), ['NOERROR']);
  assert.deepEqual(await answersOf('sub.*', 'MX'), ['NOERROR']);
  assert.deepEqual(await answersOf('_telnet._tcp.host1', 'SRV'), ['NXDOMAIN']);
  assert.deepEqual(await answersOf('ghost.*', 'MX'), ['NXDOMAIN']);
  assert.deepEqual(await answersOf('_tcp.host2', 'A'), ['NOERROR']);
});

test('what is not there is denied with the SOA, for as long as its last field says', async () => {
  const [soa] = (await asked('a.host1', 'A')).authority;
  assert.match(soa ?? '', /^\. 900 IN SOA ns1\.dns\.example\. hostmaster\. \d+ 10800 3600 1209600 900$/);
  assert.deepEqual((await asked('host1', 'MX')).authority, [soa]);
  assert.deepEqual((await asked('a.host1', 'A')).status, 'NXDOMAIN');
});

test('aliases are followed inside the zone, and end where they leave it, or turn in a circle', async () => {
  assert.deepEqual(await answersOf('chain1', 'A'), [
    'NOERROR',
    'chain1. 300 IN CNAME chain2.',
    'chain2. 300 IN CNAME host1.',
    'host1. 300 IN A 192.0.2.1',
  ]);
  assert.deepEqual(await answersOf('chain1', 'CNAME'), ['NOERROR', 'chain1. 300 IN CNAME chain2.']);
  assert.deepEqual(await answersOf('away', 'A'), ['NOERROR', 'away. 300 IN CNAME www.example.net.']);
  assert.equal((await answersOf('loop1', 'A')).length, 3);
  assert.deepEqual((await answersOf('nowhere', 'A'))[0], 'NXDOMAIN');
});

test('a delegation is a referral with its glue, without authority; its DS is ours', async () => {
  for (const [name, type] of [
    ['subdel', 'NS'],
    ['www.subdel', 'A'],
    ['ns.subdel', 'A'],
  ] as const) {
    const { flags, answer, authority, additional } = await asked(name, type);
    assert.equal(flags.includes('aa'), false);
    assert.deepEqual(answer, []);
    assert.deepEqual(authority, ['subdel. 300 IN NS ns.', 'subdel. 300 IN NS ns.subdel.']);
    assert.deepEqual(additional.toSorted(), [
      'ns. 300 IN A 192.0.2.54',
      'ns.subdel. 300 IN A 192.0.2.53',
      'ns.subdel. 300 IN AAAA 2001:db8::53',
    ]);
  }
  const ds = await asked('safe', 'DS');
  assert.deepEqual([ds.flags.includes('aa'), ds.answer.length], [true, 1]);
  assert.equal((await asked('subdel', 'DS')).authority[0]?.includes('SOA'), true);
});

test('a name is the same in any case, and the answer repeats the case of the question', async () => {
  const lines = await dig(server, '+noall', '+answer', 'HoSt1.eXample.COM', 'A');
  assert.deepEqual(
    lines.map((line) => line.split(/\s+/)),
    [['HoSt1.eXample.COM.', '300', 'IN', 'A', '192.0.2.1']],
  );
});

test('what does not fit is truncated by UDP and whole by TCP', async () => {
  const signal = AbortSignal.timeout(60_000);
  const question = { name: `big.${ZONE}`, type: 'TXT' } as const;
  const short = await askByUdp(server, question, signal);
  assert.deepEqual([short.flag_tc, short.answers], [true, []]);
  assert.equal((await askByTcp(server, question, signal)).answers?.length, 30);
  assert.equal((await dig(server, '+short', question.name, 'TXT')).length, 30);
  assert.equal((await dig(server, '+short', '+noedns', '+ignore', question.name, 'TXT')).length, 0);
});

test('several questions on one connection are answered in order', async () => {
  const names = ['host1', 'ns', 'host1'].map((name) => `${name}.${ZONE}`);
  const lines = await dig(server, '+tcp', '+keepopen', '+short', ...names);
  assert.deepEqual(lines, ['192.0.2.1', '192.0.2.54', '192.0.2.1']);
});

test('ANY shows nothing to amplify (RFC 8482); transfers, other classes and other zones are refused', async () => {
  assert.deepEqual(await answersOf('host1', 'ANY'), ['NOERROR', 'host1. 3600 IN HINFO "RFC8482" ""']);
  assert.equal(
    (await dig(server, '+tcp', ZONE, 'AXFR')).some((line) => line.includes('Transfer failed')),
    true,
  );
  assert.equal((await asked('host1', 'A', '-c', 'CH')).status, 'REFUSED');
  assert.equal(
    rcodeOf(await askByUdp(server, { name: 'example.org', type: 'A' }, AbortSignal.timeout(60_000))),
    REFUSED,
  );
});

const QUERY = Buffer.from('abcd00000001000000000000076578616d706c6503636f6d0000010001', 'hex');
const changed = (at: number, ...octets: number[]) => {
  const query = Buffer.from(QUERY);
  query.set(octets, at);
  return query;
};
const opt = (version: number) => Buffer.from([0, 0, 41, 4, 208, 0, version, 0, 0, 0, 0]);

async function rcodeFor(query: Buffer): Promise<number> {
  const socket = createSocket('udp4');
  try {
    const answered = once(socket, 'message', { signal: AbortSignal.timeout(60_000) });
    socket.send(query, server.port, server.address);
    const [answer]: Buffer[] = await answered;
    assert.deepEqual(answer?.subarray(0, 2), query.subarray(0, 2));
    const extended = query.length > QUERY.length ? (answer?.at(-6) ?? 0) << 4 : 0;
    return extended | ((answer?.[3] ?? 0) & 0xf);
  } finally {
    socket.close();
  }
}

test('a broken query is answered with what is wrong with it', async () => {
  assert.equal(await rcodeFor(QUERY), NOERROR);
  assert.equal(await rcodeFor(changed(2, 0x28)), NOTIMP);
  assert.equal(await rcodeFor(changed(5, 2)), FORMERR);
  assert.equal(await rcodeFor(changed(5, 0)), FORMERR);
  assert.equal(await rcodeFor(changed(12, 0xc0, 0x0c)), FORMERR);
  assert.equal(await rcodeFor(changed(12, 0x3f)), FORMERR);
  assert.equal(await rcodeFor(QUERY.subarray(0, -3)), FORMERR);
  assert.equal(await rcodeFor(QUERY.subarray(0, 12)), FORMERR);
  assert.equal(await rcodeFor(changed(11, 1)), FORMERR);
  assert.equal(await rcodeFor(Buffer.concat([changed(11, 1), opt(0)])), NOERROR);
  assert.equal(await rcodeFor(Buffer.concat([changed(11, 1), opt(1)])), BADVERS);
  assert.equal((await rcodeFor(Buffer.concat([changed(11, 2), opt(0), opt(0)]))) & 0xf, FORMERR);
  assert.equal((await rcodeFor(Buffer.concat([changed(11, 1), opt(0).subarray(0, 8)]))) & 0xf, FORMERR);
});

test('rubbish by UDP and TCP changes nothing: the next question is answered', async () => {
  const socket = createSocket('udp4');
  for (let at = 0; at < 2_000; at++) {
    const query = at % 2 === 0 ? randomBytes(at % 600) : Buffer.concat([QUERY, randomBytes(at % 40)]);
    if (at % 2 === 1) query[12 + (at % (query.length - 12))] = at & 0xff;
    socket.send(query, server.port, server.address);
  }
  const ends = Array.from({ length: 20 }, async (_, at) => {
    const open = connect(server.port, server.address);
    open.on('error', () => {}).resume();
    open.end(randomBytes(at * 10));
    await once(open, 'close');
  });
  await Promise.all(ends);
  assert.equal(await rcodeFor(QUERY), NOERROR);
  socket.close();
});

test('responses are never answered, so that nobody can have two servers talk to each other', async () => {
  const socket = createSocket('udp4');
  const seen: Buffer[] = [];
  socket.on('message', (message) => void seen.push(message));
  socket.send(changed(2, 0x80), server.port, server.address);
  socket.send(QUERY, server.port, server.address);
  await once(socket, 'message');
  await once(socket, 'message', { signal: AbortSignal.timeout(100) }).catch(() => {});
  assert.equal(seen.length, 1);
  socket.close();
});

test('a port that is taken is told, and what was opened is closed', async () => {
  await assert.rejects(startSandboxServer(server, { db, clock: systemClock, onError: () => {} }), {
    code: 'EADDRINUSE',
  });
});

test('a port that is free for TCP and taken for UDP is told, and neither stays open', async (t) => {
  const taken = createSocket('udp4').bind(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address();
  const open = () => process.getActiveResourcesInfo().filter((kind) => kind === 'UDPWrap').length;
  const before = open();
  for (let attempt = 0; attempt < 10; attempt += 1)
    await assert.rejects(
      startSandboxServer({ address: '127.0.0.1', port }, { db, clock: systemClock, onError: () => {} }),
      {
        code: 'EADDRINUSE',
      },
    );
  // Closed sockets leave in a later turn of the event loop.
  await until(
    async () => (open() <= before ? true : null),
    () => `${open()} sockets, ${before} before`,
    20,
  );
});

test('delv validates every answer of a signed zone against its DS: there, not there, wildcard, delegated', async () => {
  const outcome = await dns.ensureDnssec(ZONE, true);
  assert.ok(outcome.kind === 'done');
  const ask = (name: string, type: string) => delv(server, ZONE, outcome.result.ds, name, type);
  for (const [name, type] of [
    [ZONE, 'SOA'],
    [ZONE, 'DNSKEY'],
    [`host1.${ZONE}`, 'A'],
    [`safe.${ZONE}`, 'DS'],
  ] as const)
    assert.match(await ask(name, type), /; fully validated/, `${name} ${type}`);
  assert.match(await ask(`host3.${ZONE}`, 'MX'), /; fully validated/);
  assert.match(await ask(`chain1.${ZONE}`, 'A'), /; fully validated/);
  for (const [name, type] of [
    ['host1', 'MX'],
    ['host3', 'A'],
    ['a.host1', 'A'],
    ['_tcp.host2', 'A'],
    ['ghost.*', 'MX'],
    ['subdel', 'DS'],
  ])
    assert.match(
      await ask(`${name}.${ZONE}`, type ?? ''),
      /; negative response, fully validated/,
      `${name} ${type}`,
    );
  await dns.ensureDnssec(ZONE, false);
});

test('who does not ask for signatures gets none', async () => {
  await dns.ensureDnssec(ZONE, true);
  const { answer, authority } = await asked('host1', 'A', '+nodnssec');
  assert.deepEqual([answer.length, authority.length], [1, 0]);
  assert.equal((await asked('host1', 'A', '+dnssec')).answer.length, 2);
  await dns.ensureDnssec(ZONE, false);
});

test('the child’s apex is the child’s, and its DS the parent’s, where both are served here', async () => {
  const child = `child.${ZONE}`;
  await dns.ensureRrSets({
    zone: ZONE,
    rrsets: [set('child', 'NS', 'ns1.dns.example.'), set('child', 'DS', `7 13 2 ${'cd'.repeat(32)}`)],
  });
  await dns.ensureZone({ zone: child, rrsets: [], nameservers: ['ns1.dns.example'], dnssec: false });
  assert.equal((await asked('child', 'SOA')).answer.length, 1);
  assert.match((await asked('child', 'DS')).answer[0] ?? '', /DS 7 13 2/);
  assert.equal(
    rcodeOf(await askByUdp(server, { name: `x.${child}`, type: 'A' }, AbortSignal.timeout(60_000))),
    NXDOMAIN,
  );
});
