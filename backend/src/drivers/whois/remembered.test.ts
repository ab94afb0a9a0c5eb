import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SetClock } from '../../base/clock.ts';
import { type WhoisDirectory, WhoisFailure, type WhoisQuestion } from './port.ts';
import { RememberedWhois } from './remembered.ts';
import { SandboxWhois } from './sandbox/whois.ts';

const question: WhoisQuestion = { type: 'domain', name: 'example.com' };

/** The sandbox, with the questions that come to it. */
function open() {
  const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));
  const sandbox = new SandboxWhois({ clock });
  const asked: string[] = [];
  const counting: WhoisDirectory = {
    async lookup(one, source) {
      asked.push(`${source} ${one.type === 'domain' ? one.name : one.type}`);
      return await sandbox.lookup(one, source);
    },
  };
  return { clock, asked, whois: new RememberedWhois(counting, { clock }) };
}

test('an answer is remembered for a quarter of an hour, and says so', async () => {
  const { clock, asked, whois } = open();
  const first = await whois.lookup(question, 'auto', 1_000);
  clock.set(clock.now().add({ minutes: 14, seconds: 59 }));
  const second = await whois.lookup(question, 'auto', 1_000);
  assert.deepEqual([first.cached, second.cached], [false, true]);
  assert.deepEqual(second.fetchedAt, first.fetchedAt);
  clock.set(clock.now().add({ seconds: 1 }));
  assert.equal((await whois.lookup(question, 'auto', 1_000)).cached, false);
  assert.equal(asked.length, 2);
});

test('each source has its own answer', async () => {
  const { asked, whois } = open();
  await whois.lookup(question, 'rdap', 1_000);
  assert.equal((await whois.lookup(question, 'whois', 1_000)).source, 'whois');
  assert.equal(asked.length, 2);
});

test('the same question at the same time is asked once', async () => {
  const { asked, whois } = open();
  await Promise.all(Array.from({ length: 20 }, () => whois.lookup(question, 'auto', 1_000)));
  assert.equal(asked.length, 1);
});

test('a failure is not remembered', async () => {
  const { asked, whois } = open();
  const failing: WhoisQuestion = { type: 'domain', name: 'failing.example' };
  await assert.rejects(whois.lookup(failing, 'auto', 1_000), WhoisFailure);
  await assert.rejects(whois.lookup(failing, 'auto', 1_000), WhoisFailure);
  assert.equal(asked.length, 2);
});

test('memory is bounded: the oldest answers are forgotten first', async () => {
  const { asked, whois } = open();
  for (let number = 1; number <= 600; number += 1) await whois.lookup({ type: 'asn', number }, 'auto', 1_000);
  await whois.lookup({ type: 'asn', number: 600 }, 'auto', 1_000);
  assert.equal(asked.length, 600);
  await whois.lookup({ type: 'asn', number: 1 }, 'auto', 1_000);
  assert.equal(asked.length, 601);
});
