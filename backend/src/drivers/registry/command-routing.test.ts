import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { questionFor } from '../../../test/contracts/registry.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { SetClock } from '../../base/clock.ts';
import { APPLICATION_ROLE } from '../../db/migrate.ts';
import { Pool } from '../../db/pool.ts';
import { BackendUnavailable } from '../outcome.ts';
import type {
  DomainAvailability,
  DomainQuestion,
  RegisteredDomain,
  RegistryDriver,
  RegistryOutcome,
} from './port.ts';
import { RoutedRegistries, type RoutingOptions } from './routing.ts';
import { SandboxNames } from './sandbox/names.ts';
import { SandboxRegistry } from './sandbox/registry.ts';

let database: TestDatabase;
let db: Pool;
const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));

before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
});
after(async () => {
  await db.end();
  await database.drop();
});

/** A registry that answers no `info` but when told to. */
class StuckRegistry extends SandboxRegistry {
  readonly asked: PromiseWithResolvers<RegisteredDomain | null>[] = [];

  override info(): Promise<RegisteredDomain | null> {
    const answer = Promise.withResolvers<RegisteredDomain | null>();
    this.asked.push(answer);
    return answer.promise;
  }
}

/** A registry that answers what it is asked and told at once, or never. */
class StillRegistry extends SandboxRegistry {
  readonly #hangs: boolean;

  constructor(hangs: boolean) {
    super({ db, clock });
    this.#hangs = hangs;
  }

  override async check(questions: readonly DomainQuestion[], answer: (told: DomainAvailability) => void) {
    for (const { domain } of await this.#told(questions))
      answer({ domain, available: true, reason: null, premium: null });
  }

  override info(): Promise<null> {
    return this.#told(null);
  }

  override delete(): Promise<RegistryOutcome<null>> {
    return this.#told({ kind: 'done', result: null });
  }

  #told<T>(answer: T): Promise<T> {
    return this.#hangs ? new Promise(() => {}) : Promise.resolve(answer);
  }
}

function routed(drivers: Readonly<Record<string, RegistryDriver>>, options: Partial<RoutingOptions> = {}) {
  return new RoutedRegistries(new Map(Object.entries(drivers)), options);
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('commands go to the connection by its name; without one, or without commands there, they are not supported', async () => {
  const registries = routed({ sandbox: new SandboxRegistry({ db, clock }), names: new SandboxNames() });
  const refused = { kind: 'refused', reason: 'not_supported' };
  for (const registry of ['names', 'nobody']) {
    const ref = questionFor('name.com', registry);
    assert.deepEqual(await registries.delete(ref), refused);
    assert.deepEqual(await registries.update({ ...ref, statuses: [] }), refused);
    assert.deepEqual(await registries.restore({ ...ref, fee: null }), refused);
    assert.deepEqual(await registries.answerTransfer(ref, 'approve'), refused);
    await assert.rejects(registries.info(ref), BackendUnavailable);
    await assert.rejects(registries.transfer(ref), BackendUnavailable);
  }
  assert.equal(await registries.nextMessage('names'), null);
  await assert.rejects(registries.nextMessage('nobody'), BackendUnavailable);
  const ours = questionFor('name.com', 'sandbox');
  assert.deepEqual(await registries.delete(ours), { kind: 'done', result: null });
  assert.equal(await registries.info(ours), null);
});

test('a registry that hangs takes its own places only, and whoever waits too long is told so', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const [stuck, other] = [new StuckRegistry({ db, clock }), new StuckRegistry({ db, clock })];
  const registries = routed({ stuck, other }, { commands: 2, waiting: 1, questionMs: 1_000 });
  const ref = questionFor('name.com', 'stuck');
  const asked = [1, 2, 3].map(() => registries.info(ref));
  await assert.rejects(registries.info(ref), BackendUnavailable, 'no more wait');
  assert.equal(stuck.asked.length, 2, 'one waits for its turn');
  const answered = registries.info(questionFor('name.com', 'other'));
  other.asked[0]?.resolve(null);
  assert.equal(await answered, null, 'others go on');
  t.mock.timers.tick(1_000);
  for (const answer of asked) await assert.rejects(answer, BackendUnavailable);
  stuck.asked[0]?.resolve(null);
  await settled();
  assert.equal(stuck.asked.length, 3, 'a place that was let go is taken');
});

test('of ten registries one hangs, and the others answer as if it were not there', async (t) => {
  // Time stands still but for the ticks below: whatever waited for the one that hangs would wait for ever.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const names = Array.from({ length: 10 }, (_, at) => `r${at}`);
  const registries = routed(
    Object.fromEntries(names.map((name) => [name, new StillRegistry(name === 'r0')])),
    { commands: 4, waiting: 16, deadlineMs: 1_500, questionMs: 5_000, commandMs: 60_000, failuresToOpen: 5 },
  );
  const commands = (registry: string) =>
    Array.from({ length: 20 }, (_, at) => questionFor(`name-${at}.com`, registry)).flatMap((ref) => [
      () => registries.info(ref),
      () => registries.delete(ref),
    ]);
  const stuck = commands('r0').map((command) => command());
  const questions = names.map((name) => questionFor(`name-${name}.com`, name));
  const asked = registries.check(questions);
  for (const name of names.slice(1)) for (const command of commands(name)) await command();
  const others = await registries.check(questions.slice(1));
  assert.ok(others.every(({ available }) => available));
  t.mock.timers.tick(1_500);
  assert.deepEqual(
    (await asked).map(({ reason }) => reason),
    ['registry_unavailable', ...others.map(() => null)],
    'one question about all of them costs no more than the deadline',
  );
  t.mock.timers.tick(60_000);
  for (const command of stuck) await assert.rejects(command, BackendUnavailable);
  await assert.rejects(registries.info(questionFor('name.com', 'r0')), BackendUnavailable, 'left alone');
  assert.equal(await registries.info(questionFor('name.com', 'r9')), null);
});

test('a registry that failed several times is left alone, also by availability, until a probe succeeds', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const stuck = new StuckRegistry({ db, clock });
  const sandbox = new SandboxRegistry({ db, clock });
  const registries = routed({ stuck, sandbox }, { failuresToOpen: 2, openMs: 1_000 });
  const ref = questionFor('name.com', 'stuck');
  const fails = async () => {
    const answer = registries.info(ref);
    stuck.asked.at(-1)?.reject(new Error('connection lost'));
    await assert.rejects(answer, BackendUnavailable);
    return stuck.asked.length;
  };
  assert.deepEqual([await fails(), await fails()], [1, 2]);
  assert.equal(await fails(), 2, 'it is not asked');
  await assert.rejects(registries.delete(ref), BackendUnavailable);
  assert.equal((await registries.check([ref]))[0]?.reason, 'registry_unavailable');
  assert.equal((await registries.check([questionFor('name.com', 'sandbox')]))[0]?.available, true);
  now = 1_000;
  const probe = registries.info(ref);
  assert.equal(stuck.asked.length, 3);
  stuck.asked[2]?.resolve(null);
  assert.equal(await probe, null);
  assert.equal((await registries.check([ref]))[0]?.available, true);
});
