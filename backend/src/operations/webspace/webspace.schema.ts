import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import { DATABASE_SUFFIX } from '../../business/webspaces/databases.ts';
import { isDocumentRoot } from '../../business/webspaces/document-root.ts';
import { CHALLENGE_LABEL, readHostname } from '../../business/webspaces/names/hostname.ts';
import { isReserved, USERNAME } from '../../business/webspaces/username.ts';
import { CHANGEABLE, type StoredDomain, type Webspace } from '../../business/webspaces/webspace.ts';
import type { Refusal, RefusalDetail } from '../../errors.ts';

/** Fields and objects of the webspace group. */

const count = z.int().nullable().describe('null: unlimited');

export const limits = z.object({
  disk: z.int().describe('MiB'),
  traffic: count.describe('GiB a month; null: unlimited'),
  domains: count,
  subdomains: count,
  mailboxes: count,
  databases: count,
  ftp_accounts: count,
  cron_jobs: count,
  memory_limit: z.int().describe('MiB for one process of PHP'),
  php_versions: z.array(z.string()),
  ssh: z.boolean(),
  backups: z.int(),
});

export const packageObject = z.object({
  id: z.int(),
  uuid,
  name: z.string(),
  description: z.string(),
  info: z.object({ features: z.array(z.string()) }),
});

/** The package as the newest catalogue describes it; what that has forgotten since is empty, and 0. */
export function wirePackage(catalog: CatalogVersion, packageUuid: string) {
  const pack = catalog.webspacePackages.get(packageUuid);
  return {
    id: pack?.id ?? 0,
    uuid: packageUuid,
    name: pack?.name ?? '',
    description: pack?.description ?? '',
    info: { features: pack?.features ?? [] },
  };
}

/** What a webspace may use. Its disk is what was reserved for it. */
export function wireLimits(catalog: CatalogVersion, { item, disk, php_version }: LimitedWebspace) {
  const known = catalog.webspacePackages.get(item)?.limits;
  if (known !== undefined) return { ...known, disk };
  const none = {
    traffic: 0,
    domains: 0,
    subdomains: 0,
    mailboxes: 0,
    databases: 0,
    ftp_accounts: 0,
    cron_jobs: 0,
  };
  return { disk, ...none, memory_limit: 0, php_versions: [php_version], ssh: false, backups: 0 };
}
type LimitedWebspace = Pick<Webspace, 'item' | 'disk' | 'php_version'>;

export const hostname = z
  .string()
  .min(1)
  .max(253)
  .refine((text) => readHostname(text) !== null, 'This must be a host name such as www.example.com.')
  .overwrite((text) => readHostname(text) ?? text)
  .describe('Unicode or punycode; answered as punycode.');

export const username = z
  .string()
  .regex(USERNAME, 'A letter, then 2 to 15 letters or digits, all lower-case.')
  .refine((name) => !isReserved(name), 'This name is reserved.');

export const password = z
  .string()
  .min(12, 'At least 12 characters.')
  .max(128, 'At most 128 characters.')
  .regex(/^\P{C}*$/u, 'Control characters are not allowed.');

export const documentRoot = z
  .string()
  .max(200)
  .refine(isDocumentRoot, 'This must be htdocs, or a directory below it such as htdocs/shop.');

export const databaseSuffix = z
  .string()
  .regex(DATABASE_SUFFIX, 'Lower-case letters, digits and underscores, at most 32.')
  .describe('What follows the user name and an underscore in the name of the database.');

export const tls = z.object({
  state: z.enum(['none', 'pending', 'active', 'failed']),
  expire_at: timestamp.nullable(),
});

export const domainObject = z.object({
  domain: z.string(),
  document_root: z.string(),
  tls,
  proof: z
    .enum(['provider', 'account', 'txt'])
    .nullable()
    .describe('How it was proven that the name is yours; null: not yet, and it is not served.'),
  challenge: z
    .object({ name: z.string(), type: z.literal('TXT'), value: z.string() })
    .nullable()
    .describe('The record that proves it; then call `webspace/domain-verify`.'),
});

export function wireDomain(domain: Omit<StoredDomain, 'id'>) {
  const { hostname: name, proof } = domain;
  return {
    domain: name,
    document_root: domain.document_root,
    tls: {
      state: domain.tls_state,
      expire_at: domain.tls_expire_at === null ? null : wireMoment(domain.tls_expire_at),
    },
    proof,
    challenge:
      proof === null
        ? { name: `${CHALLENGE_LABEL}.${name}`, type: 'TXT' as const, value: domain.challenge }
        : null,
  };
}

function wireMoment(iso: string): string {
  return Temporal.Instant.from(iso).toString().slice(0, 19).replace('T', ' ');
}

/** What every change of a webspace answers beside what it changed. */
export const changed = { uuid, version: z.int(), task };

export const CHANGE_ERRORS = ['not_found', 'state_conflict'] as const;

/** Refuses what cannot be while a webspace is off, or not there yet (rule E1). */
export function mustBeOn(
  ctx: { refusal(code: 'state_conflict', detail?: RefusalDetail): Refusal },
  found: Pick<Webspace, 'state'>,
): void {
  if (CHANGEABLE.includes(found.state)) return;
  throw ctx.refusal('state_conflict', {
    members: { current_state: found.state, allowed_states: CHANGEABLE },
  });
}

/** Refuses what a package's limit does not allow. */
export function mustFit(
  ctx: { refusal(code: 'limit_reached', detail?: RefusalDetail): Refusal },
  limited: string,
  limit: number | null,
  used: number,
): void {
  if (limit !== null && used >= limit) throw ctx.refusal('limit_reached', { members: { limit, limited } });
}
