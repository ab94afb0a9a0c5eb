import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostNames, moment, plainText, statuses } from './told.ts';

test('moments are read as registries write them', () => {
  const written: Readonly<Record<string, string>> = {
    '1995-08-14T04:00:00Z': '1995-08-14T04:00:00Z',
    '2018-03-12T21:44:25+01:00': '2018-03-12T20:44:25Z',
    '2027-01-15T12:00:00.123Z': '2027-01-15T12:00:00Z',
    '2027-01-15T12:00:00': '2027-01-15T12:00:00Z',
    '2027-01-15 12:00:00 (UTC+8)': '2027-01-15T12:00:00Z',
    '2027-01-15 12:00:00+0200': '2027-01-15T10:00:00Z',
    '2027-01-15': '2027-01-15T00:00:00Z',
    '2027/01/15': '2027-01-15T00:00:00Z',
    '2027. 01. 15.': '',
    '2027.01.15 12:00:00': '2027-01-15T12:00:00Z',
    '20270115': '2027-01-15T00:00:00Z',
    '20270115 12:30:00': '2027-01-15T12:30:00Z',
    '15.1.2027': '2027-01-15T00:00:00Z',
    '15.01.2027 12:00': '2027-01-15T12:00:00Z',
    '15-Jan-2027': '2027-01-15T00:00:00Z',
    '15 January 2027': '2027-01-15T00:00:00Z',
    'Fri Jan 15 2027': '2027-01-15T00:00:00Z',
    'January  5 2027': '2027-01-05T00:00:00Z',
    'before Aug-1996': '',
    '31.02.2027': '',
    '202701150': '',
    '': '',
  };
  for (const [text, wanted] of Object.entries(written)) {
    assert.equal(moment(text)?.toString() ?? '', wanted, text);
  }
});

test('statuses are in the words of RDAP, whichever way they came', () => {
  const told = [
    'clientTransferProhibited https://icann.org/epp#clientTransferProhibited',
    'ok',
    'active',
    'connect',
  ];
  assert.deepEqual(statuses([...told, 'server_hold', 'Registered until expiry date.', '<b>']), [
    'client transfer prohibited',
    'active',
    'connect',
    'server hold',
  ]);
});

test('host names are names of hosts', () => {
  assert.deepEqual(
    hostNames(['NS1.Example.COM.', 'ns1.example.com', 'localhost', '192.0.2.1', '-', 'a b.com']),
    ['ns1.example.com'],
  );
});

test('texts are one line of what can be read', () => {
  assert.equal(plainText(' A\u0000B\r\n\u202eC\u00a0D '), 'A B C D');
  assert.equal(plainText('\u0007 '), null);
  assert.equal(plainText('x'.repeat(1_000))?.length, 300);
});
