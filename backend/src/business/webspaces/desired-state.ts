import type { Sealer } from '../../base/seal.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { WantedSite } from '../../drivers/webserver/port.ts';
import type { CatalogVersion } from '../core/catalog/versions.ts';
import type { ServiceState } from '../selling/subscriptions/service.ts';
import { PASSWORD_PURPOSE } from './webspace.ts';

/** What the books want of a webspace's site; null: it is still being made. */
export type WantedOfSite = 'on' | 'suspended' | 'absent';

const WANTED: Readonly<Record<ServiceState, WantedOfSite | null>> = {
  pending: null,
  provisioning: null,
  active: 'on',
  cancel_scheduled: 'on',
  suspended: 'suspended',
  expired: 'suspended',
  // Kept, so that what is in it can still be asked for, until the service is deleted.
  cancelled: 'suspended',
  deleted: 'absent',
  error: 'absent',
};

export function wantedOfSite(state: ServiceState): WantedOfSite | null {
  return WANTED[state];
}

interface WantedRow {
  readonly id: string;
  readonly host: string;
  readonly uid: number;
  readonly username: string;
  readonly php_version: string;
  readonly disk: number;
  readonly item: string;
  readonly password_sealed: Buffer | null;
  readonly hostnames: readonly { readonly hostname: string; readonly document_root: string }[] | null;
  readonly keys: readonly string[];
}

const load = statement<WantedRow>(
  'load_wanted_site',
  `SELECT w.id, w.host, w.uid, w.username, w.php_version, w.disk, s.item, w.password_sealed,
     (SELECT json_agg(json_build_object('hostname', d.hostname, 'document_root', d.document_root)
        ORDER BY d.proof <> 'provider', d.created_at, d.id)
      FROM webspace_domains d WHERE d.webspace_id = w.id AND d.proven_at IS NOT NULL) AS hostnames,
     ARRAY(SELECT k.public_key FROM webspace_sftp_keys k WHERE k.webspace_id = w.id ORDER BY k.created_at, k.id) AS keys
   FROM webspaces w JOIN services s ON s.id = w.id WHERE w.id = $1`,
);

const LEAST_MEMORY_MIB = 64;

/** What a webspace is to be now; `sealed` is the password that is on its way, to be forgotten when it has arrived. */
export async function loadWantedSite(
  db: Executor,
  { catalog, sealer }: { readonly catalog: CatalogVersion; readonly sealer: Sealer },
  webspaceId: string,
): Promise<{ readonly site: WantedSite; readonly sealed: Buffer | null } | null> {
  const [row] = await db.run(load, [webspaceId]);
  if (row === undefined) return null;
  const sealed = row.password_sealed;
  const site: WantedSite = {
    webspaceId: row.id,
    host: row.host,
    username: row.username,
    uid: row.uid,
    diskMib: row.disk,
    memoryMib: catalog.webspacePackages.get(row.item)?.limits.memory_limit ?? LEAST_MEMORY_MIB,
    phpVersion: row.php_version,
    hostnames: (row.hostnames ?? []).map(({ hostname, document_root: documentRoot }) => ({
      hostname,
      documentRoot,
    })),
    sftpKeys: row.keys,
    password: sealed === null ? null : sealer.openText(PASSWORD_PURPOSE, sealed),
  };
  return { site, sealed };
}

const forget = statement<object>(
  'forget_webspace_password',
  'UPDATE webspaces SET password_sealed = NULL WHERE id = $1 AND password_sealed = $2',
);

/** Forgets a password that has arrived, unless another is on its way. */
export async function forgetPassword(db: Executor, webspaceId: string, sealed: Buffer | null): Promise<void> {
  if (sealed !== null) await db.run(forget, [webspaceId, sealed]);
}

const setFingerprints = statement<object>(
  'set_sftp_fingerprints',
  'UPDATE web_hosts SET sftp_fingerprints = $2::text[] WHERE name = $1 AND sftp_fingerprints <> $2::text[]',
);

export async function keepFingerprints(
  db: Executor,
  host: string,
  fingerprints: readonly string[],
): Promise<void> {
  await db.run(setFingerprints, [host, fingerprints]);
}
