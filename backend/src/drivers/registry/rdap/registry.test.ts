import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionFor, registryContract } from '../../../../test/contracts/registry.ts';
import { openRegistries, type RdapAnswer } from '../../../../test/registries.ts';
import { SetClock } from '../../../base/clock.ts';
import { InternetWhois } from '../../whois/internet/directory.ts';
import type { DomainAvailability } from '../port.ts';
import { RoutedRegistries } from '../routing.ts';
import { RdapRegistry } from './registry.ts';

const world = await openRegistries([]);
const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));
const { paths, asked, outbound, rdapUrl } = world;

const json =
  (body: unknown, status = 200): RdapAnswer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/rdap+json' }).end(JSON.stringify(body));

const services = [
  [['name'], [rdapUrl]],
  [['elsewhere'], ['https://rdap.inside.example/']],
];
paths.set('/bootstrap/dns.json', json({ publication: '2027-01-01T00:00:00Z', services }));
paths.set('/domain/taken.name', json({ objectClassName: 'domain', ldhName: 'taken.name' }));
paths.set('/domain/silent.name', () => {});
paths.set('/domain/breaking.name', (response) => void response.destroy());
paths.set('/domain/limited.name', json({}, 429));
paths.set('/domain/odd.name', json({ objectClassName: 'entity' }));

const open = () => {
  const directory = new InternetWhois({ clock, outbound, bootstrapUrl: `${rdapUrl}bootstrap/` });
  return new RdapRegistry(
    async (domain) => (await directory.lookup({ type: 'domain', name: domain }, 'rdap', 6_000)).registered,
  );
};

registryContract('rdap', open, {
  free: [questionFor('free.name', 'rdap'), questionFor('xn--bcher-kva.name', 'rdap')],
  freeIsUnconfirmed: true,
  taken: questionFor('taken.name', 'rdap'),
  reserved: null,
  premium: null,
  silent: questionFor('silent.name', 'rdap'),
  breaking: questionFor('breaking.name', 'rdap'),
});

test('a registry at an address that nothing leads to leaves its names open', async () => {
  const nowhere = { ...outbound, resolve: async () => ['255.255.255.255'], permits: () => true };
  const directory = new InternetWhois({ clock, outbound: nowhere, bootstrapUrl: `${rdapUrl}bootstrap/` });
  for (const source of ['rdap', 'whois'] as const)
    await assert.rejects(directory.lookup({ type: 'domain', name: 'free.name' }, source, 6_000), {
      name: 'WhoisFailure',
    });
});

test('a name that RDAP does not find is unconfirmed, never available (rule F9)', async () => {
  const answers: DomainAvailability[] = [];
  const signal = new AbortController().signal;
  await open().check([questionFor('free.name', 'rdap')], (answer) => answers.push(answer), signal);
  assert.deepEqual(answers, [
    { domain: 'free.name', available: false, reason: 'unconfirmed', premium: null },
  ]);
});

test('whatever is no clear answer leaves its name open, and the others are answered', async () => {
  const failures: unknown[] = [];
  const queries = new RoutedRegistries(new Map([['rdap', open()]]), {
    onFailure: (failure) => failures.push(failure),
  });
  const names = ['limited.name', 'odd.name', 'breaking.name', 'x.nobody', 'x.elsewhere', 'taken.name'];
  const answers = await queries.check(names.map((name) => questionFor(name, 'rdap')));
  assert.deepEqual(
    answers.map(({ reason }) => reason),
    [...new Array(5).fill('registry_unavailable'), 'taken'],
  );
  assert.equal(failures.length, 1);
  assert.ok(!asked.some((line) => line.includes('x.elsewhere')), 'no address that is not public is asked');
});
