import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { BackendUnavailable, type CommandOutcome } from '../../src/drivers/outcome.ts';
import type { SiteRef, WantedSite, Webserver } from '../../src/drivers/webserver/port.ts';

export type ContractFault = 'timeout_before' | 'timeout_after' | 'refuse' | 'repeat';

/** A driver under test, with the ways to look into its sites that the port does not have. */
export interface ContractSubject {
  readonly driver: Webserver;
  /** A site that was never made, on a host and with a PHP that the driver has; with an id and a user of its own. */
  wanted(): WantedSite;
  /** Another PHP that it has. */
  readonly otherPhp: string;
  /** One that its host does not have; null: it has whichever is asked for. */
  readonly missingPhp: string | null;
  /** By which version the site's programs run. */
  phpOf(site: WantedSite): Promise<string>;
  writeFile(site: SiteRef, name: string): Promise<void>;
  hasFile(site: SiteRef, name: string): Promise<boolean>;
  /** What the world sees at a host name of the site. */
  seen(site: SiteRef, hostname: string): Promise<'site' | 'suspended' | 'nothing'>;
  /** Whether SFTP lets its user in. */
  logsIn(site: SiteRef, password: string): Promise<boolean>;
  databaseLogsIn(site: SiteRef, name: string, password: string): Promise<boolean>;
  /** Makes the next ensureSite for this site go wrong; null: this driver cannot be brought to it. */
  fail: ((site: SiteRef, fault: ContractFault) => Promise<void>) | null;
  close(): Promise<void>;
}

const DEADLINE_MS = 10_000;

