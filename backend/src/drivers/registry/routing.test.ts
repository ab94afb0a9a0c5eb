import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BackendUnavailable } from '../outcome.ts';
import type { DomainAvailability, DomainQuestion, RegistryDriver } from './port.ts';
import { RoutedRegistries } from './routing.ts';
import { SandboxNames } from './sandbox/names.ts';

/** A connection that records what it is asked and answers when told to. */
class HandRegistry implements RegistryDriver {
  readonly calls: {
    readonly domains: readonly string[];
    readonly answer: (availability: DomainAvailability) => void;
    readonly signal: AbortSignal;
    readonly end: PromiseWithResolvers<void>;
  }[] = [];

  check(
    questions: readonly DomainQuestion[],
    answer: (availability: DomainAvailability) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const end = Promise.withResolvers<void>();
    this.calls.push({ domains: questions.map(({ domain }) => domain), answer, signal, end });
    return end.promise;
  }

  /** Answers everything that the latest call asked. */
  answerAll(): void {
    const call = this.calls.at(-1);
    for (const domain of call?.domains ?? []) call?.answer(free(domain));
    call?.end.resolve();
  }
}

test('each question goes to its registry, and the answers come in the order of the questions', async () => {
  const [a, b] = [new HandRegistry(), new HandRegistry()];
  const queries = new RoutedRegistries(
    new Map([
      ['a', a],
      ['b', b],
    ]),
  );
  const answers = queries.check([ask('x.com', 'a'), ask('x.de', 'b'), ask('x.net', 'a')]);
  assert.deepEqual(a.calls[0]?.domains, ['x.com', 'x.net']);
  assert.deepEqual(b.calls[0]?.domains, ['x.de']);
  b.answerAll();
  a.answerAll();
  assert.deepEqual(domainsOf(await answers), ['x.com', 'x.de', 'x.net']);
});

test('after the deadline, what came is answered and the rest is registry_unavailable', async (t) => {
  const [quick, stuck] = [new HandRegistry(), new HandRegistry()];
  const { queries, failures } = routed(t, { quick, stuck });
  const answers = queries.check([ask('x.com', 'quick'), ask('x.de', 'stuck'), ask('y.de', 'stuck')]);
  quick.answerAll();
  stuck.calls[0]?.answer({ ...free('y.de'), available: false, reason: 'taken' });
  t.mock.timers.tick(1_500);
  assert.deepEqual(
    (await answers).map(({ domain, available, reason }) => [domain, available, reason]),
    [
      ['x.com', true, null],
      ['x.de', false, 'registry_unavailable'],
      ['y.de', false, 'taken'],
    ],
  );
  assert.equal(stuck.calls[0]?.signal.aborted, true, 'the driver is told to let go');
  assert.deepEqual(
    failures.map(({ backend }) => backend),
    ['stuck'],
  );
});

test('a driver that fails, at once or later, or leaves names out costs only those names', async (t) => {
  const thrower: RegistryDriver = {
    check: () => {
      throw new Error('at once');
    },
  };
  const breaker: RegistryDriver = {
    async check(questions, answer) {
      answer(free(questions[0]?.domain ?? ''));
      throw new Error('later');
    },
  };
  const forgetful: RegistryDriver = { check: async () => {} };
  const { queries, failures } = routed(t, { thrower, breaker, forgetful, sandbox: new SandboxNames() });
  const answers = await queries.check([
    ask('x.com', 'thrower'),
    ask('x.de', 'breaker'),
    ask('y.de', 'breaker'),
    ask('x.net', 'forgetful'),
    ask('x-name.org', 'sandbox'),
    ask('x.io', 'nobody'),
  ]);
  assert.deepEqual(
    answers.map(({ reason }) => reason),
    [
      'registry_unavailable',
      null,
      'registry_unavailable',
      'registry_unavailable',
      null,
      'registry_unavailable',
    ],
  );
  assert.deepEqual(failures.map(({ backend }) => backend).sort(), [
    'breaker',
    'forgetful',
    'nobody',
    'thrower',
  ]);
});

