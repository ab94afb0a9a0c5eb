import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNameServers, parseServerAddress } from './name-server.ts';

test('an address is one with or without a port', () => {
  assert.deepEqual(parseServerAddress('192.0.2.53'), { address: '192.0.2.53', port: 53 });
  assert.deepEqual(parseServerAddress('192.0.2.53:5300'), { address: '192.0.2.53', port: 5300 });
  assert.deepEqual(parseServerAddress('2001:db8::53'), { address: '2001:db8::53', port: 53 });
  assert.deepEqual(parseServerAddress('[2001:db8::53]'), { address: '2001:db8::53', port: 53 });
  assert.deepEqual(parseServerAddress('[2001:db8::53]:5300'), { address: '2001:db8::53', port: 5300 });
  assert.deepEqual(parseServerAddress('::ffff:192.0.2.1'), { address: '::ffff:192.0.2.1', port: 53 });
  for (const text of [
    '',
    'localhost',
    '192.0.2.53:0',
    '192.0.2.53:65536',
    '[192.0.2.53]',
    '[::1',
    '1.2.3.4:5:6',
    'fe80::1%lo',
  ])
    assert.equal(parseServerAddress(text), null, text);
});

test('a name server has all the addresses that are listed for it', () => {
  const text = 'NS1.example.net=192.0.2.53, ns1.example.net=[2001:db8::53],ns2.example.net=192.0.2.54:5300';
  assert.deepEqual(parseNameServers(text), [
    {
      hostname: 'ns1.example.net',
      addresses: [
        { address: '192.0.2.53', port: 53 },
        { address: '2001:db8::53', port: 53 },
      ],
    },
    { hostname: 'ns2.example.net', addresses: [{ address: '192.0.2.54', port: 5300 }] },
  ]);
  assert.deepEqual(parseNameServers(''), []);
  for (const broken of ['ns1.example.net', 'ns1.example.net=', 'ns1=192.0.2.1', 'ns1.example.net=a=b'])
    assert.equal(parseNameServers(broken), null, broken);
});