/** What every web server driver must do, whatever it drives: the sandbox passes it, so jobs may rely on it. */
export function webserverContract(name: string, open: () => Promise<ContractSubject>): void {
  describe(`the web server contract: ${name}`, () => {
    let subject: ContractSubject;
    before(async () => {
      subject = await open();
    });
    after(() => subject?.close());

    async function made(change: Partial<WantedSite> = {}): Promise<WantedSite> {
      const wanted = { ...subject.wanted(), ...change };
      const { sftpFingerprints } = done(await subject.driver.ensureSite(wanted));
      assert.ok(sftpFingerprints.every((text) => text.startsWith('SHA256:')));
      return wanted;
    }
    const nameOf = (site: WantedSite) => site.hostnames[0]?.hostname ?? '';

    test('ensuring a site serves its names, and lets its user in with the password that was wanted', async () => {
      const site = await made({ password: 'correct horse battery' });
      assert.equal(await subject.seen(site, nameOf(site)), 'site');
      assert.equal(await subject.logsIn(site, 'correct horse battery'), true);
      assert.equal(await subject.logsIn(site, 'wrong horse battery'), false);
    });

    test('ensuring a site twice, also at the same time, keeps its files and its password', async () => {
      const wanted = { ...subject.wanted(), password: 'correct horse battery' };
      await Promise.all([subject.driver.ensureSite(wanted), subject.driver.ensureSite(wanted)]);
      await subject.writeFile(wanted, 'kept');
      done(await subject.driver.ensureSite({ ...wanted, password: null }));
      assert.equal(await subject.hasFile(wanted, 'kept'), true);
      assert.equal(await subject.logsIn(wanted, 'correct horse battery'), true);
    });

    test('a name that is wanted no more is served no more', async () => {
      const site = await made();
      done(await subject.driver.ensureSite({ ...site, hostnames: [] }));
      assert.notEqual(await subject.seen(site, nameOf(site)), 'site');
    });

    test('a suspended site shows the page of the provider, and is back as it was when it is ensured again', async () => {
      const site = await made({ password: 'correct horse battery' });
      await subject.writeFile(site, 'kept');
      done(await subject.driver.ensureDatabase(site, `${site.username}_db`, 'database password'));
      for (let times = 0; times < 2; times += 1) done(await subject.driver.ensureSuspended(site));
      assert.equal(await subject.seen(site, nameOf(site)), 'suspended');
      assert.equal(await subject.logsIn(site, 'correct horse battery'), false);
      assert.equal(await subject.databaseLogsIn(site, `${site.username}_db`, 'database password'), false);
      done(await subject.driver.ensureSite({ ...site, password: null }));
      assert.equal(await subject.seen(site, nameOf(site)), 'site');
      assert.equal(await subject.logsIn(site, 'correct horse battery'), true);
      assert.equal(await subject.databaseLogsIn(site, `${site.username}_db`, 'database password'), true);
      assert.equal(await subject.hasFile(site, 'kept'), true);
    });

    test('a name that has left a suspended site is the site of whoever has it now', async () => {
      const site = await made();
      done(await subject.driver.ensureSuspended(site));
      done(await subject.driver.ensureSuspended({ ...site, hostnames: [] }));
      assert.equal(await subject.seen(site, nameOf(site)), 'nothing');
      const other = subject.wanted();
      done(await subject.driver.ensureSite({ ...other, hostnames: [...other.hostnames, ...site.hostnames] }));
      assert.equal(await subject.seen(other, nameOf(site)), 'site');
      done(await subject.driver.ensureAbsent(site));
      assert.equal(await subject.seen(other, nameOf(site)), 'site');
    });

    test('a site is gone after it was removed, and removing it again is done too', async () => {
      const site = await made({ password: 'correct horse battery' });
      for (let times = 0; times < 2; times += 1) done(await subject.driver.ensureAbsent(site));
      assert.equal(await subject.seen(site, nameOf(site)), 'nothing');
      assert.equal(await subject.logsIn(site, 'correct horse battery'), false);
      assert.equal(await subject.driver.status(site, DEADLINE_MS), null);
    });

    test('suspending a site that never was is done, and makes none', async () => {
      const site = subject.wanted();
      done(await subject.driver.ensureSuspended(site));
      assert.equal(await subject.driver.status(site, DEADLINE_MS), null);
    });

    test('a user that belongs to another site is refused, and stays as it is', async () => {
      const first = await made({ password: 'correct horse battery' });
      const second = { ...subject.wanted(), username: first.username, password: 'another password' };
      assert.equal((await subject.driver.ensureSite(second)).kind, 'refused');
      assert.equal(await subject.logsIn(first, 'correct horse battery'), true);
    });

    test('the version of PHP can change, there and back', async () => {
      const site = await made();
      for (const phpVersion of [subject.otherPhp, site.phpVersion]) {
        done(await subject.driver.ensureSite({ ...site, phpVersion }));
        assert.equal(await subject.phpOf(site), phpVersion);
      }
    });

    test('a PHP that the host does not have is refused, and the site keeps the one that it has', async () => {
      if (subject.missingPhp === null) return;
      const site = await made();
      const outcome = await subject.driver.ensureSite({ ...site, phpVersion: subject.missingPhp });
      assert.equal(outcome.kind, 'refused');
      assert.equal(await subject.phpOf(site), site.phpVersion);
    });

    test('a database has a user of its own, whose password can change; removed, it is gone', async () => {
      const site = await made();
      const database = `${site.username}_shop`;
      for (let times = 0; times < 2; times += 1)
        done(await subject.driver.ensureDatabase(site, database, 'first password'));
      assert.equal(await subject.databaseLogsIn(site, database, 'first password'), true);
      done(await subject.driver.ensureDatabase(site, database, 'second password'));
      assert.equal(await subject.databaseLogsIn(site, database, 'first password'), false);
      done(await subject.driver.ensureDatabase(site, database, null));
      assert.equal(await subject.databaseLogsIn(site, database, 'second password'), true);
      for (let times = 0; times < 2; times += 1)
        done(await subject.driver.ensureDatabaseAbsent(site, database));
      assert.equal(await subject.databaseLogsIn(site, database, 'second password'), false);
    });

    test('a restore brings back what the backup holds, once', async () => {
      const site = await made();
      const [backup, restore] = [randomUUID(), randomUUID()];
      await subject.writeFile(site, 'then');
      const { sizeBytes } = done(await subject.driver.ensureBackup(site, backup));
      assert.ok(sizeBytes > 0);
      await subject.writeFile(site, 'since');
      done(await subject.driver.ensureRestored(site, backup, restore));
      assert.equal(await subject.hasFile(site, 'then'), true);
      assert.equal(await subject.hasFile(site, 'since'), false);
      await subject.writeFile(site, 'later');
      done(await subject.driver.ensureRestored(site, backup, restore));
      assert.equal(await subject.hasFile(site, 'later'), true);
      for (let times = 0; times < 2; times += 1) done(await subject.driver.ensureBackupAbsent(site, backup));
      assert.equal((await subject.driver.ensureRestored(site, backup, randomUUID())).kind, 'refused');
    });

    test('making a backup again leaves it as it was', async () => {
      const site = await made();
      const backup = randomUUID();
      done(await subject.driver.ensureBackup(site, backup));
      await subject.writeFile(site, 'since');
      done(await subject.driver.ensureBackup(site, backup));
      done(await subject.driver.ensureRestored(site, backup, randomUUID()));
      assert.equal(await subject.hasFile(site, 'since'), false);
    });

    test('the status of a site is within its bounds, and its usage is among that of its host', async () => {
      const site = await made();
      const status = await subject.driver.status(site, DEADLINE_MS);
      if (status === null) assert.fail('it has no status');
      assert.deepEqual([status.web, status.database, status.sftp], ['up', 'up', 'up']);
      assert.ok(status.diskUsedMib >= 0 && status.diskUsedMib <= site.diskMib);
      const usage = await subject.driver.usage(site.host);
      const own = usage.filter(({ webspaceId }) => webspaceId === site.webspaceId);
      assert.equal(own.length, 1);
      assert.ok((own[0]?.diskUsedMib ?? -1) >= 0);
      assert.ok(own[0]?.days.every(({ day }) => /^\d{4}-\d\d-\d\d$/.test(day)));
    });

    test('a host lists its sites as they are', async () => {
      const [on, off, gone] = [await made(), await made(), await made()];
      done(await subject.driver.ensureSuspended(off));
      done(await subject.driver.ensureAbsent(gone));
      const sites = await subject.driver.list(on.host);
      const listed = (site: SiteRef) => sites.filter(({ webspaceId }) => webspaceId === site.webspaceId);
      const { webspaceId, username } = on;
      assert.deepEqual(listed(on), [{ webspaceId, username, state: 'on', runs: true }]);
      assert.deepEqual(
        listed(off).map(({ state }) => state),
        ['suspended'],
      );
      assert.deepEqual(listed(gone), []);
    });

    test('no more lines of a log come than are asked for', async () => {
      const site = await made();
      await subject.seen(site, nameOf(site));
      assert.ok((await subject.driver.logs(site, 'access', 1, DEADLINE_MS)).length <= 1);
    });

    for (const fault of ['timeout_before', 'timeout_after'] as const) {
      test(`${fault}: it is thrown, and the command then makes the site`, async () => {
        if (subject.fail === null) return;
        const site = subject.wanted();
        await subject.fail(site, fault);
        await assert.rejects(subject.driver.ensureSite(site), BackendUnavailable);
        done(await subject.driver.ensureSite(site));
        assert.equal(await subject.seen(site, nameOf(site)), 'site');
      });
    }

    test('a refusal is an outcome with a reason', async () => {
      if (subject.fail === null) return;
      const site = subject.wanted();
      await subject.fail(site, 'refuse');
      const outcome = await subject.driver.ensureSite(site);
      assert.equal(outcome.kind, 'refused');
      assert.notEqual(outcome.kind === 'refused' && outcome.reason, '');
      assert.equal(await subject.seen(site, nameOf(site)), 'nothing');
    });
  });
}

export function done<T>(outcome: CommandOutcome<T>): T {
  if (outcome.kind !== 'done') assert.fail(`done expected, got ${JSON.stringify(outcome)}`);
  return outcome.result;
}
