import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../test/domains.ts';

const domains = await openDomains((document) => {
  const com = document.tlds.find(({ tld }) => tld === 'com');
  if (com !== undefined) Object.assign(com, { whois_privacy: 2 });
});
const { clock, requests } = domains;
const YEAR = 200n;

test('what was paid of a term for hiding an owner is not paid again, and every further year is paid once', async () => {
  const who = await domains.customer(20_000n);
  const uuid = await domains.register(who, 'hidden-once.com', { whois_privacy: false });
  const paid = await domains.balanceOf(who);
  /** What switching it costs. */
  const set = async (enabled: boolean) => {
    const before = await domains.balanceOf(who);
    const set = await requests.call('domain/whois-privacy-update', { uuid, enabled }, { token: who.secret });
    assert.equal(set.status, 202, set.text);
    await domains.work();
    return before - (await domains.balanceOf(who));
  };
  assert.equal(await set(true), YEAR);
  assert.equal(await set(false), 0n);
  clock.set(clock.now().add({ hours: 24 * 30 }));
  assert.equal(await set(true), 0n, 'the term that runs is paid');
  assert.equal(await set(false), 0n);
  await domains.order(who, { action: 'renew', domain: 'hidden-once.com', period: 2 });
  await domains.work();
  assert.equal(await set(true), 2n * YEAR, 'the years that were added without it');
  assert.equal(await set(false), 0n);
  assert.equal(await set(true), 0n);
  assert.equal(paid - (await domains.balanceOf(who)), 3n * YEAR + 2n * 1_499n);
  assert.deepEqual(await domains.booksProblems(), []);
});
