import { BackendUnavailable } from '../outcome.ts';
import type { Webserver } from './port.ts';

export interface RoutingOptions {
  /** The web server connection that the catalogue names for a host; null: it does not know the host. */
  readonly connectionOf: (host: string) => string | null;
  /** The configured connections by name. */
  readonly connections: ReadonlyMap<string, Webserver>;
}

/**
 * All web servers as one: each call goes to the connection that runs the host. A connection that nobody has
 * configured is one that does not answer, so work for it waits until somebody does.
 */
export function routedWebserver({ connectionOf, connections }: RoutingOptions): Webserver {
  // Async, so that a host without a connection rejects like any back end that is away.
  const of = async (host: string): Promise<Webserver> => {
    const name = connectionOf(host);
    const connection = name === null ? undefined : connections.get(name);
    if (connection !== undefined) return connection;
    const missing =
      name === null ? `no web host is named ${host}` : `no web server connection is named ${name}`;
    throw new BackendUnavailable(name ?? 'web server', new Error(missing));
  };
  return {
    status: async (site, deadlineMs) => (await of(site.host)).status(site, deadlineMs),
    logs: async (site, kind, lines, deadlineMs) => (await of(site.host)).logs(site, kind, lines, deadlineMs),
    ensureSite: async (wanted) => (await of(wanted.host)).ensureSite(wanted),
    ensureSuspended: async (site) => (await of(site.host)).ensureSuspended(site),
    ensureAbsent: async (site) => (await of(site.host)).ensureAbsent(site),
    ensureDatabase: async (site, name, password) =>
      (await of(site.host)).ensureDatabase(site, name, password),
    ensureDatabaseAbsent: async (site, name) => (await of(site.host)).ensureDatabaseAbsent(site, name),
    ensureCertificate: async (site, hostname) => (await of(site.host)).ensureCertificate(site, hostname),
    ensureBackup: async (site, backupId) => (await of(site.host)).ensureBackup(site, backupId),
    ensureBackupAbsent: async (site, backupId) => (await of(site.host)).ensureBackupAbsent(site, backupId),
    ensureRestored: async (site, backupId, restoreId) =>
      (await of(site.host)).ensureRestored(site, backupId, restoreId),
    list: async (host) => (await of(host)).list(host),
    usage: async (host) => (await of(host)).usage(host),
  };
}
