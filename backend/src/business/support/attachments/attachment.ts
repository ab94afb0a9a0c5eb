import { randomUUIDv7 } from 'node:crypto';
import { sha256 } from '../../../base/canonical.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Catalog } from '../../core/catalog/schema/schema.ts';
import { contentTypeOf } from './content-type.ts';

export const MOST_FILES = 10;
export const MOST_BYTES = 10 * 1024 * 1024;
export const LONGEST_FILENAME = 200;
/** The job that moves what was attached into the storage. */
export const STORE = 'tickets.store';

/** A file as somebody gives it. */
export interface GivenFile {
  readonly filename: string;
  readonly content: Buffer;
}

/** A file that may be attached, with what its content says that it is. */
export interface CheckedFile extends GivenFile {
  readonly contentType: string;
}

export type FilesOutcome =
  | { readonly kind: 'checked'; readonly files: readonly CheckedFile[] }
  | { readonly kind: 'too_many' }
  | { readonly kind: 'too_large' }
  /** These, by their position, are nothing that may be attached. */
  | { readonly kind: 'refused'; readonly positions: readonly number[] };

/** What is asked of files, however they come. */
export function checkFiles(given: readonly GivenFile[]): FilesOutcome {
  if (given.length > MOST_FILES) return { kind: 'too_many' };
  if (given.reduce((sum, { content }) => sum + content.length, 0) > MOST_BYTES) return { kind: 'too_large' };
  const types = given.map(({ filename, content }) =>
    content.length === 0 ? null : contentTypeOf(filename, content),
  );
  const positions = types.flatMap((type, position) => (type === null ? [position] : []));
  if (positions.length > 0) return { kind: 'refused', positions };
  return {
    kind: 'checked',
    files: given.flatMap((file, position) => {
      const contentType = types[position];
      return contentType ? [{ ...file, contentType }] : [];
    }),
  };
}

const BYTES_PER_MIB = 1024 * 1024;
/** What a file counts at least: what a storage takes for it, so that the smallest are not without number. */
const LEAST_BYTES = 4096;

const kept = statement<{ bytes: bigint }>(
  'count_attached_bytes',
  `SELECT coalesce(sum(greatest(size, ${LEAST_BYTES})), 0)::bigint AS bytes FROM ticket_attachments WHERE account_id = $1`,
);

/**
 * Whether these files of a customer still fit into what is kept of their account's tickets, which is locked. What operators
 * attach counts as well, but is never refused.
 */
export async function fits(
  tx: Transaction,
  accountId: string,
  files: readonly GivenFile[],
  { support }: Pick<Catalog, 'support'>,
): Promise<boolean> {
  if (files.length === 0) return true;
  const [row] = await tx.run(kept, [accountId]);
  const more = files.reduce((sum, { content }) => sum + Math.max(content.length, LEAST_BYTES), 0);
  return Number(row?.bytes ?? 0n) + more <= support.files_mib * BYTES_PER_MIB;
}

/** A file of a message; its bytes are elsewhere. */
export interface Attachment {
  readonly id: string;
  readonly message_id: string;
  readonly account_id: string;
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
  readonly sha256: Buffer;
}

const COLUMNS = 'id, message_id, account_id, filename, content_type, size, sha256';
const insert = statement<object>(
  'insert_attachment',
  `INSERT INTO ticket_attachments (${COLUMNS}, position, content, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

/**
 * Keeps files with their message, in one transaction; a job moves them into the storage afterwards. They are at most
 * ten, and large: a statement each, all under way at once.
 */
export async function attach(
  tx: Transaction,
  uow: UnitOfWork,
  message: { readonly id: string; readonly account_id: string },
  files: readonly CheckedFile[],
): Promise<readonly Attachment[]> {
  const attached = files.map(({ filename, contentType, content }) => ({
    id: randomUUIDv7(),
    message_id: message.id,
    account_id: message.account_id,
    filename,
    content_type: contentType,
    size: content.length,
    sha256: sha256(content),
  }));
  await Promise.all(
    attached.map((one, position) =>
      tx.run(insert, [
        one.id,
        one.message_id,
        one.account_id,
        one.filename,
        one.content_type,
        one.size,
        one.sha256,
        position,
        files[position]?.content,
        uow.now,
      ]),
    ),
  );
  for (const { id } of attached)
    uow.jobs.push({ name: STORE, payload: { attachment_id: id }, key: `${STORE}:${id}` });
  return attached;
}

const ofMessages = statement<Attachment>(
  'attachments_of_messages',
  `SELECT ${COLUMNS} FROM ticket_attachments WHERE message_id = ANY($1::uuid[]) ORDER BY message_id, position`,
);

/** The files of messages, by the message's id. */
export async function attachmentsOf(
  db: Executor,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Attachment[]>> {
  const rows = messageIds.length === 0 ? [] : await db.run(ofMessages, [messageIds]);
  return Map.groupBy(rows, (row) => row.message_id);
}

/** A file with its bytes while the storage has not got them. */
export interface KeptAttachment extends Attachment {
  readonly content: Buffer | null;
}

const one = statement<KeptAttachment>(
  'load_attachment',
  `SELECT ${COLUMNS}, content FROM ticket_attachments WHERE id = $1`,
);

export async function attachmentOf(db: Executor, id: string): Promise<KeptAttachment | null> {
  const [found] = await db.run(one, [id]);
  return found ?? null;
}

const release = statement<object>(
  'release_attachment',
  'UPDATE ticket_attachments SET content = NULL WHERE id = $1',
);

/** Lets go of the bytes, which the storage has now. */
export async function releaseContent(tx: Transaction, id: string): Promise<void> {
  await tx.run(release, [id]);
}

/** The name that a file has in the storage: what it holds. */
export function storageKey({ sha256: digest }: Pick<Attachment, 'sha256'>): string {
  return digest.toString('hex');
}
