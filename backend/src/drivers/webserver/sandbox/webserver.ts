import { sha256 } from '../../../base/canonical.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { BackendUnavailable, type CommandOutcome } from '../../outcome.ts';
import type {
  Certificate,
  FoundSite,
  LogKind,
  MadeSite,
  SiteRef,
  SiteStatus,
  SiteUsage,
  SuspendedSite,
  WantedSite,
  Webserver,
} from '../port.ts';
import { simulatedLog, simulatedUsage } from './activity.ts';
import { type SandboxCommand, takeFault } from './fault.ts';
import { hashLogin } from './login.ts';

export interface SandboxOptions {
  /** A pool of the sandbox's own: each of its statements commits by itself, as another system's would. */
  readonly db: Executor;
  readonly clock: Clock;
  /** How a slow call passes its time. */
  readonly wait?: (ms: number) => Promise<void>;
}

interface SiteRow {
  readonly webspace_id: string;
  readonly username: string;
  readonly suspended: boolean;
  readonly disk: number;
  readonly hostnames: readonly string[];
  readonly certificates: readonly string[];
}

const upsert = statement<object>(
  'sandbox_site',
  `INSERT INTO sandbox.sites AS s (webspace_id, host, username, login_hash, php_version, disk, hostnames, sftp_keys, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7::text[], $8::text[], $9)
   ON CONFLICT (webspace_id) DO UPDATE SET suspended = false, php_version = excluded.php_version,
     login_hash = coalesce(excluded.login_hash, s.login_hash), disk = excluded.disk,
     hostnames = excluded.hostnames, sftp_keys = excluded.sftp_keys`,
);
const userOfAnother = statement<object>(
  'sandbox_site_user',
  'SELECT FROM sandbox.sites WHERE host = $1 AND username = $2 AND webspace_id <> $3',
);
const suspend = statement<object>(
  'sandbox_site_suspend',
  'UPDATE sandbox.sites SET suspended = true, hostnames = $2::text[] WHERE webspace_id = $1',
);
const remove = statement<object>('sandbox_site_remove', 'DELETE FROM sandbox.sites WHERE webspace_id = $1');
const find = statement<SiteRow>(
  'sandbox_site_find',
  'SELECT webspace_id, username, suspended, disk, hostnames, certificates FROM sandbox.sites WHERE webspace_id = $1',
);
const all = statement<SiteRow & { databases: number }>(
  'sandbox_sites',
  `SELECT webspace_id, username, suspended, disk, hostnames, certificates,
     (SELECT count(*)::int FROM sandbox.site_databases d WHERE d.webspace_id = s.webspace_id) AS databases
   FROM sandbox.sites s WHERE host = $1 ORDER BY webspace_id`,
);
const addDatabase = statement<object>(
  'sandbox_site_database',
  `INSERT INTO sandbox.site_databases AS d (webspace_id, name, login_hash) VALUES ($1, $2, $3)
   ON CONFLICT (webspace_id, name) DO UPDATE SET login_hash = coalesce(excluded.login_hash, d.login_hash)`,
);
const dropDatabase = statement<object>(
  'sandbox_site_database_drop',
  'DELETE FROM sandbox.site_databases WHERE webspace_id = $1 AND name = $2',
);
const certify = statement<object>(
  'sandbox_site_certify',
  `UPDATE sandbox.sites SET certificates = array_append(array_remove(certificates, $2), $2) WHERE webspace_id = $1`,
);
const backUp = statement<{ bytes: number }>(
  'sandbox_site_backup',
  `INSERT INTO sandbox.site_backups AS b (webspace_id, backup_id, files)
   SELECT webspace_id, $2, files FROM sandbox.sites WHERE webspace_id = $1
   ON CONFLICT (webspace_id, backup_id) DO UPDATE SET files = b.files
   RETURNING 1024 * (1 + cardinality(files)) AS bytes`,
);
const dropBackup = statement<object>(
  'sandbox_site_backup_drop',
  'DELETE FROM sandbox.site_backups WHERE webspace_id = $1 AND backup_id = $2',
);
const hasBackup = statement<object>(
  'sandbox_site_backup_find',
  'SELECT FROM sandbox.site_backups WHERE webspace_id = $1 AND backup_id = $2',
);
const restore = statement<object>(
  'sandbox_site_restore',
  `UPDATE sandbox.sites s SET files = b.files, restored = array_append(restored, $3)
   FROM sandbox.site_backups b
   WHERE s.webspace_id = $1 AND b.webspace_id = $1 AND b.backup_id = $2 AND $3 <> ALL (s.restored)`,
);

