import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { contact, done, RegistrarTrial, refused } from '../../../../test/contracts/registrar-trial.ts';
import { questionFor } from '../../../../test/contracts/registry.ts';
import { eppOptions } from '../../../../test/epp.ts';
import { answer, play } from '../../../../test/played-registry.ts';
import { SetClock } from '../../../base/clock.ts';
import { BackendUnavailable } from '../../outcome.ts';
import { EppRegistrar, type EppRegistrarOptions } from './registrar.ts';
import { NS } from './wire/namespace.ts';

/** What registries answer that the sandbox never would. */

const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));
const ref = questionFor('a.com', 'epp');
const renewal = { ...ref, years: 1, believedExpireAt: clock.now(), fee: null };

test('of others’ domains registries may tell when they were made or not, or nothing at all', async (t) => {
  const scarce = `<d:clID>other</d:clID>`;
  const driver = await registry(t, (document) => answer(document, 1000, infData(scarce)));
  const { registrar, sponsoredHere, createdAt, expireAt } = (await driver.info(ref)) ?? {};
  assert.deepEqual([registrar, sponsoredHere, createdAt, expireAt], ['other', false, null, null]);
  const silent = await registry(t, (document) => answer(document, 2201));
  assert.deepEqual((await silent.info(ref))?.sponsoredHere, false);
  assert.equal((await silent.info(ref))?.registrar, null);
});

test('a domain that we are told nothing of is not ours to register, to change or to renew, but to ask for', async (t) => {
  const sent: string[] = [];
  const driver = await registry(t, (document) => {
    sent.push(document);
    return document.includes('op="request"')
      ? answer(document, 1001, trnData('hostkeep', 'pending'))
      : answer(document, 2201);
  });
  const trial = trialOf(driver);
  refused(await driver.register(trial.order(ref)), 'domain_not_available');
  refused(await driver.update({ ...ref, statuses: ['clientHold'] }), 'state_conflict');
  refused(await driver.renew(renewal), 'state_conflict');
  assert.equal(done(await driver.requestTransfer(trial.transferOf(ref))).status, 'pending');
  assert.equal(sent.filter((document) => /<(create|update|renew)>/.test(document)).length, 0);
});

test('a date of ours that is missing or cannot be read is not taken for none', async (t) => {
  const own = '<d:clID>hostkeep</d:clID>';
  for (const told of [own, `${own}<d:crDate>2027-01-15T12:00:00Z</d:crDate><d:exDate>never</d:exDate>`]) {
    const driver = await registry(t, (document) => answer(document, 1000, infData(told)));
    await assert.rejects(driver.renew(renewal), BackendUnavailable);
  }
});

test('names, handles and dates are read however they are written', async (t) => {
  const told = `<d:contact type="tech">HK-1</d:contact><d:contact type="tech">HK-2</d:contact>
    <d:ns><d:hostObj>NS1.Example.NET</d:hostObj></d:ns><d:clID> hostkeep </d:clID>
    <d:crDate>2027-01-15T13:00:00.0+01:00</d:crDate><d:exDate>2028-01-15T12:00:00.123456789012Z</d:exDate>`;
  const driver = await registry(t, (document) =>
    answer(document, 1000, infData(told).replace('>a.com<', '>A.COM<')),
  );
  const found = await driver.info(ref);
  assert.equal(found?.domain, 'a.com');
  assert.deepEqual(
    found.nameservers.map(({ hostname }) => hostname),
    ['ns1.example.net'],
  );
  assert.equal(found.contacts.tech, 'HK-1');
  assert.equal(found.createdAt?.toString(), '2027-01-15T12:00:00Z');
  assert.equal(found.expireAt?.toString(), '2028-01-15T12:00:00.123456789Z');
});

