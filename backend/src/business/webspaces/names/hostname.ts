import { randomBytes } from 'node:crypto';
import { getDomain } from 'tldts';
import { readDomainName } from '../../../base/domain-name.ts';
import { isHostname } from '../../../base/hostname.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { WebspaceLimits } from '../../core/catalog/schema/packages.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { convergeWebspace } from '../webspace-jobs.ts';

/** Names of one webspace, proven or not, also where a package sets no limit: each is work for its host at every change. */
export const MOST_NAMES = 500;

/** Where the record that proves a name is looked for. */
export const CHALLENGE_LABEL = '_hostkeep-challenge';

/** A host name as it is stored, in ASCII and lower case; null: it is none. */
export function readHostname(text: string): string | null {
  const reading = readDomainName(text.trim());
  return reading.ok && isHostname(reading.name.ascii) ? reading.name.ascii : null;
}

/** The name and all names above it down to two labels. */
function withParents(hostname: string): string[] {
  const labels = hostname.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

/** Whether the operator keeps the name for themselves: their hosts, and the names that webspaces get from them. */
export function isProviders({ content }: CatalogVersion, hostname: string): boolean {
  const own = content.web_hosts.flatMap((host) => [host.hostname, host.site_domain]);
  return own.some((name) => hostname === name || hostname.endsWith(`.${name}`));
}

// Domains are services, named by the domain. Whoever restores theirs, or has it again after a suspension, held it all along.
const HELD = "('active', 'suspended', 'cancel_scheduled', 'expired', 'cancelled')";

/** A name that stands only by a domain which is not in its webspace's account any more. */
const STALE = `d.proof = 'account' AND NOT EXISTS (
  SELECT FROM services o JOIN services w ON w.id = d.webspace_id
  WHERE o.account_id = w.account_id AND o.product = 'domain' AND o.state IN ${HELD}
    AND (d.hostname = o.name OR right(d.hostname, length(o.name) + 1) = '.' || o.name))`;

const ownersOf = statement<{ account_id: string; hostname: string; domain: boolean }>(
  'owners_of_hostnames',
  `SELECT s.account_id, s.name AS hostname, true AS domain FROM services s
   WHERE s.product = 'domain' AND s.name = ANY($1::text[])
     AND s.state IN ('active', 'suspended', 'cancel_scheduled')
   UNION ALL
   SELECT s.account_id, d.hostname, false FROM webspace_domains d JOIN services s ON s.id = d.webspace_id
   WHERE d.hostname = ANY($1::text[]) AND d.proven_at IS NOT NULL AND d.proof <> 'provider' AND NOT (${STALE})`,
);

/** What a claim of a name is worth before any record is looked for. */
export type Standing =
  /** The name, or one above it, is proven for another webspace or another customer (rule H1). */
  | 'taken'
  /** The domain is in the account. */
  | 'account'
  /** A record has to prove it. */
  | 'unproven';

/** Whether an account may have a name. The nearest owner above it decides; somebody's very name is theirs alone. */
export async function standingOf(db: Executor, accountId: string, hostname: string): Promise<Standing> {
  const owners = await db.run(ownersOf, [withParents(hostname)]);
  if (owners.some((owner) => !owner.domain && owner.hostname === hostname)) return 'taken';
  const nearest = owners.toSorted((a, b) => b.hostname.length - a.hostname.length)[0];
  if (nearest === undefined) return 'unproven';
  if (owners.some((owner) => owner.hostname === nearest.hostname && owner.account_id !== accountId))
    return 'taken';
  return owners.some((owner) => owner.domain && owner.account_id === accountId) ? 'account' : 'unproven';
}

const withdraw = `UPDATE webspace_domains d SET proof = NULL, proven_at = NULL, tls_state = 'none',
  tls_due_at = NULL WHERE`;
const displace = statement<{ webspace_id: string }>(
  'displace_hostnames',
  `${withdraw} d.hostname = ANY($1::text[]) AND ${STALE} RETURNING d.webspace_id`,
);
const withdrawBelow = statement<{ webspace_id: string }>(
  'withdraw_hostnames',
  `${withdraw} d.webspace_id IN (SELECT id FROM services WHERE account_id = $2 AND product = 'webspace')
     AND (d.hostname = $1 OR right(d.hostname, length($1::text) + 1) = '.' || $1) AND ${STALE}
   RETURNING d.webspace_id`,
);

/**
 * Takes a name, and those above it, from former owners of the domain whose webspaces still have it, because somebody
 * has a proof of their own now. They may prove it by a record.
 */
export async function displaceFormerOwners(
  tx: Transaction,
  uow: UnitOfWork,
  hostname: string,
): Promise<void> {
  for (const { webspace_id } of await tx.run(displace, [withParents(hostname)]))
    convergeWebspace(uow, webspace_id);
}

/** Takes a domain's names from the webspaces of an account that does not hold it any more; those that had some. */
export async function withdrawNames(
  tx: Transaction,
  domain: string,
  accountId: string,
): Promise<readonly string[]> {
  const found = await tx.run(withdrawBelow, [domain, accountId]);
  return [...new Set(found.map(({ webspace_id }) => webspace_id))];
}

const claim = statement<object>(
  'claim_hostname',
  "SELECT pg_advisory_xact_lock(hashtextextended('hostname ' || $1, 0))",
);

/** Keeps others from proving this name until the transaction ends. */
export async function lockHostname(tx: Transaction, hostname: string): Promise<void> {
  await tx.run(claim, [hostname]);
}

/** What of a package's limits one more name would exceed; null: nothing. */
export function exceeded(
  limits: Pick<WebspaceLimits, 'domains' | 'subdomains'>,
  present: readonly string[],
  hostname: string,
): 'domains' | 'subdomains' | null {
  const all = [...present, hostname];
  const domains = new Set(all.map(registrable));
  if (
    limits.domains !== null &&
    domains.size > limits.domains &&
    !present.map(registrable).includes(registrable(hostname))
  ) {
    return 'domains';
  }
  const subdomains = all.filter(isSubdomain);
  if (limits.subdomains !== null && isSubdomain(hostname) && subdomains.length > limits.subdomains)
    return 'subdomains';
  return null;
}

/** How many domains names belong to: example.com and shop.example.com to one. */
export function countDomains(hostnames: readonly string[]): number {
  return new Set(hostnames.map(registrable)).size;
}

function registrable(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}

/** www belongs to its domain and does not count. */
function isSubdomain(hostname: string): boolean {
  const domain = registrable(hostname);
  return hostname !== domain && hostname !== `www.${domain}`;
}

const insert = statement<object>(
  'insert_webspace_domain',
  `INSERT INTO webspace_domains (id, webspace_id, hostname, document_root, proof, proven_at, challenge, tls_state,
     tls_due_at, created_at)
   VALUES ($1, $2, $3, $4, $5::text, $6::timestamptz, $7, CASE WHEN $5::text IS NULL THEN 'none' ELSE 'pending' END,
     $6, $8)`,
);

export interface DomainDraft {
  readonly id: string;
  readonly webspaceId: string;
  readonly hostname: string;
  readonly documentRoot: string;
  readonly proof: 'provider' | 'account' | null;
}

/** What a record must hold to prove a name for a webspace: nobody else can know it. */
export function newChallenge(): string {
  return randomBytes(24).toString('base64url');
}

/** Adds a name; the text that a record must hold to prove it. */
export async function addDomain(tx: Transaction, draft: DomainDraft, now: Instant): Promise<string> {
  const challenge = newChallenge();
  await tx.run(insert, [
    draft.id,
    draft.webspaceId,
    draft.hostname,
    draft.documentRoot,
    draft.proof,
    draft.proof === null ? null : now,
    challenge,
    now,
  ]);
  return challenge;
}

const prove = statement<object>(
  'prove_webspace_domain',
  `UPDATE webspace_domains SET proof = 'txt', proven_at = $2, tls_state = 'pending', tls_due_at = $2
   WHERE id = $1 AND proven_at IS NULL`,
);

export async function proveDomain(tx: Transaction, id: string, now: Instant): Promise<void> {
  await tx.run(prove, [id, now]);
}

const remove = statement<object>('delete_webspace_domain', 'DELETE FROM webspace_domains WHERE id = $1');

export async function removeDomain(tx: Transaction, id: string): Promise<void> {
  await tx.run(remove, [id]);
}
