// Slow: 5 s

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { registrarContract } from '../../../../test/contracts/registrar.ts';
import {
  contact,
  done,
  drained,
  type RegistrarSubject,
  RegistrarTrial,
  refused,
  type TrialCommand,
} from '../../../../test/contracts/registrar-trial.ts';
import { questionFor, registryContract } from '../../../../test/contracts/registry.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { openEpp } from '../../../../test/epp.ts';
import { assertValidEpp } from '../../../../test/xmllint.ts';
import { SetClock } from '../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { days } from '../sandbox/life.ts';
import type { EppRegistrar } from './registrar.ts';

const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));
let database: TestDatabase;
let db: Pool;
let epp: Awaited<ReturnType<typeof openEpp>>;
let trial: RegistrarTrial;
let ours: EppRegistrar;

before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
  epp = await openEpp(db, clock);
  ours = epp.connect('hostkeep');
  trial = new RegistrarTrial(subject());
  epp.proxy.faults.push({ command: 'down-contract.com', fault: 'unanswered' });
});
after(async () => {
  await epp.close();
  await db.end();
  await database.drop();
});

/** What is in the documents of these commands, and of no others for the same domain. */
const DOCUMENTS: Readonly<Record<TrialCommand, string>> = {
  create: '<domain:create',
  renew: '<domain:renew',
  request_transfer: '<transfer op="request"',
  cancel_transfer: '<transfer op="cancel"',
  approve_transfer: '<transfer op="approve"',
  reject_transfer: '<transfer op="reject"',
  update: '<domain:update',
  delete: '<domain:delete',
  restore: '<rgp:restore op="request"',
  report: '<rgp:restore op="report"',
};

const FAULTS = {
  timeout_before: 'lost',
  timeout_after: 'unanswered',
  repeat: 'twice',
  refuse: 2308,
} as const;

/** The sandbox registry behind TLS, a proxy before it that loses and repeats frames. */
function subject(): RegistrarSubject {
  return {
    driver: ours,
    rival: epp.connect('rival'),
    registry: 'epp',
    tld: 'com',
    now: () => clock.now(),
    pass: async (count) => clock.set(days(clock.now(), count)),
    async fail(domain, command, fault) {
      epp.proxy.faults.push({ command: [DOCUMENTS[command], `>${domain}<`], fault: FAULTS[fault] });
    },
    async charged(domain) {
      const { rows } = await db.pg.query(
        `SELECT FROM sandbox.registry_charges WHERE domain = $1 AND kind <> 'refund'`,
        [domain],
      );
      return rows.length;
    },
    close: async () => {},
  };
}

const ref = (domain: string) => questionFor(domain, 'epp');

registrarContract('epp', async () => subject());

registryContract('epp', () => ours, {
  free: [ref('hostkeep-contract.com'), ref('xn--bcher-hostkeep-gsb.de'), ref('hostkeep.co.uk')],
  taken: ref('taken-contract.com'),
  reserved: ref('reserved-contract.com'),
  premium: ref('premium-contract.com'),
  silent: null,
  breaking: ref('down-contract.com'),
});

test('texts arrive as they are, whatever XML makes of their characters', async () => {
  const registrant = contact({
    name: `Erika <Müster> & "Söhne" ]]> '\u{1f600}`,
    organisation: '&amp; <GmbH>',
  });
  const order = trial.order(ref('characters.com'), { registrant, authcode: `<&"']]>  -Ä-\u{1f600}` });
  done(await ours.register(order));
  const before = epp.proxy.commands.length;
  done(await ours.update({ ...order, contacts: { registrant } }));
  const sent = epp.proxy.commands.slice(before);
  assert.deepEqual(
    sent.filter((document) => document.includes('<update>')),
    [],
    'the registry has both as they are wanted',
  );
  const unsendable = { ...order, ...ref('unsendable.com'), authcode: 'a\u0000b' };
  refused(await ours.register(unsendable), 'authcode_invalid');
});

test('premium names are sold for the fee that was accepted, and for no other', async () => {
  const premium = ref('premium-sold.com');
  const bought = (amount: bigint, currency = 'EUR') =>
    ours.register(trial.order(premium, { fee: { amount, currency } }));
  refused(await ours.register(trial.order(premium)), 'fee_differs');
  refused(await bought(2_489_999n), 'fee_differs');
  refused(await bought(2_490_000n, 'USD'), 'fee_differs');
  const { expireAt } = done(await bought(2_490_000n));
  assert.ok(expireAt);
  const renewal = { ...premium, years: 1, believedExpireAt: expireAt };
  refused(await ours.renew({ ...renewal, fee: null }), 'fee_differs');
  done(await ours.renew({ ...renewal, fee: { amount: 990_000n, currency: 'EUR' } }));
});

test('what a TLD asks for is refused by its reason', async () => {
  for (const domain of ['google.com', 'reserved-one.com'])
    refused(await ours.register(trial.order(ref(domain))), 'domain_not_available');
  const withoutTech = trial.order(ref('roles.de'), { admin: contact() });
  refused(await ours.register(withoutTech), 'contact_invalid');
  const endless = done(await ours.register({ ...withoutTech, tech: contact() }));
  assert.equal(endless.expireAt, null);
  const renewal = { ...ref('roles.de'), years: 1, believedExpireAt: clock.now(), fee: null };
  refused(await ours.renew(renewal), 'not_supported');
});

test('a domain that was released is told by a message', async () => {
  const leaving = ref('leaving.com');
  done(await ours.register(trial.order(leaving)));
  clock.set(days(clock.now(), 10));
  done(await ours.delete(leaving));
  clock.set(days(clock.now(), 36));
  assert.equal(await ours.info(leaving), null);
  const changes = (await drained(ours)).flatMap(({ about }) =>
    about?.kind === 'domain' && about.domain === leaving.domain ? [about.change] : [],
  );
  assert.deepEqual(changes, ['deleted']);
});

test('every frame of both sides is valid under the schemas of EPP', async () => {
  const documents = [...epp.proxy.commands, ...epp.proxy.answers];
  for (const part of [
    'secDNS:update',
    'rgp:restore',
    'rgp:report',
    'fee:chkData',
    'fee:creData',
    'hostObj',
    'panData',
    'contact:chg',
    'host:rem',
  ])
    assert.ok(
      documents.some((document) => document.includes(part)),
      part,
    );
  await assertValidEpp(documents);
});
