import type { Sealer } from '../../base/seal.ts';
import type { Instant } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';
import { PASSWORD_PURPOSE } from './webspace.ts';

export interface StoredDatabase {
  readonly id: string;
  readonly name: string;
  readonly created_at: Instant;
  /** Whether the back end has it as it is wanted. */
  readonly pending: boolean;
}

/** Of one webspace, whatever its package says: each holds at least one connection of its host's database server. */
export const MOST_DATABASES = 100;

/** What the end of a database's name may be; the webspace's user comes in front of it. */
export const DATABASE_SUFFIX = /^[a-z0-9][a-z0-9_]{0,31}$/;

const list = statement<StoredDatabase>(
  'list_webspace_databases',
  `SELECT id, name, created_at, password_sealed IS NOT NULL AS pending FROM webspace_databases
   WHERE webspace_id = $1 AND deleted_at IS NULL ORDER BY name`,
);
const insert = statement<object>(
  'insert_webspace_database',
  `INSERT INTO webspace_databases AS d (id, webspace_id, name, password_sealed, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (webspace_id, name) DO NOTHING RETURNING id`,
);
const remove = statement<object>(
  'unwant_webspace_database',
  'UPDATE webspace_databases SET deleted_at = $2, password_sealed = NULL WHERE id = $1',
);
const setPassword = statement<object>(
  'set_webspace_database_password',
  'UPDATE webspace_databases SET password_sealed = $2 WHERE id = $1',
);

export function listDatabases(db: Executor, webspaceId: string): Promise<StoredDatabase[]> {
  return db.run(list, [webspaceId]);
}

/** Adds a database that is to be; false: one of that name is there, or is still going. */
export async function addDatabase(
  tx: Transaction,
  database: {
    readonly id: string;
    readonly webspaceId: string;
    readonly name: string;
    readonly sealed: Buffer;
  },
  now: Instant,
): Promise<boolean> {
  const { id, webspaceId, name, sealed } = database;
  return (await tx.run(insert, [id, webspaceId, name, sealed, now])).length > 0;
}

export async function unwantDatabase(tx: Transaction, id: string, now: Instant): Promise<void> {
  await tx.run(remove, [id, now]);
}

export async function setDatabasePassword(tx: Transaction, id: string, sealed: Buffer): Promise<void> {
  await tx.run(setPassword, [id, sealed]);
}

/** A database that the back end does not have as it is wanted. */
export interface OpenDatabase {
  readonly id: string;
  readonly name: string;
  readonly sealed: Buffer | null;
  /** In clear; null: it is to go. */
  readonly password: string | null;
}

const loadOpen = statement<{ id: string; name: string; password_sealed: Buffer | null }>(
  'open_webspace_databases',
  `SELECT id, name, password_sealed FROM webspace_databases
   WHERE webspace_id = $1 AND (deleted_at IS NOT NULL OR password_sealed IS NOT NULL) ORDER BY name`,
);
const settleWanted = statement<object>(
  'settle_webspace_database',
  'UPDATE webspace_databases SET password_sealed = NULL WHERE id = $1 AND password_sealed = $2',
);
const settleUnwanted = statement<object>(
  'settle_unwanted_database',
  'DELETE FROM webspace_databases WHERE id = $1 AND deleted_at IS NOT NULL',
);

export async function openDatabases(
  db: Executor,
  sealer: Sealer,
  webspaceId: string,
): Promise<OpenDatabase[]> {
  const rows = await db.run(loadOpen, [webspaceId]);
  return rows.map(({ id, name, password_sealed: sealed }) => ({
    id,
    name,
    sealed,
    password: sealed === null ? null : sealer.openText(PASSWORD_PURPOSE, sealed),
  }));
}

/** Forgets what the back end has done, unless something else is wanted by now. */
export async function settleDatabase(db: Executor, { id, sealed }: OpenDatabase): Promise<void> {
  if (sealed === null) await db.run(settleUnwanted, [id]);
  else await db.run(settleWanted, [id, sealed]);
}
