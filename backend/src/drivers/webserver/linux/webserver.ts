import type { Clock } from '../../../base/clock.ts';
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
import { findUser, memberStep, passwordStep, removeUser, userStep } from './account.ts';
import { makeBackup, removeBackup } from './backup.ts';
import { findCertificate, isCurrent, orderCertificate } from './certificate.ts';
import { certificatePaths } from './certificate-files.ts';
import { absentStep, fileStep } from './files.ts';
import { foundSites } from './found.ts';
import type { Host } from './host.ts';
import { hostSteps, sftpFingerprints } from './host-plan.ts';
import {
  connectionsStep,
  databaseBytes,
  databaseStep,
  databasesLockedStep,
  databasesOf,
  noDatabaseStep,
} from './mariadb.ts';
import { logDirectory, logStep, notServedSteps, servedStep, suspendedStep } from './nginx.ts';
import { phpConfiguration, phpPid, phpSteps } from './php.ts';
import { carryOut, PlanRefused, type Step } from './plan.ts';
import { noControlGroupStep, nothingRunsStep } from './processes.ts';
import { restoreBackup } from './restore.ts';
import { sftpLimitStep } from './sftp.ts';
import {
  namesOfNobodyElse,
  readRecord,
  recordPath,
  recordStep,
  recordText,
  type SiteRecord,
} from './site-record.ts';
import {
  directoriesStep,
  diskUsage,
  noSubvolumeStep,
  noUploadsStep,
  quotaStep,
  siteDirectory,
  subvolumeStep,
  uploadsStep,
} from './storage.ts';
import { dayOf, rotateLogs, usageOfHost } from './usage.ts';

const BYTES_PER_MIB = 1024 * 1024;
const USERNAME = /^[a-z][a-z0-9]{2,15}$/;
const WEBSPACE_ID = /^[0-9a-f-]{36}$/;

export interface LinuxOptions {
  /** The hosts by the names that the catalogue gives them. */
  readonly hosts: ReadonlyMap<string, Host>;
  readonly clock: Clock;
  /** Where backups go, on the machine that this program runs on. */
  readonly backupDirectory: string;
}

/**
 * Webspaces on Debian: a system user each, nginx, a PHP master and control group each, SFTP in a chroot, MariaDB,
 * btrfs quotas, certificates by ACME. Every command is a plan of steps that is carried out on the host.
 */
export class LinuxWebserver implements Webserver {
  readonly #hosts: ReadonlyMap<string, Host>;
  readonly #clock: Clock;
  readonly #backups: string;

  constructor({ hosts, clock, backupDirectory }: LinuxOptions) {
    this.#hosts = hosts;
    this.#clock = clock;
    this.#backups = backupDirectory;
  }

  /** Prepares a host: once before its first site, and after each change of its settings. */
  async prepare(host: string): Promise<void> {
    const at = this.#host(host);
    await carryOut(`host ${host}`, hostSteps(at), at.plans);
  }

