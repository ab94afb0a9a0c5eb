import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { questionFor } from '../../../../test/contracts/registry.ts';
import { eppOptions } from '../../../../test/epp.ts';
import { answer, play } from '../../../../test/played-registry.ts';
import { systemClock } from '../../../base/clock.ts';
import type { DomainAvailability } from '../port.ts';
import { DEFAULT_PROFILE, type Profile } from './profile.ts';
import { EppRegistrar } from './registrar.ts';
import { NS } from './wire/namespace.ts';

const ref = (domain: string) => questionFor(domain, 'epp');

test('names are asked about in batches of the size that the registry takes', async (t) => {
  const sizes: number[] = [];
  const registry = await play(t, (document) => {
    const names = document.match(/<domain:name>[^<]+/g) ?? [];
    if (names.length > 0) sizes.push(names.length);
    return available(document);
  });
  const asked = Array.from({ length: 7 }, (_, at) => `n${at}.com`);
  const answers = await check(t, registry.port, asked, { checkBatch: 3 });
  assert.deepEqual(sizes, [3, 3, 1]);
  assert.deepEqual([...answers.keys()].sort(), asked);
});

test('reasons in the words of registries become ours', async (t) => {
  const words: readonly (readonly [string, string])[] = [
    ['In use', 'taken'],
    ['Object exists', 'taken'],
    ['Reserved Domain Name', 'reserved'],
    ['Blocked by DPML', 'reserved'],
    ['Invalid domain name', 'invalid'],
  ];
  let at = 0;
  const registry = await play(t, (document) => {
    if (document.includes('<login')) return answer(document, 1000);
    const [reason] = words[at++] ?? [''];
    return answer(document, 1000, chkData([['a.com', false, reason]]));
  });
  for (const [word, reason] of words) {
    const answers = await check(t, registry.port, ['a.com']);
    assert.equal(answers.get('a.com')?.reason, reason, word);
  }
});

test('prices in another currency than was asked for are no answer', async (t) => {
  const registry = await play(t, (document) => {
    if (document.includes('<login')) return answer(document, 1000);
    const fees = `<extension><fee:chkData xmlns:fee="${NS.fee}"><fee:currency>USD</fee:currency><fee:cd avail="1">
      <fee:objID>a.com</fee:objID><fee:class>gold</fee:class></fee:cd></fee:chkData></extension>`;
    return answer(document, 1000, chkData([['a.com', true, '']]) + fees);
  });
  await assert.rejects(check(t, registry.port, ['a.com']), (error: Error) => /USD/.test(String(error.cause)));
});

test('in a claims period, names that marks are claimed for are not to be had', async (t) => {
  const registry = await play(t, (document) => {
    if (!document.includes('<launch:check')) return available(document);
    const claims = ['free.com', 'mark.com']
      .map((name) => `<l:cd><l:name exists="${name === 'mark.com' ? 1 : 0}">${name}</l:name></l:cd>`)
      .join('');
    return answer(
      document,
      1000,
      `<extension><l:chkData xmlns:l="${NS.launch}"><l:phase>claims</l:phase>${claims}</l:chkData></extension>`,
    );
  });
  const answers = await check(t, registry.port, ['free.com', 'mark.com'], { claims: true });
  assert.equal(answers.get('free.com')?.available, true);
  assert.equal(answers.get('mark.com')?.reason, 'reserved');
});

async function check(t: TestContext, port: number, domains: readonly string[], own: Partial<Profile> = {}) {
  const profile = { ...DEFAULT_PROFILE, ...own };
  const options = eppOptions('hostkeep', { port, clock: systemClock }, { profileOf: () => profile });
  const driver = new EppRegistrar(options);
  t.after(() => driver.close());
  const answers = new Map<string, DomainAvailability>();
  const signal = new AbortController().signal;
  await driver.check(domains.map(ref), (told) => answers.set(told.domain, told), signal);
  return answers;
}

/** Everything that is asked about is free. */
function available(document: string): string {
  if (document.includes('<login')) return answer(document, 1000);
  const names = [...document.matchAll(/<domain:name>([^<]+)/g)].map(([, name = '']) => name);
  return answer(document, 1000, chkData(names.map((name) => [name, true, ''])));
}

function chkData(names: readonly (readonly [string, boolean, string])[]): string {
  const told = names.map(
    ([name, free, reason]) =>
      `<d:cd><d:name avail="${free ? 1 : 0}">${name}</d:name>${reason && `<d:reason>${reason}</d:reason>`}</d:cd>`,
  );
  return `<resData><d:chkData xmlns:d="${NS.domain}">${told.join('')}</d:chkData></resData>`;
}
