// Slow: 10 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openZones } from '../../../test/zones.ts';

const zones = await openZones();
const customer = await zones.customer(100_000n);
const create = (name: string, content = '192.0.2.1', type = 'A') => ({
  action: 'create',
  name,
  type,
  content,
});

test('a change is committed at once, published by a task, and told by an event', async () => {
  await zones.zone(customer, 'first-change.com');
  const changed = await zones.update(customer, 'first-change.com', { changes: [create('www')] });
  assert.equal(changed.applied, true);
  assert.equal(changed.zone.version, 2);
  assert.deepEqual(changed.published.nameservers_current, 0);
  assert.equal(changed.task.state, 'queued');
  assert.equal(changed.diff.added.length, 1);
  await zones.work();
  assert.deepEqual(await zones.served('first-change.com'), ['www.first-change.com A 192.0.2.1']);
  const { published, zone } = await zones.requests.data(
    'domain/dns-records',
    { domain: 'first-change.com' },
    { token: customer.secret },
  );
  assert.deepEqual([published.nameservers_total, published.nameservers_current], [2, 2]);
  assert.ok(zone.serial > 0);
  const task = await zones.requests.data(
    'task/details',
    { uuid: changed.task.uuid },
    { token: customer.secret },
  );
  assert.equal(task.task.state, 'succeeded');
  assert.ok((await zones.events(customer)).includes('domain.dns_changed'));
});

const refusal = async (domain: string, input: object) =>
  await zones.requests.refused(
    'dns_record_invalid',
    'domain/dns-update',
    { domain, ...input },
    { token: customer.secret },
  );

