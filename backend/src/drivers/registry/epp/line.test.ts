import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { eppOptions } from '../../../../test/epp.ts';
import { answer, GREETING, play } from '../../../../test/played-registry.ts';
import { systemClock } from '../../../base/clock.ts';
import { BackendUnavailable } from '../../outcome.ts';
import type { EppCommand } from './command.ts';
import { EppLine, type LineOptions } from './line.ts';
import { NS } from './wire/namespace.ts';

test('a log-in asks for what the greeting offers and we speak, in a language of the server', async (t) => {
  const registry = await play(t, (document) => answer(document, 1000));
  const line = open(t, registry.port);
  await line.send(() => poll);
  const [login = ''] = registry.received;
  assert.match(login, /<lang>fr<\/lang>/);
  assert.deepEqual(login.match(/urn:[^<"]+(?=<)/g), [NS.domain, NS.secDNS, NS.fee, NS.launch]);
});

test('silence is broken by a hello, which keeps the session open', async (t) => {
  const greeted = Promise.withResolvers<void>();
  const registry = await play(t, (document) => {
    if (!document.includes('<hello')) return answer(document, 1000);
    greeted.resolve();
    return GREETING;
  });
  const line = open(t, registry.port, { keepAliveMs: 20 });
  await line.greeting();
  await greeted.promise;
  assert.equal((await line.send(() => poll)).code, 1000);
  assert.equal(registry.connections(), 1);
});

test('one command at a time is sent, or as many as the registry takes', async (t) => {
  for (const pipelining of [1, 3]) {
    const held: (() => void)[] = [];
    let most = 0;
    const registry = await play(t, (document, send) => {
      if (document.includes('<login')) return answer(document, 1000);
      held.push(() => send(answer(document, 1300)));
      most = Math.max(most, held.length);
      if (held.length === pipelining)
        setImmediate(() => {
          for (const release of held.splice(0)) release();
        });
      return null;
    });
    const line = open(t, registry.port, { pipelining });
    await Promise.all(Array.from({ length: 6 }, () => line.send(() => poll)));
    assert.equal(most, pipelining);
  }
});

test('a second session is opened when the first is busy, and done without when the registry has no room for it', async (t) => {
  let release = () => {};
  let logins = 0;
  const registry = await play(t, (document, send) => {
    if (document.includes('<login')) return answer(document, ++logins === 1 ? 1000 : 2502);
    if (!document.includes('op="ack"')) return answer(document, 1300);
    release = () => send(answer(document, 1000));
    return null;
  });
  const line = open(t, registry.port, {
    sessions: 2,
    pause: { firstMs: 60_000, longestMs: 60_000, rejectedMs: 60_000 },
  });
  await line.greeting();
  const slow = line.send(() => ({ ...poll, attributes: { op: 'ack', msgID: '1' } }));
  const next = [line.send(() => poll), line.send(() => poll)];
  while (registry.received.length < 3) await once(registry.heard, 'command');
  release();
  assert.equal((await slow).code, 1000);
  for (const answered of next) assert.equal((await answered).code, 1300);
});

test('after a failure nothing is tried for a while, longer with each one, and then it is', async (t) => {
  let down = true;
  const registry = await play(t, (document) => answer(document, down ? 2400 : 1000));
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const line = open(t, registry.port, { pause: { firstMs: 1_000, longestMs: 60_000, rejectedMs: 300_000 } });
  const fails = () =>
    assert.rejects(
      line.send(() => poll),
      BackendUnavailable,
    );
  await fails();
  await fails();
  assert.equal(registry.connections(), 1);
  now += 1_000;
  await fails();
  assert.equal(registry.connections(), 2);
  now += 999;
  await fails();
  assert.equal(registry.connections(), 2, 'the second pause is at least a second');
  now += 1_001;
  down = false;
  assert.equal((await line.send(() => poll)).code, 1000);
});

test('a registry that lets us in and then hangs up is not called again and again', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  for (const code of [null, 2502]) {
    const registry = await play(t, (document, _send, hangUp) => {
      if (document.includes('<login')) return answer(document, 1000);
      if (code === null) hangUp();
      return code === null ? null : answer(document, code);
    });
    const pause = { firstMs: 1_000, longestMs: 60_000, rejectedMs: 300_000 };
    const line = open(t, registry.port, { pause });
    const fails = async () => {
      await assert.rejects(
        line.send(() => poll),
        BackendUnavailable,
      );
      return registry.connections();
    };
    assert.deepEqual([await fails(), await fails(), await fails()], [1, 1, 1]);
    now += 1_000;
    assert.deepEqual([await fails(), await fails()], [2, 2]);
    now += 999;
    assert.equal(await fails(), 2, 'the second pause is at least a second');
  }
});

test('closing waits for a server that says goodbye, and not for one that says nothing', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const hanging = await play(t, (document) => (document.includes('<login') ? answer(document, 1000) : null));
  const line = open(t, hanging.port);
  await line.greeting();
  const stuck = assert.rejects(
    line.send(() => poll),
    BackendUnavailable,
  );
  const closed = line.close();
  t.mock.timers.tick(2_000);
  await closed;
  await stuck;
  const silent = await play(t, () => null);
  const opening = open(t, silent.port);
  const greeted = assert.rejects(opening.greeting(), BackendUnavailable);
  await once(silent.heard, 'command');
  await opening.close();
  await greeted;
});

test('what was not sent yet can be taken back', async (t) => {
  let release = () => {};
  const registry = await play(t, (document, send) => {
    if (document.includes('<login')) return answer(document, 1000);
    release = () => send(answer(document, 1300));
    return null;
  });
  const line = open(t, registry.port);
  await line.greeting();
  const first = line.send(() => poll);
  const patience = new AbortController();
  const second = line.send(() => poll, patience.signal);
  while (registry.received.length < 2) await once(registry.heard, 'command');
  patience.abort();
  await assert.rejects(second, { name: 'AbortError' });
  release();
  assert.equal((await first).code, 1300);
  assert.equal(registry.received.length, 2, 'the second was never sent');
});

const poll: EppCommand = {
  name: 'poll',
  verb: 'poll',
  attributes: { op: 'req' },
  content: [],
  extensions: [],
};

function open(t: TestContext, port: number, own: Partial<LineOptions> = {}): EppLine {
  const line = new EppLine({ ...eppOptions('hostkeep', { port, clock: systemClock }), ...own });
  t.after(() => line.close());
  return line;
}
