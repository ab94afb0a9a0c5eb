import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { NO_LOOKUPS } from '../../../test/lookups.ts';
import { openRequests } from '../../../test/requests.ts';
import { RememberedWhois } from '../../drivers/whois/remembered.ts';
import { SandboxWhois } from '../../drivers/whois/sandbox/whois.ts';

const fixture = await openFixture();
const { clock } = fixture;
const { secret: token } = await fixture.customer(0n);
const whois = new RememberedWhois(new SandboxWhois({ clock }), { clock });
const { data, refused } = openRequests(fixture, { ports: { ...NO_LOOKUPS, whois } as never });

test('a domain, in the one shape', async () => {
  assert.deepEqual(await data('tools/whois', { query: 'www.Example.COM' }, { token }), {
    query: 'example.com',
    type: 'domain',
    source: 'rdap',
    server: 'rdap.sandbox.example',
    registered: true,
    registrar: {
      name: 'Sandbox Registrar',
      iana_id: 9999,
      url: 'https://registrar.sandbox.example',
      abuse_email: 'abuse@registrar.sandbox.example',
      abuse_phone: '+49.30901820',
    },
    status: ['client transfer prohibited'],
    nameservers: ['ns1.sandbox.example', 'ns2.sandbox.example'],
    dnssec: false,
    created_at: '2020-01-15 12:00:00',
    updated_at: '2026-01-15 12:00:00',
    expire_at: '2030-01-15 12:00:00',
    network: null,
    raw: null,
    cached: false,
    fetched_at: '2027-01-15 12:00:00',
  });
});

test('asked again, it is remembered; the raw answer comes on request', async () => {
  const input = { query: 'remembered.com', source: 'whois' };
  const first = await data('tools/whois', input, { token });
  const second = await data('tools/whois', { ...input, raw: true }, { token });
  assert.deepEqual([first.cached, first.raw], [false, null]);
  assert.deepEqual([second.cached, second.raw], [true, 'Sandbox: remembered.com\r\n']);
});

test('addresses, systems, and names that are not registered', async () => {
  const told = async (query: string) => {
    const { type, registered, network } = await data('tools/whois', { query }, { token });
    return [type, registered, network?.cidr ?? null];
  };
  assert.deepEqual(await told('9.9.9.9'), ['ipv4', true, '9.9.0.0/16']);
  assert.deepEqual(await told('2620:FE::FE'), ['ipv6', true, '2620::/16']);
  assert.deepEqual(await told('as3320'), ['asn', true, 'AS3320']);
  assert.deepEqual(await told('free-test.com'), ['domain', false, null]);
});

test('what nobody can register is answered here, and nobody is asked', async () => {
  const quiet = openRequests(fixture, { ports: NO_LOOKUPS as never });
  for (const query of ['10.0.0.1', '127.0.0.1', 'fe80::1', 'AS64512', 'nas.internal', 'router.home.arpa']) {
    const answer = await quiet.data('tools/whois', { query }, { token });
    assert.deepEqual([answer.source, answer.server, answer.registered], ['local', '', null], query);
  }
});

test('a registry that fails is named, with what went wrong', async () => {
  const { backend, reason } = await refused(
    'backend_error',
    'tools/whois',
    { query: 'failing.com' },
    { token },
  );
  assert.deepEqual([backend, reason], ['rdap.sandbox.example', 'the sandbox fails for names like this']);
});

test('an account asks thirty times a minute, with whichever token', async () => {
  const { secret } = await fixture.customer(0n);
  for (let count = 0; count < 30; count += 1) {
    await data('tools/whois', { query: 'example.com' }, { token: secret });
  }
  await refused('rate_limited', 'tools/whois', { query: 'example.com' }, { token: secret });
  await data('tools/whois', { query: '10.0.0.1' }, { token: secret });
  await data('tools/whois', { query: 'example.com' }, { token });
});

test('what is none of these is refused', async () => {
  for (const query of [
    '',
    'a b',
    '1.2.3',
    'AS4294967296',
    'example.com\r\nhelp',
    '9.9.9.0/24',
    '-x.com',
    'x'.repeat(301),
  ]) {
    await refused('validation_failed', 'tools/whois', { query }, { token });
  }
});
