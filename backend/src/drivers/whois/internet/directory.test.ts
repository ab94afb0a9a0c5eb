// Slow: 15 s

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { whoisContract } from '../../../../test/contracts/whois.ts';
import { openRegistries, type RdapAnswer } from '../../../../test/registries.ts';
import { SetClock } from '../../../base/clock.ts';
import { WhoisFailure, type WhoisQuestion, type WhoisRecord, type WhoisSource } from '../port.ts';
import { InternetWhois } from './directory.ts';

const IANA = 'whois.iana.org';
const REGISTRY = 'whois.registry.example';
const REGISTRAR = 'whois.registrar.example';
const RIR = 'whois.rir.example';

const world = await openRegistries([IANA, REGISTRY, REGISTRAR, RIR]);
const { paths, lines, asked, outbound, rdapUrl, whoisPort } = world;
const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));
const open = () => new InternetWhois({ clock, outbound, whoisPort, bootstrapUrl: `${rdapUrl}bootstrap/` });

const json =
  (body: unknown, status = 200): RdapAnswer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/rdap+json' }).end(JSON.stringify(body));

const hang: RdapAnswer = () => {};

const DOMAIN = {
  objectClassName: 'domain',
  ldhName: 'EXAMPLE.TEST1',
  status: ['client transfer prohibited', 'active'],
  events: [
    { eventAction: 'registration', eventDate: '2001-02-03T04:05:06Z' },
    { eventAction: 'last changed', eventDate: '2026-02-03T04:05:06.789Z' },
    { eventAction: 'expiration', eventDate: '2028-02-03T04:05:06Z' },
  ],
  secureDNS: { delegationSigned: true },
  nameservers: [{ objectClassName: 'nameserver', ldhName: 'NS1.EXAMPLE.ORG' }, { ldhName: 7 }, null],
  entities: [
    { roles: ['registrant'], vcardArray: ['vcard', [['fn', {}, 'text', 'Somebody']]] },
    {
      roles: ['registrar'],
      handle: '376',
      publicIds: [{ type: 'IANA Registrar ID', identifier: '376' }],
      vcardArray: [
        'vcard',
        [
          ['version', {}, 'text', '4.0'],
          ['fn', {}, 'text', 'Example\u0000 Registrar'],
        ],
      ],
      links: [{ rel: 'about', href: 'https://registrar.example' }],
      entities: [
        {
          roles: ['abuse'],
          vcardArray: [
            'vcard',
            [
              ['email', {}, 'text', 'abuse@registrar.example'],
              ['tel', { type: 'voice' }, 'uri', 'tel:+1.2015550100'],
            ],
          ],
        },
      ],
    },
  ],
};

const WHOIS_DOMAIN = `Domain Name: EXAMPLE.NAME
Registrar WHOIS Server: ${REGISTRAR}
Registrar: Example Registrar
Creation Date: 2001-02-03T04:05:06Z
Registry Expiry Date: 2028-02-03T04:05:06Z
Domain Status: clientTransferProhibited https://icann.org/epp#clientTransferProhibited
Name Server: NS1.EXAMPLE.ORG
DNSSEC: unsigned
`;

function services(kind: string, entries: readonly string[]): void {
  const body = { version: '1.0', publication: '2027-01-01T00:00:00Z', services: [[entries, [rdapUrl]]] };
  paths.set(`/bootstrap/${kind}.json`, json(body));
}

