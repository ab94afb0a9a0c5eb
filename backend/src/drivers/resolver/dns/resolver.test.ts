import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolverContract } from '../../../../test/contracts/resolver.ts';
import { openNameServer } from '../../../../test/name-server.ts';
import { BackendUnavailable } from '../../outcome.ts';
import { DnsResolver } from './resolver.ts';

const long = 'x'.repeat(450);
const { server, asked } = await openNameServer({
  'www.example.com A': ['192.0.2.1'],
  'www.example.com AAAA': ['2001:0db8:0000:0000:0000:0000:0000:0001'],
  '1.2.0.192.in-addr.arpa PTR': ['WWW.Example.COM'],
  'example.com TXT': [long],
  'silent.example.com A': null,
  'silent.example.com AAAA': null,
  'silent.example.com PTR': null,
  'silent.example.com TXT': null,
  'silent.example.com NS': null,
  'example.com NS': ['NS1.example.net', 'ns2.example.net'],
  'half.example.com A': ['192.0.2.2'],
  'half.example.com AAAA': 'SERVFAIL',
  'broken.example.com A': 'SERVFAIL',
  'broken.example.com AAAA': [],
});
const open = () => new DnsResolver([server]);

resolverContract('dns', open, {
  host: 'www.example.com',
  pointer: '1.2.0.192.in-addr.arpa',
  text: 'example.com',
  missing: 'missing.example.com',
  silent: 'silent.example.com',
});

test('a text in several strings is one text', async () => {
  assert.deepEqual(await open().texts('example.com', 5_000), [long]);
});

test('a zone is delegated to these name servers', async () => {
  const found = await open().nameservers('example.com', 5_000);
  assert.deepEqual(found.toSorted(), ['ns1.example.net', 'ns2.example.net']);
});

test('one family that fails leaves the other; if nothing is left, it was no answer', async () => {
  assert.deepEqual(await open().addresses('half.example.com', 5_000), ['192.0.2.2']);
  await assert.rejects(open().addresses('broken.example.com', 5_000), BackendUnavailable);
});

test("the machine's own names are not looked at", async () => {
  assert.deepEqual(await open().addresses('localhost', 5_000), []);
  assert.deepEqual(await open().pointers('1.0.0.127.in-addr.arpa', 5_000), []);
  assert.ok(asked.includes('1.0.0.127.in-addr.arpa PTR'));
});

test('a resolver that is not there is no answer', async () => {
  await assert.rejects(new DnsResolver(['127.0.0.1:9']).texts('example.com', 2_000), BackendUnavailable);
});
