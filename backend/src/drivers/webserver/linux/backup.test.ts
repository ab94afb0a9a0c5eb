// Slow: 10 s

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { done } from '../../../../test/contracts/webserver.ts';
import { openWebHost, ran } from '../../../../test/web-host.ts';
import { localExecutor } from '../../host/local.ts';
import type { WantedSite } from '../port.ts';

/** What archives wait for before they begin, where a test holds them up. */
let held: { readonly begun: () => void; readonly until: Promise<void> } | null = null;
const local = localExecutor('web server');
const host = await openWebHost({
  executor: {
    ...local,
    async pipe(argv, streams) {
      if (held !== null && argv.includes('--create')) {
        held.begun();
        await held.until;
      }
      await local.pipe(argv, streams);
    },
  },
});
after(host.close);
const PASSWORD = 'correct horse battery';

async function customer() {
  const site = host.wanted({ password: PASSWORD });
  done(await host.driver.ensureSite(site));
  return { ...site, htdocs: `${host.settings.sites}/${site.username}/htdocs` };
}
const as = ({ uid }: Pick<WantedSite, 'uid'>, text: string) =>
  ran(['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups', 'sh', '-euc', text]);
async function database(site: WantedSite) {
  const name = `${site.username}_db`;
  done(await host.driver.ensureDatabase(site, name, PASSWORD));
  return (text: string) => host.sql(name, PASSWORD, text);
}

test('a backup holds no suspension up, however long it takes', { timeout: 240_000 }, async () => {
  const site = await customer();
  const [begun, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  held = { begun: begun.resolve, until: open.promise };
  const backup = host.driver.ensureBackup(site, randomUUID());
  await begun.promise;
  held = null;
  done(await host.driver.ensureSuspended(site));
  assert.equal((await host.curl(site.hostnames[0]?.hostname ?? '')).status, 503);
  open.resolve();
  assert.ok(done(await backup).sizeBytes > 0);
});

// What they cannot read is not in the backup.
test('a restore opens directories that are closed to their owner, too', async () => {
  const site = await customer();
  const { htdocs } = site;
  const make = 'mkdir -p a/b c; echo kept >a/b/file; echo kept >file; chmod 0555 a/b; chmod 0 c';
  assert.equal(as(site, `cd ${htdocs}; ${make}`).code, 0);
  const backup = randomUUID();
  done(await host.driver.ensureBackup(site, backup));
  as(site, `cd ${htdocs}; echo new >file; echo new >since`);
  for (const restore of [randomUUID(), randomUUID()])
    done(await host.driver.ensureRestored(site, backup, restore));
  assert.equal(
    as(site, `cd ${htdocs}; cat a/b/file file; stat -c %a a/b; ls`).stdout,
    'kept\nkept\n555\na\nfile\n',
  );
});

test('a view of what is gone keeps nothing else from being backed up', async () => {
  const site = await customer();
  const sql = await database(site);
  const made = sql(`CREATE TABLE t (n int); CREATE TABLE kept (n int); INSERT INTO kept VALUES (7);
    CREATE VIEW \`a view, gone\` AS SELECT n FROM t; CREATE VIEW whole AS SELECT n FROM kept; DROP TABLE t`);
  assert.equal(made.code, 0, made.stderr);
  const backup = randomUUID();
  done(await host.driver.ensureBackup(site, backup));
  assert.equal(sql('DELETE FROM kept').code, 0);
  done(await host.driver.ensureRestored(site, backup, randomUUID()));
  assert.equal(sql('SELECT n FROM whole').stdout, '7\n');
});

test('a database that cannot be dumped is a refusal: to try again would change nothing', async () => {
  const site = await customer();
  const sql = await database(site);
  const made = sql(
    'CREATE TABLE t (n int) ENGINE=MyISAM; CREATE TABLE m (n int) ENGINE=MRG_MyISAM UNION=(t); DROP TABLE t',
  );
  assert.equal(made.code, 0, made.stderr);
  const outcome = await host.driver.ensureBackup(site, randomUUID());
  assert.equal(outcome.kind, 'refused', JSON.stringify(outcome));
});

test('a restore that cannot be is refused, and all is as it was', async () => {
  const site = await customer();
  const { htdocs } = site;
  const sql = await database(site);
  assert.equal(sql('CREATE TABLE t (n int); INSERT INTO t VALUES (1)').code, 0);
  assert.equal(as(site, `head -c 20000000 /dev/urandom >${htdocs}/big`).code, 0);
  const [fits, unreadable] = [randomUUID(), randomUUID()];
  for (const backup of [fits, unreadable]) done(await host.driver.ensureBackup(site, backup));
  const dump = `${host.directory}/backups/${site.webspaceId}/${unreadable}/${site.username}_db.sql`;
  appendFileSync(dump, 'THIS IS NO SQL;\n');
  const since = `cd ${htdocs}; rm big; mkdir sub; echo since >sub/since; ln -s sub link`;
  assert.equal(as(site, `${since}; head -c 16000000 /dev/urandom >../tmp/full`).code, 0);
  assert.equal(sql('UPDATE t SET n = 2').code, 0);
  for (const [backup, reason] of [
    [unreadable, /a dump cannot be read/],
    [fits, /Disk quota exceeded/],
  ] as const) {
    const outcome = await host.driver.ensureRestored(site, backup, randomUUID());
    assert.match(outcome.kind === 'refused' ? outcome.reason : outcome.kind, reason);
    assert.equal(as(site, `cd ${htdocs}; ls; cat link/since`).stdout, 'link\nsub\nsince\n');
    assert.equal(sql('SELECT n FROM t').stdout, '2\n');
  }
  as(site, `rm ${htdocs}/../tmp/full`);
  done(await host.driver.ensureRestored(site, fits, randomUUID()));
  assert.equal(as(site, `ls ${htdocs}`).stdout, 'big\n');
  assert.equal(sql('SELECT n FROM t').stdout, '1\n');
});
