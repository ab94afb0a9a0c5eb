import type { Instant } from '../../base/time.ts';
import type { CommandOutcome } from '../outcome.ts';

/** Where a webspace is. The id names it on the back end; `username` is its system user and its login. */
export interface SiteRef {
  readonly webspaceId: string;
  /** A web host of the catalogue. */
  readonly host: string;
  readonly username: string;
}

/** A host name that a webspace answers to. */
export interface SiteHostname {
  readonly hostname: string;
  /** Below the webspace's directory: `htdocs`, `htdocs/shop`. */
  readonly documentRoot: string;
}

/** A webspace as it should be. */
export interface WantedSite extends SiteRef {
  /** The number of its system user. */
  readonly uid: number;
  /** How much it may keep, in MiB. */
  readonly diskMib: number;
  /** For one process of PHP, in MiB. */
  readonly memoryMib: number;
  readonly phpVersion: string;
  readonly hostnames: readonly SiteHostname[];
  /** In the format of OpenSSH. */
  readonly sftpKeys: readonly string[];
  /** In clear, to be set; null leaves the one that is. */
  readonly password: string | null;
}

/** A webspace that is off, with the names that are its own even now: others may have become somebody else's. */
export type SuspendedSite = SiteRef & Pick<WantedSite, 'hostnames'>;

/** What a host says of itself when it has made a site. */
export interface MadeSite {
  /** Of the SFTP server's host keys: `SHA256:…`. */
  readonly sftpFingerprints: readonly string[];
}

export interface Certificate {
  readonly expireAt: Instant;
  /** When to renew it: by the authority's word (RFC 9773), else at two thirds of its life. */
  readonly renewAt: Instant;
}

export type ServiceHealth = 'up' | 'degraded' | 'down';

export interface SiteStatus {
  readonly web: ServiceHealth;
  readonly database: ServiceHealth;
  readonly sftp: ServiceHealth;
  /** By files and databases. */
  readonly diskUsedMib: number;
  readonly inodesUsed: number | null;
  readonly inodesTotal: number | null;
  /** In this month (UTC), as far back as the host knows. */
  readonly trafficBytes: number;
}

/** What one webspace used on one day (UTC). */
export interface DayUsage {
  readonly day: string;
  readonly trafficBytes: number;
  readonly requests: number;
}

export interface SiteUsage {
  readonly webspaceId: string;
  /** By files and databases; the latter once more by themselves. */
  readonly diskUsedMib: number;
  readonly inodesUsed: number | null;
  readonly databaseBytes: number;
  /** Today and at least the day before: counted again, they replace what was counted. */
  readonly days: readonly DayUsage[];
}

/** A site as a host lists it, for comparison with the books. */
export interface FoundSite {
  readonly webspaceId: string;
  readonly username: string;
  readonly state: 'on' | 'suspended';
  /** Whether what runs its programs is up; a host that was restarted may have to be told. */
  readonly runs: boolean;
}

export type LogKind = 'access' | 'error';

/** Questions to web servers. Each throws BackendUnavailable when there is no answer within the deadline. */
export interface WebserverQueries {
  /** null: there is no such site. */
  status(site: SiteRef, deadlineMs: number): Promise<SiteStatus | null>;
  /** The last lines of a log, the oldest first; at most `lines`. */
  logs(site: SiteRef, kind: LogKind, lines: number, deadlineMs: number): Promise<readonly string[]>;
}

/**
 * What jobs may do. Commands name the wanted state, may run twice and at the same time, and throw
 * BackendUnavailable when their outcome is unknown. After a refusal nothing has changed that a later run of the
 * same command would not find and finish.
 */
export interface Webserver extends WebserverQueries {
  /** Makes the site if it is not there, brings it to what is wanted, and lets it serve if it was suspended. */
  ensureSite(wanted: WantedSite): Promise<CommandOutcome<MadeSite>>;
  /**
   * The provider's page instead of the site, at its names, with 503 and `no-store`; no PHP, no SFTP, no database, and nothing of
   * its user runs. Its data stays. Done when there is no such site: nothing of it is served then.
   */
  ensureSuspended(site: SuspendedSite): Promise<CommandOutcome<null>>;
  /** Removes the site, its files, its databases and its user; backups stay until they are removed by themselves. */
  ensureAbsent(site: SiteRef): Promise<CommandOutcome<null>>;
  /** A database of this name, which only a user of the same name may use. `password` null leaves the one that is. */
  ensureDatabase(site: SiteRef, name: string, password: string | null): Promise<CommandOutcome<null>>;
  /** Removes a database and its user. */
  ensureDatabaseAbsent(site: SiteRef, name: string): Promise<CommandOutcome<null>>;
  /** A certificate for one of the site's host names, ordered only when there is none that need not be renewed. */
  ensureCertificate(site: SiteRef, hostname: string): Promise<CommandOutcome<Certificate>>;
  /** A copy of the site's files and databases, kept away from its host. */
  ensureBackup(site: SiteRef, backupId: string): Promise<CommandOutcome<{ readonly sizeBytes: number }>>;
  ensureBackupAbsent(site: SiteRef, backupId: string): Promise<CommandOutcome<null>>;
  /** Puts the files and databases back that a backup holds. `restoreId` once done is not done again. */
  ensureRestored(site: SiteRef, backupId: string, restoreId: string): Promise<CommandOutcome<null>>;
  /** Every site on a host of the catalogue that carries this installation's mark. */
  list(host: string): Promise<readonly FoundSite[]>;
  /** What every site on a host of the catalogue uses. */
  usage(host: string): Promise<readonly SiteUsage[]>;
}