  ensureSite(wanted: WantedSite): Promise<CommandOutcome<MadeSite>> {
    return this.#plan(wanted, async (host) => {
      const before = await readRecord(host, wanted);
      const php = phpSteps(host, wanted);
      const steps: Step[] = [
        userStep(host, wanted),
        recordStep(host, wanted, before, 'on'),
        subvolumeStep(host, wanted),
        directoriesStep(host, wanted),
        quotaStep(host, wanted),
        uploadsStep(host, wanted),
        ...(wanted.password === null ? [] : [passwordStep(host, wanted, wanted.password)]),
        fileStep(host, 'keys', `${host.settings.etc}/keys/${wanted.username}`, keysText(wanted), {
          mode: '0640',
          group: String(wanted.uid),
        }),
        databasesLockedStep(host, wanted, false),
        connectionsStep(host, wanted),
        sftpLimitStep(host),
        memberStep(host, wanted, true),
        ...php,
        logStep(host, wanted),
        await servedStep(host, wanted),
      ];
      await carryOut(`site ${wanted.username}`, steps, host.plans);
      return { sftpFingerprints: await sftpFingerprints(host) };
    });
  }

  ensureSuspended(site: SuspendedSite): Promise<CommandOutcome<null>> {
    return this.#plan(site, async (host) => {
      const record = await readRecord(host, site);
      if (record === null) return null;
      const hostnames = [...site.hostnames];
      const text = recordText({ ...record, hostnames, state: 'suspended' });
      const steps: Step[] = [
        fileStep(host, 'record: suspended', recordPath(host, site), text, { mode: '0600' }),
        await suspendedStep(host, site, hostnames),
        memberStep(host, site, false),
        absentStep(host, 'no php configuration', phpConfiguration(host, site)),
        nothingRunsStep(host, site),
        databasesLockedStep(host, site, true),
      ];
      await carryOut(`suspend ${site.username}`, steps, host.plans);
      return null;
    });
  }

  ensureAbsent(site: SiteRef): Promise<CommandOutcome<null>> {
    return this.#plan(site, async (host) => {
      const [record, user] = await Promise.all([readRecord(host, site), findUser(host, site)]);
      // A user of this name that carries another mark: this site never came to be here.
      if (record === null && user?.own !== true) return null;
      const { settings } = host;
      const databases = await databasesOf(host, site);
      const names = await namesOfNobodyElse(host, record);
      const steps: Step[] = [
        ...notServedSteps(host, site),
        absentStep(host, 'no php configuration', phpConfiguration(host, site)),
        nothingRunsStep(host, site),
        noControlGroupStep(host, site),
        absentStep(host, 'no keys', `${settings.etc}/keys/${site.username}`),
        ...databases.map((name) => noDatabaseStep(host, site, name)),
        noSubvolumeStep(host, site),
        noUploadsStep(host, site),
        absentStep(host, 'nothing at run time', `${settings.run}/${site.username}`),
        absentStep(host, 'no logs', logDirectory(host, site)),
        ...names.map((hostname) =>
          absentStep(host, 'no certificate', certificatePaths(host, hostname).directory),
        ),
        {
          name: 'no user',
          isDone: async () => (await findUser(host, site)) === null,
          apply: () => removeUser(host, site),
          undo: async () => {},
        },
        absentStep(host, 'no record', recordPath(host, site)),
      ];
      await carryOut(`remove ${site.username}`, steps, host.plans);
      return null;
    });
  }

  ensureDatabase(site: SiteRef, name: string, password: string | null): Promise<CommandOutcome<null>> {
    return this.#withSite(site, async (host) => {
      const steps = [databaseStep(host, site, name, password), connectionsStep(host, site)];
      await carryOut(`database ${name}`, steps, host.plans);
      return null;
    });
  }

  ensureDatabaseAbsent(site: SiteRef, name: string): Promise<CommandOutcome<null>> {
    return this.#plan(site, async (host) => {
      const steps = [noDatabaseStep(host, site, name), connectionsStep(host, site)];
      await carryOut(`no database ${name}`, steps, host.plans);
      return null;
    });
  }

  ensureCertificate(site: SiteRef, hostname: string): Promise<CommandOutcome<Certificate>> {
    return this.#withSite(site, async (host, record) => {
      const known = record.hostnames.find((name) => name.hostname === hostname);
      if (known === undefined || record.state !== 'on')
        throw new PlanRefused(`${hostname} is not served by this site`);
      const before = await findCertificate(host, hostname);
      if (!isCurrent(before, this.#clock.now())) await orderCertificate(host, hostname);
      const found = await findCertificate(host, hostname);
      if (found === null) throw new BackendUnavailable('certificate authority');
      const served: WantedSite = { ...site, ...NOTHING_WANTED, uid: record.uid, hostnames: record.hostnames };
      const steps = [uploadsStep(host, site), await servedStep(host, served)];
      await carryOut(`certificate ${hostname}`, steps, host.plans);
      // A renewed one has the same path, so that nothing else says that it has to be read again.
      if (before !== null && before.expireAt !== found.expireAt) await host.nginx.ask();
      return found;
    });
  }

  /** Beside the site's plans, since it takes long and changes nothing: nothing that is suspended waits for it. */
  ensureBackup(site: SiteRef, backupId: string): Promise<CommandOutcome<{ sizeBytes: number }>> {
    return this.#outcome(site, (host) =>
      host.inTurn(copying(site), async () => ({
        sizeBytes: await makeBackup(host, this.#backups, await recordOf(host, site), backupId),
      })),
    );
  }

  ensureBackupAbsent(site: SiteRef, backupId: string): Promise<CommandOutcome<null>> {
    return this.#plan(site, async () => {
      await removeBackup(this.#backups, site.webspaceId, backupId);
      return null;
    });
  }

  ensureRestored(site: SiteRef, backupId: string, restoreId: string): Promise<CommandOutcome<null>> {
    return this.#outcome(site, (host) =>
      // Not what a backup is just reading; and while it waits for that, it holds nothing else up.
      host.inTurn(copying(site), () =>
        this.#inTurn(host, site, async () => {
          const record = await recordOf(host, site);
          if (record.restored.includes(restoreId)) return null;
          await restoreBackup(host, this.#backups, record, backupId);
          const restored = [...record.restored, restoreId].slice(-50);
          await host.write(recordPath(host, site), recordText({ ...record, restored }), '0600');
          return null;
        }),
      ),
    );
  }

  async status(site: SiteRef, deadlineMs: number): Promise<SiteStatus | null> {
    const host = this.#host(site.host);
    return await within(deadlineMs, async () => {
      const record = await readRecord(host, site);
      if (record === null) return null;
      const [disk, databases, up, traffic, inodes] = await Promise.all([
        diskUsage(host, site),
        databaseBytes(host, site.username).catch(() => null),
        host.executor.run(['sh', '-c', HEALTH, 'sh', host.settings.run, phpPid(host, site)]),
        this.#traffic(host, site),
        host.executor.run(['sh', '-c', 'find "$1" -xdev | wc -l', 'sh', siteDirectory(host, site)]),
      ]);
      const on = record.state === 'on';
      const [nginx, sshd, php] = up.stdout
        .trim()
        .split(' ')
        .map((word) => word === 'up');
      return {
        web: on && nginx === true ? (php === true ? 'up' : 'degraded') : 'down',
        database: on && databases !== null ? 'up' : 'down',
        sftp: on && sshd === true ? 'up' : 'down',
        diskUsedMib: Math.ceil(((disk?.used ?? 0) + (databases?.get(site.username) ?? 0)) / BYTES_PER_MIB),
        inodesUsed: Number(inodes.stdout.trim()) || null,
        inodesTotal: null,
        trafficBytes: traffic,
      };
    });
  }

  async logs(site: SiteRef, kind: LogKind, lines: number, deadlineMs: number): Promise<readonly string[]> {
    const host = this.#host(site.host);
    return await within(deadlineMs, async () => {
      if ((await readRecord(host, site)) === null) return [];
      const path = `${logDirectory(host, site)}/${kind}.log`;
      const { stdout } = await host.executor.run(['tail', '-n', String(lines), '--', path]);
      return stdout.split('\n').filter((line) => line !== '');
    });
  }

  async list(name: string): Promise<readonly FoundSite[]> {
    const host = this.#host(name);
    try {
      return await foundSites(host);
    } catch (error) {
      throw error instanceof BackendUnavailable ? error : new BackendUnavailable(name, error);
    }
  }

  async usage(name: string): Promise<readonly SiteUsage[]> {
    const host = this.#host(name);
    const now = this.#clock.now();
    const usages = await usageOfHost(host, now);
    await rotateLogs(host, now);
    return usages;
  }

  /** The bytes of this month that are still in the logs. */
  async #traffic(host: Host, site: SiteRef): Promise<number> {
    const month = dayOf(this.#clock.now()).slice(0, 7);
    const count = `cat "$1"/access.log* 2>/dev/null | awk -F'"' -v month="$2" '
      index($1, "[" month) == 1 { split($3, part, " "); sum += part[2] } END { print sum + 0 }'`;
    const { stdout } = await host.executor.run(['sh', '-c', count, 'sh', logDirectory(host, site), month]);
    return Number(stdout.trim()) || 0;
  }

  #host(name: string): Host {
    const host = this.#hosts.get(name);
    if (host === undefined)
      throw new BackendUnavailable(name, new Error(`no web host ${name} is configured`));
    return host;
  }

  #plan<T>(site: SiteRef, work: (host: Host) => Promise<T>): Promise<CommandOutcome<T>> {
    return this.#outcome(site, (host) => this.#inTurn(host, site, () => work(host)));
  }

  /** One plan of a site at a time. */
  #inTurn<T>(host: Host, site: SiteRef, work: () => Promise<T>): Promise<T> {
    return host.inTurn(`site ${site.username}`, () => host.nginx.during(work));
  }

  /** What refuses is an outcome; what fails otherwise has an unknown one. */
  async #outcome<T>(site: SiteRef, work: (host: Host) => Promise<T>): Promise<CommandOutcome<T>> {
    if (!USERNAME.test(site.username) || !WEBSPACE_ID.test(site.webspaceId))
      return { kind: 'refused', reason: 'not the name of a webspace' };
    const host = this.#host(site.host);
    try {
      return { kind: 'done', result: await work(host) };
    } catch (error) {
      if (error instanceof PlanRefused) return { kind: 'refused', reason: error.message };
      if (error instanceof BackendUnavailable) throw error;
      throw new BackendUnavailable('web server', error);
    }
  }

  #withSite<T>(
    site: SiteRef,
    work: (host: Host, record: SiteRecord) => Promise<T>,
  ): Promise<CommandOutcome<T>> {
    return this.#plan(site, async (host) => await work(host, await recordOf(host, site)));
  }
}

const copying = ({ username }: SiteRef) => `copy of ${username}`;

async function recordOf(host: Host, site: SiteRef): Promise<SiteRecord> {
  const record = await readRecord(host, site);
  if (record === null) throw new PlanRefused('there is no such site');
  return record;
}

const HEALTH = `alive() { [ -d "/proc/$(cat "$1" 2>/dev/null)/fd" ] && printf 'up ' || printf 'down '; }
alive "$1/nginx.pid"
alive "$1/sshd.pid"
alive "$2"`;

// What virtual hosts do not depend on.
const NOTHING_WANTED = { diskMib: 1, memoryMib: 1, phpVersion: '', sftpKeys: [], password: null };

function keysText({ sftpKeys }: WantedSite): string {
  return sftpKeys.map((key) => `restrict ${key.replaceAll(/[\r\n]/g, ' ')}\n`).join('');
}

async function within<T>(deadlineMs: number, work: () => Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new BackendUnavailable('web server')), Math.min(deadlineMs, 2 ** 31 - 1));
  });
  try {
    return await Promise.race([work(), tooLate]);
  } catch (error) {
    if (error instanceof BackendUnavailable) throw error;
    throw new BackendUnavailable('web server', error);
  } finally {
    clearTimeout(late);
  }
}
