import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { questionFor } from '../../../../test/contracts/registry.ts';
import { eppOptions } from '../../../../test/epp.ts';
import { answer, play } from '../../../../test/played-registry.ts';
import { systemClock } from '../../../base/clock.ts';
import { BackendUnavailable } from '../../outcome.ts';
import { RoutedRegistries } from '../routing.ts';
import { EppRegistrar } from './registrar.ts';
import { NS } from './wire/namespace.ts';

// Customers choose names and codes. Whatever a registry answers to those, it answers: nobody else goes without for it.

const ref = (domain: string) => questionFor(domain, 'one');
const OFTEN = 7;

test('a transfer with a code that the registry finds fault with, or that XML cannot hold, is refused for its code', async (t) => {
  const registries = await connected(t);
  for (const authcode of ['\u0001', 'too-long-for-it']) {
    for (let time = 0; time < OFTEN; time += 1) {
      const obstacles = await registries.transferObstacles([{ ...ref('other.com'), authcode }]);
      assert.deepEqual(obstacles, ['authcode_invalid']);
    }
  }
  const [free] = await registries.check([ref('free.com')]);
  assert.equal(free?.available, true);
});

test('questions that a registry refuses to answer keep nobody from asking others', async (t) => {
  const registries = await connected(t);
  for (let time = 0; time < OFTEN; time += 1)
    await assert.rejects(registries.info(ref('untold.com')), BackendUnavailable);
  assert.equal((await registries.info(ref('other.com')))?.registrar, 'other');
  for (let time = 0; time < OFTEN; time += 1) {
    const [told] = await registries.check([ref(`odd-${time}.com`)]);
    assert.deepEqual([told?.available, told?.reason], [false, 'registry_unavailable']);
  }
  const [free] = await registries.check([ref('free.com')]);
  assert.equal(free?.available, true);
});

test('a name that the registry refuses to be asked about leaves the others of its question an answer', async (t) => {
  const registries = await connected(t);
  const told = await registries.check(['free.com', 'odd.com', 'bad.com', 'also-free.com'].map(ref));
  assert.deepEqual(
    told.map(({ reason }) => reason),
    [null, 'registry_unavailable', 'invalid', null],
  );
});

/** A registry that refuses what is said of names that begin with `odd`, `bad` and `untold`, and codes but short ones. */
async function connected(t: TestContext): Promise<RoutedRegistries> {
  const { port } = await play(t, (document) => {
    if (document.includes('<login')) return answer(document, 1000);
    const names = [...document.matchAll(/<domain:name[^>]*>([^<]+)/g)].map(([, name = '']) => name);
    const bad = names.find((name) => name.startsWith('bad'));
    if (bad !== undefined) return refusal(document, 2005, `<d:name>${bad}</d:name>`);
    if (names.some((name) => /^(odd|untold)/.test(name))) return answer(document, 2308);
    if (document.includes('<domain:pw>')) return refusal(document, 2005, '<d:pw>too-long-for-it</d:pw>');
    if (document.includes('<domain:check')) {
      const cds = names.map((name) => `<d:cd><d:name avail="1">${name}</d:name></d:cd>`).join('');
      return answer(
        document,
        1000,
        `<resData><d:chkData xmlns:d="${NS.domain}">${cds}</d:chkData></resData>`,
      );
    }
    const told = '<d:name>other.com</d:name><d:roid>D1-X</d:roid><d:clID>other</d:clID>';
    return answer(document, 1000, `<resData><d:infData xmlns:d="${NS.domain}">${told}</d:infData></resData>`);
  });
  const driver = new EppRegistrar(eppOptions('hostkeep', { port, clock: systemClock }));
  t.after(() => driver.close());
  return new RoutedRegistries(new Map([['one', driver]]));
}

/** An answer that names the value that it is about (RFC 5730 §2.6). */
function refusal(document: string, code: number, value: string): string {
  const told = `<value xmlns:d="${NS.domain}">${value}</value></result>`;
  return answer(document, code).replace('</result>', told);
}