beforeEach(() => {
  asked.length = 0;
  paths.clear();
  lines.clear();
  services('dns', ['name', 'sub.name']);
  services('ipv4', ['9.0.0.0/8']);
  services('ipv6', ['2620::/23']);
  services('asn', ['1-100', '64496-64511']);
  paths.set('/domain/example.name', json(DOMAIN));
  paths.set('/domain/failing.name', json({ errorCode: 500 }, 500));
  paths.set('/domain/silent.name', hang);
  paths.set(
    '/ip/9.9.9.9',
    json({
      objectClassName: 'ip network',
      startAddress: '9.9.9.0',
      endAddress: '9.9.9.255',
      cidr0_cidrs: [{ v4prefix: '9.9.9.0', length: 24 }],
      name: 'EXAMPLE-NET',
      country: 'CH',
      status: ['active'],
    }),
  );
  paths.set(
    '/ip/2620:fe::fe',
    json({
      objectClassName: 'ip network',
      startAddress: '2620:fe::',
      endAddress: '2620:fe:ffff:ffff:ffff:ffff:ffff:ffff',
      name: 'EXAMPLE-NET6',
      country: 'ch',
    }),
  );
  paths.set(
    '/autnum/64500',
    json({ objectClassName: 'autnum', startAutnum: 64500, endAutnum: 64500, name: 'EX', country: 'DE' }),
  );
  const answering = (answer: (line: string) => string) => (line: string, socket: Socket) =>
    void socket.end(answer(line));
  lines.set(
    IANA,
    answering((line) => (line === 'name' ? `refer: ${REGISTRY}\n\ndomain: NAME\n` : `refer: ${RIR}\n`)),
  );
  lines.set(REGISTRY, (line, socket) => {
    if (line.startsWith('silent')) return;
    if (line.startsWith('failing')) return void socket.end('Too many requests\n');
    socket.end(line === 'example.name' ? WHOIS_DOMAIN : 'No match for domain.\n');
  });
  lines.set(
    REGISTRAR,
    answering(
      () =>
        'Registrar: Other\nRegistrar IANA ID: 376\nUpdated Date: 2026-02-03T04:05:06Z\nCreation Date: 1999-01-01\n',
    ),
  );
  lines.set(
    RIR,
    answering((line) => {
      if (line === 'AS64500') return 'aut-num: AS64500\nas-name: EX\ncountry: DE\n';
      return line.includes(':')
        ? 'inet6num: 2620:fe::/48\nnetname: EXAMPLE-NET6\ncountry: CH\n'
        : 'inetnum: 9.9.9.0 - 9.9.9.255\nnetname: EXAMPLE-NET\ncountry: CH\n';
    }),
  );
});

const lookup = async (
  name: string,
  source: WhoisSource = 'auto',
  deadlineMs = 5_000,
  directory = open(),
): Promise<WhoisRecord> => await directory.lookup({ type: 'domain', name }, source, deadlineMs);

const refused = async (pattern: RegExp, name: string, source: WhoisSource, deadlineMs = 5_000) =>
  await assert.rejects(lookup(name, source, deadlineMs), (error) => {
    assert.ok(error instanceof WhoisFailure, String(error));
    assert.match(error.message, pattern);
    return true;
  });

whoisContract('internet', open, {
  registered: 'example.name',
  free: 'free.name',
  ipv4: '9.9.9.9',
  ipv6: '2620:fe::fe',
  asn: 64500,
  failing: 'failing.name',
  silent: 'silent.name',
});

// RDAP ---------------------------------------------------------------------------------------------------------

test('an RDAP answer in the one shape', async () => {
  const { raw, ...record } = await lookup('example.name', 'rdap');
  assert.deepEqual(JSON.parse(raw), DOMAIN);
  assert.deepEqual(record, {
    source: 'rdap',
    server: 'rdap.example.net',
    registered: true,
    registrar: {
      name: 'Example Registrar',
      ianaId: 376,
      url: 'https://registrar.example',
      abuseEmail: 'abuse@registrar.example',
      abusePhone: '+1.2015550100',
    },
    status: ['client transfer prohibited', 'active'],
    nameservers: ['ns1.example.org'],
    dnssec: true,
    createdAt: Temporal.Instant.from('2001-02-03T04:05:06Z'),
    updatedAt: Temporal.Instant.from('2026-02-03T04:05:06Z'),
    expireAt: Temporal.Instant.from('2028-02-03T04:05:06Z'),
    network: null,
    fetchedAt: clock.now(),
    cached: false,
  });
});

test("IANA's list is fetched once a day, and its copy holds while IANA is down", async () => {
  const directory = open();
  const fetches = () => asked.filter((one) => one === 'rdap /bootstrap/dns.json').length;
  await lookup('example.name', 'rdap', 5_000, directory);
  await lookup('example.name', 'rdap', 5_000, directory);
  assert.equal(fetches(), 1);
  clock.set(clock.now().add({ hours: 24 }));
  paths.set('/bootstrap/dns.json', json({}, 500));
  assert.equal((await lookup('example.name', 'rdap', 5_000, directory)).registered, true);
  assert.equal(fetches(), 2);
  clock.set(clock.now().add({ hours: 1 }));
  await lookup('example.name', 'rdap', 5_000, directory);
  assert.equal(fetches(), 3);
  // Without any list of IANA's, the copy leads to the real registry, which this world does not reach.
  await refused(/not public/, 'example.com', 'rdap');
});

