import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import type { Signer } from '../../base/sign.ts';
import { type Instant, wireTime } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import type { StorageQueries } from '../../drivers/storage/port.ts';
import { ledgerFile } from '../core/ledger/file.ts';
import { attachmentFile } from '../support/attachments/download.ts';
import { accountFile } from './account-file.ts';
import { ATTACHMENTS, TABLE_FILES, tableLines } from './table-file.ts';
import { revisionLines, zoneFile, zonesOf } from './zone-files.ts';

const FORMAT = 'hostkeep-export-1';

interface Spooled {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

export interface ArchiveRequest {
  readonly accountId: string;
  readonly signer: Signer;
  readonly storage: StorageQueries;
  readonly now: Instant;
  /** Told of an attached file that is nowhere any more: the manifest names it all the same. */
  readonly onMissing: (attachmentId: string) => void;
}

/** What a line of the attachments' file says of where the file itself is. */
interface Attached {
  readonly id: string;
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * Gives everything that an account has here to `keep`, as a gzip'd tar: its files, MANIFEST with their hashes as
 * `sha256sum -c` reads them, and MANIFEST.jws, which signs the manifest. Each file but those that were attached goes
 * through the disk, since a tar tells a file's size before its content; at no time is more than a batch of rows,
 * or the records of one zone, in memory.
 */
export async function buildArchive<T>(
  db: Executor,
  request: ArchiveRequest,
  keep: (content: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const { accountId, signer, now } = request;
  const directory = await mkdtemp(join(tmpdir(), 'hostkeep-export-'));
  try {
    const files: Spooled[] = [];
    const add = async (name: string, lines: AsyncIterable<string> | Iterable<string>) => {
      files.push(await spool(join(directory, name), name, lines));
    };
    await add('account.json', accountFile(db, accountId));
    await add('ledger.jsonl', ledgerFile(db, signer, accountId, now));
    for (const file of TABLE_FILES) await add(file.name, tableLines(db, file, accountId));
    await add('zone_revisions.jsonl', revisionsOf(db, accountId));
    await mkdir(join(directory, 'zones'));
    for await (const zone of zonesOf(db, accountId)) await add(`zones/${zone.name}.zone`, zoneFile(db, zone));
    await add('MANIFEST', manifestLines(directory, [...files]));
    const claims = {
      format: FORMAT,
      account: accountId,
      created_at: wireTime(now),
      manifest_sha256: files.at(-1)?.sha256,
    };
    await add('MANIFEST.jws', [`${signer.jws(claims)}\n`]);
    const archive = pack();
    const addAll = async () => {
      await addSpooled(archive, files, now);
      await addAttached(archive, directory, db, request);
      archive.finalize();
    };
    const [kept] = await Promise.all([
      pipeline(archive, createGzip(), keep),
      addAll().catch((error: Error) => archive.destroy(error)),
    ]);
    return kept;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function* revisionsOf(db: Executor, accountId: string): AsyncGenerator<string> {
  for await (const zone of zonesOf(db, accountId)) yield* revisionLines(db, zone);
}

async function spool(
  path: string,
  name: string,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<Spooled> {
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(
    lines,
    async function* (source: AsyncIterable<string>) {
      for await (const text of source) {
        const bytes = Buffer.from(text);
        hash.update(bytes);
        size += bytes.length;
        yield bytes;
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  );
  return { name, path, size, sha256: hash.digest('hex') };
}

async function* manifestLines(directory: string, files: readonly Spooled[]): AsyncGenerator<string> {
  for (const { sha256, name } of files) yield `${sha256}  ${name}\n`;
  for await (const { sha256, file } of attachedIn(directory)) yield `${sha256}  ${file}\n`;
}

/** What was attached, as the spooled file has it: whatever has come since is not in this archive. */
async function* attachedIn(directory: string): AsyncGenerator<Attached> {
  const lines = createInterface({ input: createReadStream(join(directory, ATTACHMENTS.name)) });
  for await (const line of lines) yield JSON.parse(line) as Attached;
}

async function addSpooled(archive: Pack, files: readonly Spooled[], now: Instant): Promise<void> {
  for (const { name, path, size } of files)
    await pipeline(createReadStream(path), archive.entry(headerOf(name, size, now)));
}

async function addAttached(
  archive: Pack,
  directory: string,
  db: Executor,
  { accountId, storage, now, onMissing }: ArchiveRequest,
): Promise<void> {
  for await (const { id, file, size } of attachedIn(directory)) {
    const found = await attachmentFile(db, storage, { id, accountId });
    if (found === null) onMissing(id);
    else await pipeline(Readable.from(found.content), archive.entry(headerOf(file, size, now)));
  }
}

function headerOf(name: string, size: number, now: Instant) {
  const folder = `hostkeep-export-${wireTime(now).slice(0, 10)}`;
  return { name: `${folder}/${name}`, size, mtime: new Date(now.epochMilliseconds) };
}