test('of several contacts in a role only the one that is wanted stays', async (t) => {
  const updates: string[] = [];
  const driver = await registry(t, (document) => {
    if (document.includes('<update>')) updates.push(document);
    const told = ['HK-1', 'HK-2', 'HK-3']
      .map((handle) => `<d:contact type="tech">${handle}</d:contact>`)
      .join('');
    const ids = '<d:clID>hostkeep</d:clID><d:crDate>2027-01-15T12:00:00Z</d:crDate>';
    return answer(document, 1000, document.includes('<domain:info') ? infData(told + ids) : '');
  });
  done(await driver.update({ ...ref, contacts: { tech: contact({ handle: 'HK-2' }) } }));
  const [update = ''] = updates;
  assert.equal(update.includes('<domain:add>'), false);
  assert.deepEqual(update.match(/HK-\d(?=<)/g), ['HK-1', 'HK-3']);
});

test('a message that cannot be understood is told by its text, and does not keep back the others', async (t) => {
  const dubious = [
    trnData('other', 'askedTwice'),
    trnData('other', 'pending').replace(/<d:acDate>.*<\/d:acDate>/, ''),
    `<resData><x:thing xmlns:x="urn:x"/></resData>`,
    infData('<d:clID>hostkeep</d:clID>').replace('<d:name>a.com</d:name>', ''),
  ];
  for (const data of dubious) {
    const queue = '<msgQ count="2" id="7"><qDate>no date</qDate><msg>Words</msg></msgQ>';
    const driver = await registry(t, (document) => answer(document, 1301, queue + data));
    const at = clock.now();
    assert.deepEqual(await driver.nextMessage(), { id: '7', at, text: 'Words', about: null });
  }
});

test('what a registry repeats of a password or an authcode does not get past the driver', async (t) => {
  const words: string[] = [];
  const secret = 'Sesame-<open>-up';
  const echo = (document: string) =>
    document.includes('<domain:info')
      ? answer(document, 2303)
      : answer(document, 2202).replace('Told', 'The code Sesame-&lt;open&gt;-up is wrong');
  const driver = await registry(t, echo, {
    onExchange: ({ message }) => words.push(message),
    onRefusal: ({ message }) => words.push(message),
  });
  const transfer = trialOf(driver).transferOf(ref, { authcode: secret });
  refused(await driver.requestTransfer(transfer), 'authcode_invalid');
  assert.ok(words.includes('The code *** is wrong'));
  assert.ok(words.includes('2202 The code *** is wrong'));
  const locked = await play(t, (document) =>
    answer(document, 2200).replace('Told', 'hostkeep-sandbox is no password'),
  );
  const kept = new EppRegistrar(eppOptions('hostkeep', { port: locked.port, clock }));
  t.after(() => kept.close());
  assert.match((await kept.problem()) ?? '', /2200 \*\*\* is no password/);
});

/** A driver at a registry that lets it in and answers the rest as told. */
async function registry(
  t: TestContext,
  react: (document: string) => string,
  own: Partial<EppRegistrarOptions> = {},
): Promise<EppRegistrar> {
  const played = await play(t, (document) =>
    document.includes('<login') ? answer(document, 1000) : react(document),
  );
  const driver = new EppRegistrar(eppOptions('hostkeep', { port: played.port, clock }, own));
  t.after(() => driver.close());
  return driver;
}

function trialOf(driver: EppRegistrar): RegistrarTrial {
  return new RegistrarTrial({
    driver,
    rival: driver,
    registry: 'epp',
    tld: 'com',
    now: () => clock.now(),
    pass: async () => {},
    fail: async () => {},
    charged: async () => 0,
    close: async () => {},
  });
}

function infData(parts: string): string {
  return `<resData><d:infData xmlns:d="${NS.domain}"><d:name>a.com</d:name><d:roid>D1-X</d:roid>${parts}</d:infData></resData>`;
}

function trnData(asker: string, status: string): string {
  return `<resData><d:trnData xmlns:d="${NS.domain}"><d:name>a.com</d:name><d:trStatus>${status}</d:trStatus>
    <d:reID>${asker}</d:reID><d:reDate>2027-01-15T12:00:00Z</d:reDate><d:acID>hostkeep</d:acID><d:acDate>2027-01-20T12:00:00Z</d:acDate></d:trnData></resData>`;
}