test('the narrowest entry decides whom to ask', async () => {
  const other = rdapUrl.replace(/\/$/, '/narrow/');
  const body = {
    publication: '',
    services: [
      [['name'], [rdapUrl]],
      [['sub.name'], ['http://plain.example/', other]],
    ],
  };
  paths.set('/bootstrap/dns.json', json(body));
  paths.set('/narrow/domain/a.sub.name', json(DOMAIN));
  assert.equal((await lookup('a.sub.name', 'rdap')).registered, true);
  assert.ok(asked.includes('rdap /narrow/domain/a.sub.name'));
});

test('where nobody is named for RDAP, WHOIS answers; asked for RDAP alone, nobody does', async () => {
  services('dns', ['other']);
  assert.equal((await lookup('example.name')).source, 'whois');
  await refused(/no RDAP server is known/, 'example.name', 'rdap');
});

test('where RDAP fails, whichever way, WHOIS answers', async () => {
  const broken: Readonly<Record<string, RdapAnswer>> = {
    status: json({}, 503),
    limited: json({}, 429),
    page: (response) => void response.end('<html>'),
    other: json({ objectClassName: 'entity' }),
    closed: (response) => void response.destroy(),
  };
  for (const [what, answer] of Object.entries(broken)) {
    paths.set('/domain/example.name', answer);
    assert.equal((await lookup('example.name')).source, 'whois', what);
    await assert.rejects(lookup('example.name', 'rdap'), WhoisFailure, what);
  }
});

test('an RDAP server that hangs leaves WHOIS its time', async () => {
  paths.set('/domain/example.name', hang);
  assert.equal((await lookup('example.name', 'auto', 10_000)).source, 'whois');
});

test('a redirect is followed, and no more than three', async () => {
  const to =
    (location: string): RdapAnswer =>
    (response) =>
      void response.writeHead(302, { location }).end();
  paths.set('/domain/moved.name', to('/domain/moved-on.name'));
  paths.set('/domain/moved-on.name', to(`${rdapUrl}domain/example.name`));
  assert.equal((await lookup('moved.name', 'rdap')).registered, true);
  paths.set('/domain/circle.name', to('/domain/circle.name'));
  await refused(/more than 3 times/, 'circle.name', 'rdap');
});

test('a packed answer is unpacked', async () => {
  paths.set('/domain/example.name', (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(DOMAIN)));
  });
  assert.equal((await lookup('example.name', 'rdap')).registered, true);
});

// WHOIS --------------------------------------------------------------------------------------------------------

test('WHOIS goes from IANA to the registry to the registrar, who fills what the registry did not say', async () => {
  const record = await lookup('example.name', 'whois');
  assert.deepEqual(asked, [`${IANA} name`, `${REGISTRY} example.name`, `${REGISTRAR} example.name`]);
  assert.equal(record.server, REGISTRY);
  assert.equal(record.registrar?.name, 'Example Registrar');
  assert.equal(record.registrar.ianaId, 376);
  assert.deepEqual(record.createdAt, Temporal.Instant.from('2001-02-03T04:05:06Z'));
  assert.deepEqual(record.updatedAt, Temporal.Instant.from('2026-02-03T04:05:06Z'));
  assert.match(
    record.raw,
    new RegExp(`^# ${REGISTRY}\nDomain Name: EXAMPLE.NAME[^]*\n# ${REGISTRAR}\nRegistrar: Other`),
  );
});

test('a registrar who does not answer takes nothing from what the registry said', async () => {
  lines.set(REGISTRAR, (_, socket) => void socket.destroy());
  const record = await lookup('example.name', 'whois');
  assert.deepEqual([record.registered, record.registrar?.ianaId], [true, null]);
});

test('referrals end: in a circle, after four servers, and at ports and hosts that are none', async () => {
  lines.set(REGISTRAR, (_, socket) => void socket.end(`Registrar WHOIS Server: ${REGISTRY}\n`));
  await lookup('example.name', 'whois');
  assert.equal(asked.length, 3);
  for (const referral of [
    'whois.registrar.example:25',
    'localhost',
    '127.0.0.1',
    'rwhois://r.example:4321',
    'a b',
  ]) {
    asked.length = 0;
    lines.set(REGISTRY, (_, socket) => void socket.end(`Registrar: A\nReferralServer: ${referral}\n`));
    assert.equal((await lookup('example.name', 'whois')).registered, true, referral);
    assert.equal(asked.length, 2, referral);
  }
});

test('a TLD without a WHOIS server is no answer; the TLD itself is one', async () => {
  lines.set(IANA, (_, socket) => void socket.end('domain: ZZ\nstatus: ACTIVE\ncreated: 1999-01-01\n'));
  await refused(/knows no WHOIS server/, 'example.zz', 'whois');
  assert.equal((await lookup('zz', 'whois')).registered, true);
});

