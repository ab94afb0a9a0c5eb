import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostOf, parseOutboundUrl } from './outbound-url.ts';

const hostIn = (text: string) => {
  const url = parseOutboundUrl(text);
  return url === null ? null : hostOf(url);
};

test('https with a full host name or an address, on port 443 or from 1024 on', () => {
  for (const [text, host] of [
    ['https://hooks.example.com/in?x=1', 'hooks.example.com'],
    ['HTTPS://Hooks.Example.COM:443/', 'hooks.example.com'],
    ['https://hooks.example.com:8443', 'hooks.example.com'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://8.8.8.8/', '8.8.8.8'],
    ['https://[2606:4700::1111]:1024/', '2606:4700::1111'],
  ] as const)
    assert.equal(hostIn(text), host, text);
});

test('an address in whatever notation is read as what it is', () => {
  const loopback = [
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
  ];
  for (const notation of [...loopback, '１２７.0.0.1', '127。0。0。1', '%31%32%37.0.0.1'])
    assert.equal(hostIn(`https://${notation}/`), '127.0.0.1', notation);
  assert.equal(hostIn('https://[::ffff:127.0.0.1]/'), '::ffff:7f00:1');
  assert.equal(hostIn('https://[0:0::1]/'), '::1');
});

test('anything else is none', () => {
  for (const text of [
    '',
    'hooks.example.com',
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'file:///etc/passwd',
    'https:///x',
    'https://localhost/',
    'https://intranet/',
    'https://hooks.example.com./',
    'https://-a.example.com/',
    'https://a_b.example.com/',
    'https://user:secret@hooks.example.com/',
    'https://user@hooks.example.com/',
    'https://hooks.example.com/#fragment',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:0/',
    'https://hooks.example.com:80/',
    'https://hooks.example.com:70000/',
    'https://[fe80::1%25eth0]/',
    'https://[fe80::1%eth0]/',
    'https://256.1.1.1/',
    'https://1.2.3.4.5/',
    `https://hooks.example.com/${'x'.repeat(2_000)}`,
  ])
    assert.equal(hostIn(text), null, text);
});
