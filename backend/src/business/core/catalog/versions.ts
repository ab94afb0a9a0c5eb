import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Host } from './schema/host.ts';
import type { IsoImage } from './schema/medium.ts';
import type { OperatingSystem } from './schema/operating-system.ts';
import type { LicensePackage, ServerPackage, WebspacePackage } from './schema/packages.ts';
import { type Catalog, catalogDocument, catalogFromDocument } from './schema/schema.ts';
import type { WebHost } from './schema/web-host.ts';

/** One immutable version of everything sold, with the look-ups that pricing needs. */
export interface CatalogVersion {
  readonly version: number;
  readonly content: Catalog;
  readonly tlds: ReadonlyMap<string, Catalog['tlds'][number]>;
  readonly hosts: ReadonlyMap<string, Host>;
  readonly operatingSystems: ReadonlyMap<string, OperatingSystem>;
  readonly isoImages: ReadonlyMap<string, IsoImage>;
  readonly datacenters: ReadonlyMap<string, Catalog['datacenters'][number]>;
  readonly licensePackages: ReadonlyMap<string, LicensePackage>;
  readonly serverPackages: ReadonlyMap<string, ServerPackage>;
  readonly webspacePackages: ReadonlyMap<string, WebspacePackage>;
  readonly webHosts: ReadonlyMap<string, WebHost>;
}

export function catalogVersion(version: number, content: Catalog): CatalogVersion {
  const by = <T, K extends keyof T>(items: readonly T[], key: K) =>
    new Map(items.map((item) => [item[key] as string, item]));
  return {
    version,
    content,
    tlds: by(content.tlds, 'tld'),
    hosts: by(content.hosts, 'name'),
    operatingSystems: by(content.operating_systems, 'name'),
    isoImages: by(content.iso_images, 'name'),
    datacenters: by(content.datacenters, 'name'),
    licensePackages: by(content.license_packages, 'uuid'),
    serverPackages: by(content.server_packages, 'uuid'),
    webspacePackages: by(content.webspace_packages, 'uuid'),
    webHosts: by(content.web_hosts, 'name'),
  };
}

const newestVersion = statement<{ version: number | null }>(
  'newest_catalog_version',
  'SELECT max(version) AS version FROM catalog_versions',
);
const loadVersion = statement<{ document: unknown }>(
  'load_catalog_version',
  'SELECT document FROM catalog_versions WHERE version = $1',
);

const KEPT_VERSIONS = 8;
const REFRESH_MS = 900;

/** Nothing has been imported into this database yet. */
export class NoCatalog extends Error {
  override readonly name = 'NoCatalog';
}

/**
 * The catalogue in memory. Versions never change, so any number of processes may keep them; only which one is
 * newest is asked for: by reads at most every 900 ms, by orders each time, inside their transaction.
 */
export class CatalogStore {
  readonly #versions = new Map<number, CatalogVersion>();
  readonly #db: Executor;
  #current: CatalogVersion | null = null;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Executor) {
    this.#db = db;
  }

  /** The newest version known here, at most 900 ms old; a refresh runs beside the requests that use it. */
  current(): CatalogVersion {
    if (performance.now() - this.#checkedAt > REFRESH_MS) {
      this.#checkedAt = performance.now();
      this.newest(this.#db).catch(() => {
        // The database is away, or empty: requests that need it say so themselves.
      });
    }
    if (this.#current === null) throw new NoCatalog('no catalogue was imported yet');
    return this.#current;
  }

  /** The newest version that was loaded; null: none was. */
  known(): CatalogVersion | null {
    return this.#current;
  }

  /** Loads the newest version before the first use; nothing may have been imported yet. */
  async open(): Promise<this> {
    await this.newest(this.#db).catch((error) => {
      if (!(error instanceof NoCatalog)) throw error;
    });
    return this;
  }

  /** The newest version in the database, as `db` (a transaction, for orders) sees it. */
  async newest(db: Executor): Promise<CatalogVersion> {
    const [row] = await db.run(newestVersion, []);
    if (row === undefined || row.version === null) throw new NoCatalog('no catalogue was imported yet');
    const newest = await this.version(db, row.version);
    if (this.#current === null || newest.version > this.#current.version) this.#current = newest;
    return newest;
  }

  async version(db: Executor, version: number): Promise<CatalogVersion> {
    const known = this.#versions.get(version);
    if (known !== undefined) return known;
    const [row] = await db.run(loadVersion, [version]);
    if (row === undefined) throw new Error(`catalogue version ${version} does not exist`);
    const loaded = catalogVersion(version, catalogFromDocument(row.document));
    this.#versions.set(version, loaded);
    if (this.#versions.size > KEPT_VERSIONS) this.#versions.delete(Math.min(...this.#versions.keys()));
    return loaded;
  }
}

/** The document as text, ready for a jsonb parameter. */
export function documentText(catalog: Catalog): string {
  return JSON.stringify(catalogDocument(catalog));
}
