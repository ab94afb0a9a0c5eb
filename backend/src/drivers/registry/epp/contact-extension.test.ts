import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { contact, done, refused } from '../../../../test/contracts/registrar-trial.ts';
import { questionFor } from '../../../../test/contracts/registry.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { openEpp } from '../../../../test/epp.ts';
import { SetClock } from '../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import type { RegistryContact } from '../port.ts';
import { SERVICES } from '../sandbox/epp/service.ts';
import { type ContactExtension, tellsExtra, writeExtra } from './contact-extension.ts';
import { ContactExtensionSettings } from './contact-extension-settings.ts';
import { DEFAULT_PROFILE } from './profile.ts';
import { Refused } from './refusal.ts';
import { writeDocument } from './wire/document.ts';

const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));
const namespace = SERVICES.citizenship;
let database: TestDatabase;
let db: Pool;
let epp: Awaited<ReturnType<typeof openEpp>>;

before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
  epp = await openEpp(db, clock);
});
after(async () => {
  await epp.close();
  await db.end();
  await database.drop();
});

function speaking(contactExtension: ContactExtension | null) {
  const ownExtensions = new Set(contactExtension === null ? [] : [contactExtension.namespace]);
  return epp.connect('hostkeep', {
    ownExtensions,
    profileOf: () => ({ ...DEFAULT_PROFILE, contactExtension }),
  });
}

const citizenship = ContactExtensionSettings.parse({
  namespace,
  fields: { eu_citizenship: { element: 'citizenship', values: { france: 'FR', austria: 'AT' } } },
});
const abroad = (handle: string, extra: RegistryContact['extra']) =>
  contact({ handle, country: 'US', phone: '+1.2025550123', extra });
const order = (domain: string, registrant: RegistryContact) => ({
  ...questionFor(domain, 'epp'),
  ...{ registrant, admin: null, tech: null, billing: null, years: 1, nameservers: [], ds: [] },
  ...{ authcode: 'Code-1-of-many', fee: null, since: clock.now() },
});

test('what a registry asks of contacts in its own extension is told, in its own words', async () => {
  const ours = speaking(citizenship);
  const registrant = abroad('HK-CITIZEN', { eu_citizenship: 'france', us_nexus: 'C11' });
  done(await ours.register(order('citizen.eu', registrant)));
  const { rows } = await db.pg.query("SELECT card->'extra' AS extra FROM sandbox.registry_contacts");
  assert.deepEqual(rows, [{ extra: { eu_citizenship: 'FR' } }]);
});

test('a contact that was made without it is brought to it, and one that has it is not told again', async () => {
  const registrant = abroad('HK-LATER', { eu_citizenship: 'austria' });
  refused(await speaking(null).register(order('later.eu', registrant)), 'contact_invalid');
  const ours = speaking(citizenship);
  done(await ours.register(order('later.eu', registrant)));
  const updates = () => epp.proxy.commands.filter((command) => command.includes('<contact:update')).length;
  const before = updates();
  done(await ours.register(order('later-too.eu', registrant)));
  assert.equal(updates(), before);
  done(await ours.register(order('moved.eu', { ...registrant, extra: { eu_citizenship: 'france' } })));
  assert.equal(updates(), before + 1);
});

test('a registry that does not offer the extension is not told half of a contact', async () => {
  const ours = speaking({ ...citizenship, namespace: 'urn:example:other-1.0' });
  const registrant = abroad('HK-UNTOLD', { eu_citizenship: 'france' });
  refused(await ours.register(order('untold.eu', registrant)), 'not_supported');
  const known = await db.pg.query("SELECT FROM sandbox.registry_contacts WHERE handle = 'HK-UNTOLD'");
  assert.equal(known.rows.length, 0);
  done(await ours.register(order('nothing-to-tell.eu', contact({ handle: 'HK-AT-HOME' }))));
});

test('fields go where they are mapped to: into elements, further inside, or as pairs of one text', () => {
  const extension = ContactExtensionSettings.parse({
    namespace: 'urn:example:all-1.0',
    create: 'extension',
    fields: {
      entity: 'registrant/type',
      code: 'registrant/code',
      purpose: { element: 'unspec', key: 'AppPurpose' },
      nexus: { element: 'unspec', key: 'NexusCategory' },
      agreed: { element: 'consent', values: { true: '1', false: '0' } },
    },
  });
  const extra = {
    nexus: 'C11',
    purpose: 'P1 & P2',
    entity: '1',
    code: 'X<Y',
    agreed: false,
    other: 'unknown',
  };
  const written = writeExtra(extension, extra, 'create');
  assert.ok(written);
  assert.equal(
    writeDocument(written).replace(/^.*\n/, ''),
    '<own:extension xmlns:own="urn:example:all-1.0"><own:registrant><own:type>1</own:type><own:code>X&lt;Y</own:code>' +
      '</own:registrant><own:unspec>AppPurpose=P1 &amp; P2 NexusCategory=C11</own:unspec><own:consent>0</own:consent>' +
      '</own:extension>',
  );
  assert.equal(writeExtra(extension, { other: 'unknown', code: 7 }, 'update'), null);
  const told = (answer: typeof written) => ({
    ...{ code: 1000, message: '', details: [], queue: null, data: [], clTRID: null, svTRID: null },
    extensions: [{ ...answer, name: 'infData' }],
  });
  assert.equal(tellsExtra(extension, extra, told(written)), true);
  assert.equal(tellsExtra(extension, { ...extra, nexus: 'C12' }, told(written)), false);
  assert.equal(tellsExtra(extension, extra, { ...told(written), extensions: [] }), false);
});

test('a value of one pair cannot add another', () => {
  const extension = ContactExtensionSettings.parse({
    namespace,
    fields: {
      number: { element: 'unspec', key: 'Number' },
      nexus: { element: 'unspec', key: 'NexusCategory' },
    },
  });
  for (const number of ['7 NexusCategory=C11', '7\tNexusCategory=C11', '7\u0085 NexusCategory=C11']) {
    assert.throws(() => writeExtra(extension, { number, nexus: 'C31' }, 'create'), Refused);
  }
  assert.ok(writeExtra(extension, { number: '7 = seven' }, 'create'));
});

test('a mapping that could not be sent is refused where it is written', () => {
  const bad: readonly (readonly [object, RegExp])[] = [
    [{ fields: { a: 'x' }, namespace: 'urn:ietf:params:xml:ns:contact-1.0' }, /namespace/],
    [{ fields: { a: 'x' }, namespace: 'no namespace' }, /namespace/],
    [{ fields: {} }, /has no fields/],
    [{ fields: { a: '<x>' } }, /fields\.a/],
    [{ fields: { 'A-B': 'x' } }, /fields\.A-B/],
    [{ fields: { a: 'x', b: 'x' } }, /goes where a goes/],
    [{ fields: { a: 'x', b: 'x/y' } }, /goes where a goes/],
    [{ fields: { a: { element: 'x', key: 'K' }, b: { element: 'x', key: 'K' } } }, /goes where a goes/],
    [{ fields: { a: { element: 'x', key: 'K=' } } }, /fields\.a/],
    [{ create: 'x y', fields: { a: 'x' } }, /create/],
  ];
  for (const [settings, reason] of bad) {
    const read = ContactExtensionSettings.safeParse({ namespace, ...settings });
    assert.equal(read.success, false);
    assert.match(
      JSON.stringify(read.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)),
      reason,
    );
  }
});
