import { createHash } from 'node:crypto';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';

const PART_BYTES = 1024 * 1024;

const insert = statement<object>(
  'insert_export_part',
  'INSERT INTO export_parts (content_id, number, export_id, content) VALUES ($1, $2, $3, $4)',
);
const load = statement<{ content: Buffer }>(
  'load_export_part',
  'SELECT content FROM export_parts WHERE content_id = $1 AND number = $2',
);
const dropOthers = statement<object>(
  'drop_export_parts',
  'DELETE FROM export_parts WHERE export_id = $1 AND content_id IS DISTINCT FROM $2',
);

/** The archive has more bytes than are kept. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Keeps what a stream gives, a part at a time. Throws {@link TooLarge} as soon as it is more than `most` bytes. */
export async function keepParts(
  db: Executor,
  { exportId, contentId, most }: { exportId: string; contentId: string; most: number },
  source: AsyncIterable<Buffer>,
): Promise<{ readonly size: number; readonly sha256: Buffer }> {
  const hash = createHash('sha256');
  let waiting: Buffer[] = [];
  let bytes = 0;
  let size = 0;
  let number = 0;
  const flush = async () => {
    if (bytes === 0) return;
    await db.run(insert, [contentId, number, exportId, Buffer.concat(waiting)]);
    number += 1;
    waiting = [];
    bytes = 0;
  };
  for await (const chunk of source) {
    hash.update(chunk);
    waiting.push(chunk);
    bytes += chunk.length;
    size += chunk.length;
    if (size > most) throw new TooLarge();
    if (bytes >= PART_BYTES) await flush();
  }
  await flush();
  return { size, sha256: hash.digest() };
}

/** The parts of an archive, one after another. */
export async function* readParts(db: Executor, contentId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const [part] = await db.run(load, [contentId, number]);
    if (part === undefined) return;
    yield part.content;
  }
}

/** Forgets the parts of an export's attempts, but those of `kept`. */
export async function dropParts(db: Executor, exportId: string, kept: string | null): Promise<void> {
  await db.run(dropOthers, [exportId, kept]);
}
