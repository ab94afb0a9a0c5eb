import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainAvailability, DomainQuestion, RegistryDriver } from '../../src/drivers/registry/port.ts';

/** What a registry under test knows, so that the contract can ask for it. Each is a full name. */
export interface KnownNames {
  readonly free: readonly DomainQuestion[];
  /** The driver cannot register names, so those that seem free are `unconfirmed`. */
  readonly freeIsUnconfirmed?: true;
  readonly taken: DomainQuestion;
  /** null where the registry under test has none. */
  readonly reserved: DomainQuestion | null;
  readonly premium: DomainQuestion | null;
  /** A name that gets no answer before the signal is aborted; null where the back end cannot be made silent. */
  readonly silent: DomainQuestion | null;
  /** A name whose question breaks the connection; null where there is no connection to break. */
  readonly breaking: DomainQuestion | null;
}

/** A question for a name under a TLD of one label, as the contract and tests need them. */
export function questionFor(domain: string, registry: string): DomainQuestion {
  return { domain, tld: domain.slice(domain.indexOf('.') + 1), registry };
}

/** What every driver of the registry port keeps. `open` gives a driver that is connected to the known names. */
export function registryContract(driver: string, open: () => RegistryDriver, names: KnownNames): void {
  const [free] = names.free;
  assert.ok(free, 'the contract needs a free name');

  const whatIsFree = names.freeIsUnconfirmed ? 'unconfirmed' : null;
  test(`${driver}: free names are ${whatIsFree ?? 'available, without a reason'}`, async () => {
    for (const answer of (await ask(open(), names.free)).values()) {
      assert.equal(answer.available, whatIsFree === null);
      assert.equal(answer.reason, whatIsFree);
    }
  });

  test(`${driver}: taken and reserved names are not available, with the reason`, async () => {
    assert.equal((await ask(open(), [names.taken])).get(names.taken.domain)?.reason, 'taken');
    if (names.reserved === null) return;
    assert.equal((await ask(open(), [names.reserved])).get(names.reserved.domain)?.reason, 'reserved');
  });

  test(`${driver}: only premium names have prices of their own, and all of them`, async () => {
    assert.equal((await ask(open(), [free])).get(free.domain)?.premium, null);
    if (names.premium === null) return;
    const premium = (await ask(open(), [names.premium])).get(names.premium.domain)?.premium;
    assert.ok(premium && premium.register > 0n && premium.renew > 0n && premium.restore > 0n);
    assert.ok(premium.transfer === null || premium.transfer >= 0n);
  });

  test(`${driver}: many names in one question are answered once each, under the names as asked`, async () => {
    const many = Array.from({ length: 51 }, (_, at) => ({ ...free, domain: `c${at}-${free.domain}` }));
    const asked = [...many, names.taken];
    const answers = await ask(open(), asked);
    assert.deepEqual([...answers.keys()].sort(), asked.map((question) => question.domain).sort());
  });

  test(`${driver}: questions asked at the same time get their own answers`, async () => {
    const connection = open();
    const [first, second] = await Promise.all([ask(connection, [free]), ask(connection, [names.taken])]);
    assert.deepEqual([...first.keys()], [free.domain]);
    assert.deepEqual([...second.keys()], [names.taken.domain]);
  });

  const { silent, breaking } = names;
  if (silent !== null) {
    test(`${driver}: a name without an answer does not hold up the others, and the deadline ends the wait`, async () => {
      const deadline = new AbortController();
      const othersAnswered = Promise.withResolvers<void>();
      const answers = new Map<string, DomainAvailability>();
      const others = [free, names.taken];
      const asked = open().check(
        [silent, ...others],
        (answer) => {
          answers.set(answer.domain, answer);
          if (others.every(({ domain }) => answers.has(domain))) othersAnswered.resolve();
        },
        deadline.signal,
      );
      await othersAnswered.promise;
      deadline.abort();
      await asked.catch(() => {});
      assert.equal(answers.has(silent.domain), false, 'nobody guesses');
    });
  }

  if (breaking !== null) {
    test(`${driver}: a connection that breaks is an error, never an answer; the next question works`, async () => {
      const connection = open();
      const answers: DomainAvailability[] = [];
      const signal = new AbortController().signal;
      await assert.rejects(connection.check([breaking], (answer) => answers.push(answer), signal));
      assert.deepEqual(answers, []);
      assert.equal((await ask(connection, [free])).size, 1);
    });
  }

  test(`${driver}: nothing is answered once the deadline has passed`, async () => {
    const answers: DomainAvailability[] = [];
    const asked = open().check([free], (answer) => answers.push(answer), AbortSignal.abort());
    await asked.catch(() => {});
    assert.deepEqual(answers, []);
  });
}

async function ask(
  driver: RegistryDriver,
  questions: readonly DomainQuestion[],
): Promise<ReadonlyMap<string, DomainAvailability>> {
  const answers = new Map<string, DomainAvailability>();
  await driver.check(
    questions,
    (answer) => {
      assert.equal(answers.has(answer.domain), false, `${answer.domain} is answered twice`);
      assert.equal(answer.reason === null, answer.available, 'a reason exactly where not available');
      assert.notEqual(answer.reason, 'registry_unavailable', 'a driver that has no answer gives none');
      answers.set(answer.domain, answer);
    },
    new AbortController().signal,
  );
  return answers;
}
