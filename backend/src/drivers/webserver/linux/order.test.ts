// Slow: 15 s

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openAuthority } from '../../../../test/authority.ts';
import { freePort, openWebHost } from '../../../../test/web-host.ts';
import { openWebspaces } from '../../../../test/webspaces.ts';
import certificates from '../../../business/webspaces/names/certificates.job.ts';

const httpPort = await freePort();
const authority = await openAuthority(httpPort);
const host = await openWebHost({ httpPort, acme: authority.acme });
const ids: { webspaceId: string; username: string }[] = [];
after(async () => {
  for (const site of ids) await host.driver.ensureAbsent({ ...site, host: 'web1' });
  await host.close();
  await authority.close();
});
const webspaces = await openWebspaces(
  (document) => {
    document.web_hosts = document.web_hosts
      .slice(0, 1)
      .map((one) => ({ ...one, webserver: 'linux', php_versions: ['8.2'] }));
    document.webspace_packages = document.webspace_packages.map((pack) => ({
      ...pack,
      limits: { ...pack.limits, php_versions: ['8.2'], disk: 32, memory_limit: 64 },
    }));
  },
  new Map([['linux', host.driver]]),
);
const { customer, webspace, pool, run, work, clock } = webspaces;
clock.set(Temporal.Now.instant());
// Users of other tests may be there at the same time, and rules about them.
await webspaces.queue.query("SELECT setval('webspace_uids', $1)", [host.firstUid]);

async function made(input: object = {}) {
  const ordered = await webspace(await customer(1000n), input);
  const { username, password } = ordered.access;
  ids.push({ webspaceId: ordered.webspace_uuid, username });
  return {
    id: ordered.webspace_uuid,
    username,
    password: password ?? '',
    hostname: `${username}.web1.sites.example`,
  };
}
const tlsOf = async (id: string) =>
  (await pool.pg.query('SELECT tls_state, tls_problem FROM webspace_domains WHERE webspace_id = $1', [id]))
    .rows[0];

test('an order comes to an HTTPS page of a PHP file that was uploaded by SFTP with the password it answered', async () => {
  const site = await made();
  const upload = host.sftp(
    site.username,
    site.password,
    `put ${new URL('./fixtures/hello.php', import.meta.url).pathname} hello.php\nls -l\n`,
  );
  assert.equal(upload.code, 0, upload.stderr);
  assert.equal((await tlsOf(site.id)).tls_state, 'active');
  const page = await host.curl(site.hostname, '/hello.php', ['--cacert', authority.root]);
  assert.equal(page.status, 200, page.head);
  assert.equal(page.body.trim(), 'Hello from PHP 8.2');
  const plain = await host.curl(site.hostname, '/hello.php');
  assert.equal(plain.status, 301);
  assert.match(plain.head, /location: https:/i);
  const { rows } = await pool.pg.query('SELECT state FROM services WHERE id = $1', [site.id]);
  assert.deepEqual(rows, [{ state: 'active' }]);
});

test('a name that leads elsewhere, or whose CAA records name others, is not ordered for, and says why (rule H4)', async () => {
  const [away, forbidden] = ['away1', 'forbidden1'];
  await authority.tell('add-a', { host: `${away}.web1.sites.example`, addresses: ['192.0.2.1'] });
  await authority.tell('add-caa', {
    host: `${forbidden}.web1.sites.example.`,
    policies: [{ tag: 'issue', value: 'other.example' }],
  });
  const [first, second] = [await made({ username: away }), await made({ username: forbidden })];
  assert.deepEqual(await tlsOf(first.id), {
    tls_state: 'failed',
    tls_problem: 'away1.web1.sites.example leads elsewhere as well: 192.0.2.1',
  });
  assert.equal((await tlsOf(second.id)).tls_state, 'failed');
  assert.match((await tlsOf(second.id)).tls_problem, /CAA/);
  // The page is there all the same.
  assert.notEqual((await host.curl(first.hostname)).status, 301);
  await authority.tell('add-a', { host: `${away}.web1.sites.example`, addresses: ['127.0.0.1'] });
  await authority.tell('clear-a', { host: `${away}.web1.sites.example` });
  clock.set(clock.now().add({ minutes: 20 }));
  await run(certificates);
  await work();
  assert.equal((await tlsOf(first.id)).tls_state, 'active');
});

test('a name that nobody has gets no answer at all, with and without TLS (rule H1)', async () => {
  assert.equal((await host.curl('nobody.example')).status, 0);
  assert.equal((await host.curl('nobody.example', '/', ['--cacert', authority.root])).status, 0);
});