const CERTIFICATE_DAYS = 90;
const RENEW_AFTER_DAYS = 60;
const HOURS_PER_DAY = 24;
const FINGERPRINT = `SHA256:${sha256('sandbox').toString('base64').replace(/=+$/, '')}`;

/** Webspaces that exist only as rows: deterministic, and able to fail on request. Any number of processes may share one. */
export class SandboxWebserver implements Webserver {
  readonly #db: Executor;
  readonly #clock: Clock;
  readonly #wait: (ms: number) => Promise<void>;

  constructor({ db, clock, wait = sleep }: SandboxOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#wait = wait;
  }

  ensureSite(wanted: WantedSite): Promise<CommandOutcome<MadeSite>> {
    return this.#command('ensure_site', wanted, async () => {
      const { webspaceId, host, username, password } = wanted;
      const others = await this.#db.run(userOfAnother, [host, username, webspaceId]);
      if (others.length > 0) return { kind: 'refused', reason: 'the user belongs to another webspace' };
      await this.#db.run(upsert, [
        webspaceId,
        host,
        username,
        password === null ? null : await hashLogin(username, password),
        wanted.phpVersion,
        wanted.diskMib,
        wanted.hostnames.map(({ hostname }) => hostname),
        wanted.sftpKeys,
        this.#clock.now(),
      ]);
      return { kind: 'done', result: { sftpFingerprints: [FINGERPRINT] } };
    });
  }

  ensureSuspended(site: SuspendedSite): Promise<CommandOutcome<null>> {
    const hostnames = site.hostnames.map(({ hostname }) => hostname);
    return this.#command('ensure_site_suspended', site, () =>
      this.#run(suspend, [site.webspaceId, hostnames]),
    );
  }

  ensureAbsent(site: SiteRef): Promise<CommandOutcome<null>> {
    return this.#command('ensure_site_absent', site, () => this.#run(remove, [site.webspaceId]));
  }

  ensureDatabase(site: SiteRef, name: string, password: string | null): Promise<CommandOutcome<null>> {
    return this.#command('ensure_database', site, async () => {
      if ((await this.#find(site)) === null) return NO_SITE;
      const hash = password === null ? null : await hashLogin(name, password);
      return await this.#run(addDatabase, [site.webspaceId, name, hash]);
    });
  }

  ensureDatabaseAbsent(site: SiteRef, name: string): Promise<CommandOutcome<null>> {
    return this.#command('ensure_database_absent', site, () =>
      this.#run(dropDatabase, [site.webspaceId, name]),
    );
  }

  ensureCertificate(site: SiteRef, hostname: string): Promise<CommandOutcome<Certificate>> {
    return this.#command('ensure_certificate', site, async () => {
      const found = await this.#find(site);
      if (found === null || !found.hostnames.includes(hostname)) return NO_SITE;
      await this.#db.run(certify, [site.webspaceId, hostname]);
      const now = this.#clock.now();
      return {
        kind: 'done',
        result: {
          expireAt: now.add({ hours: CERTIFICATE_DAYS * HOURS_PER_DAY }),
          renewAt: now.add({ hours: RENEW_AFTER_DAYS * HOURS_PER_DAY }),
        },
      };
    });
  }

  ensureBackup(site: SiteRef, backupId: string): Promise<CommandOutcome<{ sizeBytes: number }>> {
    return this.#command('ensure_backup', site, async () => {
      const [made] = await this.#db.run(backUp, [site.webspaceId, backupId]);
      return made === undefined ? NO_SITE : { kind: 'done', result: { sizeBytes: made.bytes } };
    });
  }

  ensureBackupAbsent(site: SiteRef, backupId: string): Promise<CommandOutcome<null>> {
    return this.#command('ensure_backup_absent', site, () =>
      this.#run(dropBackup, [site.webspaceId, backupId]),
    );
  }

  ensureRestored(site: SiteRef, backupId: string, restoreId: string): Promise<CommandOutcome<null>> {
    return this.#command('ensure_restored', site, async () => {
      if ((await this.#find(site)) === null) return NO_SITE;
      const [known] = await this.#db.run(hasBackup, [site.webspaceId, backupId]);
      if (known === undefined) return { kind: 'refused', reason: 'there is no such backup' };
      return await this.#run(restore, [site.webspaceId, backupId, restoreId]);
    });
  }

  status(site: SiteRef, deadlineMs: number): Promise<SiteStatus | null> {
    return this.#query('site_status', site, deadlineMs, async () => {
      const found = await this.#find(site);
      if (found === null) return null;
      const health = found.suspended ? ('down' as const) : ('up' as const);
      const { diskUsedMib, inodesUsed, days } = simulatedUsage(found, this.#clock.now());
      const trafficBytes = days.reduce((sum, day) => sum + day.trafficBytes, 0);
      const inodesTotal = null;
      return {
        web: health,
        database: health,
        sftp: health,
        diskUsedMib,
        inodesUsed,
        inodesTotal,
        trafficBytes,
      };
    });
  }

  logs(site: SiteRef, kind: LogKind, lines: number, deadlineMs: number): Promise<readonly string[]> {
    return this.#query('site_logs', site, deadlineMs, async () => {
      const found = await this.#find(site);
      return found === null ? [] : simulatedLog(found, kind, lines, this.#clock.now());
    });
  }

  list(host: string): Promise<readonly FoundSite[]> {
    return this.#query('site_list', { host, webspaceId: null }, Number.POSITIVE_INFINITY, async () =>
      (await this.#db.run(all, [host])).map(({ webspace_id, username, suspended }) => ({
        webspaceId: webspace_id,
        username,
        state: suspended ? 'suspended' : 'on',
        runs: !suspended,
      })),
    );
  }

  usage(host: string): Promise<readonly SiteUsage[]> {
    return this.#query('site_usage', { host, webspaceId: null }, Number.POSITIVE_INFINITY, async () => {
      const now = this.#clock.now();
      return (await this.#db.run(all, [host])).map((row) => simulatedUsage(row, now));
    });
  }

  async #find(site: SiteRef): Promise<SiteRow | null> {
    const [row] = await this.#db.run(find, [site.webspaceId]);
    return row ?? null;
  }

  async #run(what: typeof suspend, values: readonly unknown[]): Promise<CommandOutcome<null>> {
    await this.#db.run(what, [...values]);
    return { kind: 'done', result: null };
  }

  async #command<T>(
    command: SandboxCommand,
    site: SiteRef,
    effect: () => Promise<CommandOutcome<T>>,
  ): Promise<CommandOutcome<T>> {
    const fault = await takeFault(this.#db, command, site);
    switch (fault?.fault) {
      case 'timeout_before':
        throw new BackendUnavailable('sandbox');
      case 'timeout_after':
        await effect();
        throw new BackendUnavailable('sandbox');
      case 'refuse':
        return { kind: 'refused', reason: 'the sandbox was told to refuse' };
      case 'repeat':
        await effect();
        return await effect();
      case 'slow':
        await this.#wait(fault.delayMs);
    }
    return await effect();
  }

  async #query<T>(
    command: SandboxCommand,
    site: { readonly host: string; readonly webspaceId: string | null },
    deadlineMs: number,
    answer: () => Promise<T>,
  ): Promise<T> {
    const fault = await takeFault(this.#db, command, site);
    if (fault?.fault === 'slow') {
      await this.#wait(Math.min(fault.delayMs, deadlineMs));
      if (fault.delayMs > deadlineMs) throw new BackendUnavailable('sandbox');
    } else if (fault !== null && fault.fault !== 'repeat') throw new BackendUnavailable('sandbox');
    return await answer();
  }
}

const NO_SITE = { kind: 'refused', reason: 'there is no such site' } as const;

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