test('a name that is being asked about is not asked again', async (t) => {
  const registry = new HandRegistry();
  const { queries } = routed(t, { registry });
  const first = queries.check([ask('x.com', 'registry'), ask('y.com', 'registry'), ask('x.com', 'registry')]);
  const second = queries.check([ask('x.com', 'registry')]);
  assert.deepEqual(
    registry.calls.map(({ domains }) => domains),
    [['x.com', 'y.com']],
  );
  registry.answerAll();
  assert.deepEqual(domainsOf(await first), ['x.com', 'y.com', 'x.com']);
  assert.deepEqual(domainsOf(await second), ['x.com']);
});

test('an answer is repeated for a few seconds, then asked for anew', async (t) => {
  const registry = new HandRegistry();
  const { queries } = routed(t, { registry });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const check = async () => {
    const answers = queries.check([ask('x.com', 'registry')]);
    registry.answerAll();
    await answers;
    return registry.calls.length;
  };
  assert.equal(await check(), 1);
  now = 4_999;
  assert.equal(await check(), 1);
  now = 5_000;
  assert.equal(await check(), 2);
});

test('that a registry did not answer is not remembered', async (t) => {
  const registry = new HandRegistry();
  const { queries } = routed(t, { registry });
  const before = queries.check([ask('x.com', 'registry')]);
  registry.calls[0]?.end.reject(new Error('broken'));
  assert.equal((await before)[0]?.reason, 'registry_unavailable');
  const after = queries.check([ask('x.com', 'registry')]);
  registry.answerAll();
  assert.equal((await after)[0]?.reason, null);
});

test('answers that come after the deadline, twice, or for names not asked change nothing', async (t) => {
  const registry = new HandRegistry();
  const { queries } = routed(t, { registry });
  const first = queries.check([ask('x.com', 'registry')]);
  t.mock.timers.tick(1_500);
  await first;
  registry.calls[0]?.answer(free('x.com'));
  const second = queries.check([ask('x.com', 'registry'), ask('y.com', 'registry')]);
  assert.deepEqual(registry.calls[1]?.domains, ['x.com', 'y.com'], 'the late answer was not kept');
  registry.calls[1]?.answer({ ...free('x.com'), available: false, reason: 'taken' });
  registry.calls[1]?.answer(free('x.com'));
  registry.calls[1]?.answer(free('z.com'));
  registry.answerAll();
  assert.deepEqual(
    (await second).map(({ reason }) => reason),
    ['taken', null],
  );
});

test('memory is bounded: the oldest answers go first, and too many open names are not asked', async (t) => {
  const registry = new HandRegistry();
  const { queries, failures } = routed(t, { registry }, { maxRemembered: 2, maxAsked: 3 });
  const four = ['a.com', 'b.com', 'c.com', 'd.com'].map((domain) => ask(domain, 'registry'));
  const first = queries.check(four);
  assert.deepEqual(registry.calls[0]?.domains, ['a.com', 'b.com', 'c.com']);
  registry.answerAll();
  assert.deepEqual(
    (await first).map(({ reason }) => reason),
    [null, null, null, 'registry_unavailable'],
  );
  assert.equal(failures.length, 1);
  const second = queries.check(four.slice(0, 3));
  assert.deepEqual(registry.calls[1]?.domains, ['a.com']);
  registry.answerAll();
  await second;
});

test('no question is no work', async (t) => {
  const registry = new HandRegistry();
  const { queries } = routed(t, { registry });
  assert.deepEqual(await queries.check([]), []);
  assert.equal(registry.calls.length, 0);
});

function routed(
  t: TestContext,
  drivers: Readonly<Record<string, RegistryDriver>>,
  limits: { maxRemembered?: number; maxAsked?: number } = {},
) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const failures: BackendUnavailable[] = [];
  const onFailure = (failure: BackendUnavailable) => failures.push(failure);
  const queries = new RoutedRegistries(new Map(Object.entries(drivers)), { ...limits, onFailure });
  return { queries, failures };
}

function ask(domain: string, registry: string): DomainQuestion {
  return { domain, tld: domain.slice(domain.indexOf('.') + 1), registry };
}

function free(domain: string): DomainAvailability {
  return { domain, available: true, reason: null, premium: null };
}

function domainsOf(answers: readonly DomainAvailability[]): string[] {
  return answers.map(({ domain }) => domain);
}
