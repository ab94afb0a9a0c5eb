import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerLocally, questionText, readQuestion } from './question.ts';

function asked(text: string) {
  const reading = readQuestion(text);
  return reading.ok ? `${reading.question.type} ${questionText(reading.question)}` : 'none';
}

test('domains, addresses and autonomous systems are told apart', () => {
  const wanted: Readonly<Record<string, string>> = {
    'Example.COM.': 'domain example.com',
    'www.example.co.uk': 'domain example.co.uk',
    'shop.example.github.io': 'domain github.io',
    'bücher.de': 'domain xn--bcher-kva.de',
    com: 'domain com',
    'co.uk': 'domain co.uk',
    '9.9.9.9': 'ipv4 9.9.9.9',
    '::ffff:9.9.9.9': 'ipv4 9.9.9.9',
    '2620:FE::FE': 'ipv6 2620:fe::fe',
    '[2620:fe::fe]': 'ipv6 2620:fe::fe',
    as3320: 'asn AS3320',
    '3320': 'asn AS3320',
    '': 'none',
    'a b.com': 'none',
    'example.com\r\nhelp': 'none',
    '1.2.3': 'none',
    '300.1.1.1': 'none',
    AS4294967296: 'none',
    db1: 'none',
    '9.9.9.0/24': 'none',
  };
  for (const [text, question] of Object.entries(wanted)) assert.equal(asked(text), question, text);
});

test('what nobody can register is answered without asking', () => {
  const locally = (text: string) => {
    const reading = readQuestion(text);
    assert.ok(reading.ok);
    return answerLocally(reading.question);
  };
  assert.deepEqual(locally('10.1.2.3'), {
    network: { cidr: '10.0.0.0/8', name: 'Private-Use', country: null },
  });
  assert.equal(locally('fe80::1')?.network?.name, 'Link-Local Unicast');
  assert.equal(locally('AS64512')?.network?.name, 'Private Use');
  for (const name of ['nas.internal', 'internal', 'localhost', 'router.home.arpa']) {
    assert.deepEqual(locally(name), { network: null }, name);
  }
  for (const text of ['example.com', 'com', '9.9.9.9', '2620:fe::fe', 'AS3320'])
    assert.equal(locally(text), null, text);
});
