import type { Instant } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import { DOMAIN_COLUMNS, type Domain } from './domain.ts';
import { type DomainState, SHOWN_STATE } from './state.ts';

/** null: whatever it is. */
export interface DomainFilter {
  readonly state: DomainState | null;
  readonly tld: string | null;
  readonly expiresBefore: Instant | null;
  readonly autoRenew: boolean | null;
  /** A LIKE pattern for its names. */
  readonly name: string | null;
  readonly only: readonly string[] | null;
}

export interface DomainPage {
  readonly sort: 'created_at' | 'expire_at' | 'domain';
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

const FOUND = `FROM services s JOIN domains v ON v.id = s.id
  WHERE s.account_id = $1 AND ($2::text IS NULL OR ${SHOWN_STATE} = $2) AND ($3::text IS NULL OR v.tld = $3)
    AND ($4::timestamptz IS NULL OR (s.expire_at < $4 AND s.ended_at IS NULL))
    AND ($5::boolean IS NULL OR s.auto_renew = $5)
    AND ($6::text IS NULL OR v.name ILIKE $6 OR s.custom_name ILIKE $6)
    AND ($7::uuid[] IS NULL OR s.id = ANY($7))`;

const SORTS = { created_at: 's.created_at', expire_at: 's.expire_at', domain: 'v.name' } as const;

const pageOf = (sort: DomainPage['sort'], order: DomainPage['order']) =>
  statement<Domain>(
    `list_domains_${sort}_${order}`,
    `SELECT ${DOMAIN_COLUMNS} ${FOUND} ORDER BY ${SORTS[sort]} ${order}, s.id ${order} LIMIT $8 OFFSET $9`,
  );
const pages = {
  created_at: { asc: pageOf('created_at', 'asc'), desc: pageOf('created_at', 'desc') },
  expire_at: { asc: pageOf('expire_at', 'asc'), desc: pageOf('expire_at', 'desc') },
  domain: { asc: pageOf('domain', 'asc'), desc: pageOf('domain', 'desc') },
} as const;
const count = statement<{ total: number }>('count_domains', `SELECT count(*)::int AS total ${FOUND}`);

/** A page of an account's domains, and how many match. */
export async function listDomains(
  db: Executor,
  accountId: string,
  filter: DomainFilter,
  page: DomainPage,
): Promise<{ readonly domains: readonly Domain[]; readonly total: number }> {
  const { state, tld, expiresBefore, autoRenew, name, only } = filter;
  const values = [accountId, state, tld, expiresBefore, autoRenew, name, only];
  const [domains, [counted]] = await Promise.all([
    db.run(pages[page.sort][page.order], [...values, page.limit, page.offset]),
    db.run(count, values),
  ]);
  return { domains, total: counted?.total ?? 0 };
}
