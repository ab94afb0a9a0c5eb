import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionFor, registryContract } from '../../../../test/contracts/registry.ts';
import type { DomainAvailability } from '../port.ts';
import { SandboxNames } from './names.ts';

const question = (domain: string) => questionFor(domain, 'sandbox');

registryContract('sandbox', () => new SandboxNames(), {
  free: [
    question('hostkeep-contract.com'),
    question('xn--bcher-hostkeep-gsb.de'),
    question('hostkeep.co.uk'),
  ],
  taken: question('taken-contract.com'),
  reserved: question('reserved-contract.com'),
  premium: question('premium-contract.com'),
  silent: question('timeout-contract.com'),
  breaking: question('down-contract.com'),
});

test('well-known names are taken, and what registries keep for themselves is reserved', async () => {
  assert.equal((await answerTo('google.com')).reason, 'taken');
  assert.equal((await answerTo('example.co.uk')).reason, 'taken');
  assert.equal((await answerTo('googles.com')).reason, null);
  assert.equal((await answerTo('nic.shop')).reason, 'reserved');
  assert.equal((await answerTo('invalid-name.shop')).reason, 'invalid');
});

test('names of one and two letters are premium, counted as people read them', async () => {
  const register = async (domain: string) => (await answerTo(domain)).premium?.register ?? null;
  assert.equal(await register('a.com'), 49_990_000n);
  assert.equal(await register('xn--tda.com'), 49_990_000n, 'ü');
  assert.equal(await register('ab.com'), 9_990_000n);
  assert.equal(await register('xn--fiq228c.com'), 9_990_000n, '中文');
  assert.equal(await register('premium-name.com'), 2_490_000n);
  assert.equal(await register('abc.com'), null);
});

test('patchy names are answered under generic TLDs only', async () => {
  const deadline = new AbortController();
  const answered: string[] = [];
  const asked = new SandboxNames().check(
    ['patchy.com', 'patchy.de', 'patchy.co.uk', 'patchy.shop'].map(question),
    ({ domain }) => answered.push(domain),
    deadline.signal,
  );
  deadline.abort();
  await assert.rejects(asked);
  assert.deepEqual(answered, ['patchy.com', 'patchy.shop']);
});

test('slow names are answered after three seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const answer = answerTo('slow-name.com');
  t.mock.timers.tick(3_000);
  assert.equal((await answer).available, true);
});

async function answerTo(domain: string): Promise<DomainAvailability> {
  const { promise, resolve } = Promise.withResolvers<DomainAvailability>();
  await new SandboxNames().check([question(domain)], resolve, new AbortController().signal);
  return await promise;
}
