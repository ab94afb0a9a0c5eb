import type { WantedSite, Webserver } from '../src/drivers/webserver/port.ts';
import orderWebspace from '../src/operations/webspace/order.ts';
import { BatchQueue } from '../src/wire/batch-queue.ts';
import { writeTogether } from '../src/wire/write.ts';
import type { Customer } from './fixture.ts';
import { openServers } from './servers.ts';
import { type smallDocument, webHost } from './small-catalog.ts';

export const WEBSPACE_PACKAGE = '4dd2a93c-a8ea-49b3-90fa-a7251046f225';
export const SMALL_PACKAGE = '0c7b1d3e-9f5a-4b53-9d2a-6d2b6ad6a111';

export const WEBSPACE_ORDER = { pack_uuid: WEBSPACE_PACKAGE, duration: 1, tos: true, cancellation: true };

type Document = ReturnType<typeof smallDocument>;

/** What the webspaces' catalogue is to be, changed in place. */
export type ChangeWebCatalog = (document: Document) => void;

/** The servers' fixture with webspaces to sell, and the sandbox web server behind them. */
export async function openWebspaces(
  change: ChangeWebCatalog = () => {},
  webservers: ReadonlyMap<string, Webserver> = new Map(),
) {
  const servers = await openServers((document) => {
    const [pack] = document.webspace_packages;
    if (pack === undefined) throw new Error('the small catalogue sells no webspace');
    const durations = [
      { duration: 1, duration_unit: 'month' },
      { duration: 1, duration_unit: 'year' },
    ];
    document.webspace_packages = [
      { ...pack, durations, limits: { ...pack.limits, php_versions: ['8.3', '8.4'] } },
      {
        ...pack,
        uuid: SMALL_PACKAGE,
        id: 302,
        name: 'Web XS',
        durations,
        limits: { ...pack.limits, disk: 512, domains: 1, subdomains: 0, databases: 0, backups: 1 },
      },
    ];
    document.web_hosts = [webHost('web1'), { ...webHost('web2'), php_versions: ['8.4'] }];
    change(document);
  }, webservers);
  const { pool, work } = servers;
  const writes = new BatchQueue((items) => writeTogether(pool, items), false);

  /** Orders a webspace; the answer's data, whatever it is. */
  async function order(who: Customer, input: object = {}): Promise<OrderedWebspace> {
    const outcome = await writes.submit(servers.item(orderWebspace, who, { ...WEBSPACE_ORDER, ...input }));
    if (outcome.kind !== 'answered') throw outcome.kind === 'refused' ? outcome.refusal : new Error('locked');
    return outcome.data as OrderedWebspace;
  }

  /** A webspace that is there. */
  async function webspace(who: Customer, input: object = {}): Promise<OrderedWebspace> {
    const ordered = await order(who, input);
    await work();
    return ordered;
  }

  /** The sandbox's sites, as that other system has them. */
  async function sites() {
    const { rows } = await pool.pg.query<SandboxSite>('SELECT * FROM sandbox.sites ORDER BY webspace_id');
    return rows;
  }

  /** What must hold of web hosts after anything, beside the money. */
  async function roomProblems(): Promise<string[]> {
    const { rows } = await pool.pg.query<{ problem: string }>(`
      SELECT 'room of ' || h.name AS problem FROM web_hosts h
        LEFT JOIN (SELECT host, count(*) AS webspaces, sum(disk) AS disk FROM webspaces
                   WHERE removed_at IS NULL GROUP BY host) u ON u.host = h.name
        WHERE h.webspaces_used <> coalesce(u.webspaces, 0) OR h.disk_used <> coalesce(u.disk, 0)
           OR h.webspaces_used > h.webspaces_total OR h.disk_used > h.disk_total
      UNION ALL SELECT 'a proven name of a removed webspace ' || d.hostname FROM webspace_domains d
        JOIN webspaces w ON w.id = d.webspace_id WHERE w.removed_at IS NOT NULL
      UNION ALL SELECT 'a secret of a removed webspace ' || id FROM webspaces
        WHERE removed_at IS NOT NULL AND password_sealed IS NOT NULL`);
    return [...rows.map((row) => row.problem), ...(await servers.booksProblems())];
  }

  return { ...servers, order, webspace, sites, roomProblems, writes };
}

export type Webspaces = Awaited<ReturnType<typeof openWebspaces>>;

export interface SandboxSite {
  readonly webspace_id: string;
  readonly host: string;
  readonly username: string;
  readonly suspended: boolean;
  readonly login_hash: Buffer;
  readonly php_version: string;
  readonly hostnames: readonly string[];
  readonly sftp_keys: readonly string[];
  readonly certificates: readonly string[];
  readonly files: readonly string[];
}

/** The data of an order, or of its dry run: tests read what they are about. */
export interface OrderedWebspace {
  readonly order_id: string;
  readonly webspace_uuid: string;
  readonly domain: string | null;
  readonly access: { readonly username: string; readonly password: string | null };
  readonly expire_at: string;
  readonly state: string;
  readonly charged: { readonly gross: number };
  readonly task: { readonly uuid: string };
  readonly quote: { readonly gross: number; readonly in_stock: boolean };
}

/** A site that no customer has, for drivers under test. */
export function wantedSite(change: Partial<WantedSite> = {}): WantedSite {
  return {
    webspaceId: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
    host: 'web1',
    username: 'somebody',
    uid: 200_000,
    diskMib: 64,
    memoryMib: 64,
    phpVersion: '8.4',
    hostnames: [],
    sftpKeys: [],
    password: null,
    ...change,
  };
}