test('of one wrong record nothing is done: each wrong one is named, and the others are not', async () => {
  await zones.zone(customer, 'all-or-nothing.com');
  const changes = [
    create('good'),
    create('bad', '192.0.2.300'),
    create('x'.repeat(64)),
    create(Array.from({ length: 300 }, () => 'a').join('.')),
    create(`${'long-label-of-fifty-characters-in-a-long-long-name.'.repeat(5)}end`),
    create('xn--a', '192.0.2.1'),
    create('also-good', 'broken \ufffd text', 'TXT'),
    create('@', 'elsewhere.example.', 'CNAME'),
    create('good', '192.0.2.1'),
    { action: 'delete', id: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' },
  ];
  const { errors } = await refusal('all-or-nothing.com', { changes });
  assert.deepEqual(
    errors.map(({ pointer }: { pointer: string }) => pointer.split('/')[2]),
    ['1', '2', '3', '4', '5', '6', '9'],
  );
  for (const { message } of errors) assert.ok(message.length > 10);
  const together = await refusal('all-or-nothing.com', { changes: [changes[0], changes[8], changes[7]] });
  assert.deepEqual(
    together.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/changes/1/content', '/changes/2/type'],
  );
  assert.deepEqual(await zones.records(customer, 'all-or-nothing.com'), []);
  assert.equal((await zones.row('all-or-nothing.com')).version, 1);
});

const FILES: Readonly<Record<string, string>> = {
  'reads another file': '$INCLUDE /etc/passwd',
  'makes a gigabyte of records': '$GENERATE 1-1073741824 host-$ A 192.0.2.1',
  'points in a circle': 'a 3600 IN CNAME b\na 3600 IN CNAME c',
  'has broken punycode': 'xn--zzzzzzzzzzzzzz99999 IN A 192.0.2.1',
  'has a name of 300 labels': `${Array.from({ length: 300 }, () => 'a').join('.')} IN A 192.0.2.1`,
  'has text that is not UTF-8': 'a IN TXT "\ufffd"',
  'has a control character': 'a IN TXT "\u0007"',
  'turns the direction of writing': '\u202egood IN A 192.0.2.1',
  'opens a parenthesis for ever': '@ IN TXT ( "a"',
  'is of another zone': 'www.example.org. IN A 192.0.2.1',
};

for (const [what, line] of Object.entries(FILES)) {
  test(`a zone file that ${what} is refused with its line, and changes nothing`, async () => {
    const domain = `file-${Object.keys(FILES).indexOf(what)}.com`;
    await zones.zone(customer, domain);
    await zones.update(customer, domain, { changes: [create('stays')] });
    const file = `$TTL 3600\n@ IN MX 10 mail.example.net.\n${line}\n`;
    const { errors, response } = await refusal(domain, { zonefile: file, mode: 'replace' });
    assert.equal(errors[0].pointer, '/zonefile');
    assert.match(errors[0].message, /^Line [34]: /);
    assert.ok(response.includes(errors[0].message), response);
    assert.deepEqual(await zones.records(customer, domain), ['stays A 192.0.2.1']);
  });
}

test('a zone file is imported and exported as the same zone, comments and disabled records too', async () => {
  await zones.zone(customer, 'round-trip.com');
  const zonefile = [
    '$TTL 1h',
    '@ IN SOA ns.old.example. admin.old.example. 1 2 3 4 5',
    '@ IN NS ns.old.example.',
    'www 300 IN A 192.0.2.1 ; the web server',
    '  300 IN AAAA 2001:DB8::1',
    'mail IN MX 10 MX.example.net.',
    '_sip._tcp IN SRV 1 2 5060 sip.example.net.',
    't IN TXT "semi;colon" "quote\\"s"',
  ].join('\n');
  const imported = await zones.update(customer, 'round-trip.com', { zonefile, mode: 'replace' });
  assert.equal(imported.diff.added.length, 5);
  assert.equal(
    imported.warnings.filter(({ error }: { error: string }) => error === 'managed_by_system').length,
    2,
  );
  const [www] = imported.diff.added;
  await zones.update(customer, 'round-trip.com', {
    changes: [{ action: 'update', id: www.id, disabled: true }],
  });
  await zones.work();
  const before = await zones.records(customer, 'round-trip.com');
  const exported = await zones.requests.data(
    'domain/dns-records',
    { domain: 'round-trip.com', format: 'bind' },
    { token: customer.secret },
  );
  assert.match(exported.zonefile, /SOA\tns1\.hosting\.example\. hostmaster\.round-trip\.com\. [1-9]\d+ /);
  assert.match(exported.zonefile, /^; disabled: www\t.* ; the web server$/m);
  const again = await zones.update(customer, 'round-trip.com', {
    zonefile: exported.zonefile,
    mode: 'replace',
  });
  assert.deepEqual([again.diff.added, again.diff.removed, again.diff.changed], [[], [], []]);
  assert.equal(again.revision_uuid, null);
  assert.equal(again.task, null);
  assert.deepEqual(await zones.records(customer, 'round-trip.com'), before);
});

test('a dry run tells what would change, and changes nothing', async () => {
  await zones.zone(customer, 'dry.com');
  const preview = await zones.update(customer, 'dry.com', { changes: [create('www')], dry_run: true });
  assert.equal(preview.applied, false);
  assert.equal(preview.diff.added.length, 1);
  assert.equal(preview.revision_uuid, null);
  assert.deepEqual(await zones.records(customer, 'dry.com'), []);
});

test('of a thousand updates under way at once, those of one version that are first are there, and no other', async () => {
  await zones.zone(customer, 'contended.com');
  // Twenty believe in each version, in the order in which the zone comes to them.
  const asked = Array.from({ length: 1_000 }, (_, at) => ({
    name: `h${at}`,
    believed: 1 + Math.floor(at / 20),
  }));
  const answers = await Promise.all(
    asked.map(async ({ name, believed }) => {
      const input = { domain: 'contended.com', changes: [create(name)], expected_version: believed };
      const { status, body } = await zones.requests.call('domain/dns-update', input, {
        token: customer.secret,
      });
      assert.ok([202, 409].includes(status), body.error);
      if (status === 409) assert.ok(['version_mismatch', 'resource_locked'].includes(body.error), body.error);
      return { name, believed, isAccepted: status === 202, version: body.data?.zone.version };
    }),
  );
  const accepted = answers.filter(({ isAccepted }) => isAccepted);
  assert.ok(accepted.length > 0);
  for (const { believed, version } of accepted) assert.equal(version, believed + 1);
  const versions = accepted.map(({ version }) => version).toSorted((a, b) => a - b);
  assert.deepEqual(
    versions,
    versions.map((_, at) => at + 2),
    'no two were first, and none was lost',
  );
  assert.equal((await zones.row('contended.com')).version, 1 + accepted.length);
  const there = await zones.records(customer, 'contended.com');
  assert.deepEqual(there.toSorted(), accepted.map(({ name }) => `${name} A 192.0.2.1`).toSorted());
});

test('without a version, updates that come together all count', async () => {
  await zones.zone(customer, 'together.com');
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      zones.update(customer, 'together.com', { changes: [create(`h${index}`)] }),
    ),
  );
  assert.equal((await zones.records(customer, 'together.com')).length, 50);
  assert.equal((await zones.row('together.com')).version, 51);
  await zones.work();
  assert.equal((await zones.served('together.com'))?.length, 50);
});

test('a name that looks like another is taken, with a warning that names it', async () => {
  await zones.zone(customer, 'looks-alike.com');
  const { warnings } = await zones.update(customer, 'looks-alike.com', { changes: [create('p\u0430ypal')] });
  const mixed = warnings.filter(({ error }: { error: string }) => error === 'name_mixes_scripts');
  assert.deepEqual(
    mixed.map(({ pointer }: { pointer: string }) => pointer),
    ['/changes/0/name'],
  );
});