test('what is not UTF-8 is read all the same', async () => {
  lines.set(REGISTRY, (_, socket) => void socket.end(Buffer.from('Registrar: M\xfcller\n', 'latin1')));
  assert.equal((await lookup('example.name', 'whois')).registrar?.name, 'Müller');
});

// Hostile servers ----------------------------------------------------------------------------------------------

const MIB = 1024 * 1024;

/** Sends for as long as somebody reads. */
function endless(
  stream: { write(part: Buffer): boolean; on(event: 'drain' | 'error', call: () => void): unknown },
  part: Buffer,
) {
  const more = () => {
    for (let count = 0; count < 64 && stream.write(part); count += 1);
  };
  stream.on('error', () => {});
  stream.on('drain', more);
  more();
}

test('an answer that never ends is cut off, by length or by time', async () => {
  paths.set('/domain/hostile.name', (response) => endless(response, Buffer.alloc(16 * 1024, ' ')));
  await refused(/longer than 256 KiB/, 'hostile.name', 'rdap');
  lines.set(REGISTRY, (_, socket) => endless(socket, Buffer.from('Registrar: A\n'.repeat(1_000))));
  await refused(/longer than 256 KiB/, 'hostile.name', 'whois');

  paths.set('/domain/hostile.name', (response) => void response.writeHead(200).write('{'));
  await refused(/no answer within/, 'hostile.name', 'rdap', 5_000);
  lines.set(REGISTRY, (_, socket) => void socket.write('Registrar: A\n'));
  await refused(/did not answer in time/, 'hostile.name', 'whois', 5_000);
});

test('a small answer that unpacks to a large one is cut off', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * MIB, ' '));
  assert.ok(bomb.length < 256 * 1024);
  paths.set('/domain/hostile.name', (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });
  await refused(/longer than 256 KiB/, 'hostile.name', 'rdap');
  paths.set('/domain/hostile.name', (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(bomb));
  });
  await refused(/packed in a way that nobody asked for/, 'hostile.name', 'rdap');
});

test('a redirect to where the world has no business is not followed', async () => {
  const redirect = (location: string) =>
    paths.set('/domain/hostile.name', (response) => void response.writeHead(302, { location }).end());
  const inward = [
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/',
    'https://3232235521/',
  ];
  for (const location of [...inward, 'https://metadata.example/']) {
    redirect(location);
    await refused(/not public/, 'hostile.name', 'rdap');
  }
  for (const location of [
    'http://rdap.example.net/',
    'file:///etc/passwd',
    'https://localhost/',
    'https://a@b.example/',
  ]) {
    redirect(location);
    await refused(/not one that requests may go to/, 'hostile.name', 'rdap');
  }
});

test('a referral to where the world has no business is not followed', async () => {
  lines.set(IANA, (_, socket) => void socket.end('refer: whois.inside.example\n'));
  await refused(/not public/, 'hostile.name', 'whois');
});

test('a line of a megabyte is cut off; one that fits is read past', async () => {
  lines.set(REGISTRY, (_, socket) => endless(socket, Buffer.alloc(16 * 1024, 'a')));
  await refused(/longer than 256 KiB/, 'hostile.name', 'whois');
  lines.set(REGISTRY, (_, socket) => void socket.end(`${' '.repeat(100_000)}:\nRegistrar: A\n`));
  assert.equal((await lookup('hostile.name', 'whois')).registrar?.name, 'A');
});

test('JSON that is nested a hundred thousand deep is no answer', async () => {
  const deep = `{"objectClassName":"domain","entities":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  paths.set('/domain/hostile.name', (response) => void response.end(deep));
  await lookup('hostile.name', 'rdap').catch((error) => assert.ok(error instanceof WhoisFailure));
  const entities = `${'{"entities":['.repeat(15_000)}${']}'.repeat(15_000)}`;
  paths.set(
    '/domain/hostile.name',
    (response) => void response.end(`{"objectClassName":"domain","entities":[${entities}]}`),
  );
  assert.equal((await lookup('hostile.name', 'rdap')).registrar, null);
});

test('questions are asked as they are: a question is one line', async () => {
  const question: WhoisQuestion = { type: 'asn', number: 64500 };
  await open().lookup(question, 'whois', 5_000);
  assert.deepEqual(asked, [`${IANA} AS64500`, `${RIR} AS64500`]);
});
