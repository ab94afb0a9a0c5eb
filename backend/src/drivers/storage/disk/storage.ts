import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256 } from '../../../base/canonical.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { assertStorageKey, type FileStorage, isStorageKey, type StorageConnection } from '../port.ts';

/**
 * Files below a directory, each under the hash of its content. One is written beside its place and moved there when
 * it is whole and on the disk: what has the name has the content.
 */
export class DiskStorage implements StorageConnection {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async ensureStored(key: string, content: Buffer): Promise<CommandOutcome<null>> {
    const path = this.#pathOf(key);
    if ((await sizeOf(path)) === content.length) return { kind: 'done', result: null };
    const folder = dirname(path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const making = `${path}.${randomUUID()}.making`;
    try {
      const file = await open(making, 'wx', 0o600);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(making, path);
    } catch (error) {
      await rm(making, { force: true });
      throw error;
    }
    await syncDirectory(folder);
    return { kind: 'done', result: null };
  }

  async read(key: string): Promise<AsyncIterable<Buffer> | null> {
    const path = this.#pathOf(key);
    return (await sizeOf(path)) === null ? null : pieces(path);
  }

  /**
   * Copies everything that is here into another storage, each file looked at: one whose content is not what its name
   * says is `damaged` and left out. What is there already stays, and what is still being written does not come along.
   */
  async copyTo(
    other: FileStorage,
  ): Promise<{ readonly copied: number; readonly damaged: readonly string[] }> {
    let copied = 0;
    const damaged: string[] = [];
    for (const folder of await namesIn(this.#directory)) {
      for (const name of (await namesIn(join(this.#directory, folder))).filter(isStorageKey)) {
        const content = await readFile(this.#pathOf(name));
        if (sha256(content).toString('hex') === name) {
          await other.ensureStored(name, content);
          copied += 1;
        } else damaged.push(name);
      }
    }
    return { copied, damaged };
  }

  async problem(): Promise<string | null> {
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      await access(this.#directory, constants.R_OK | constants.W_OK);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** In folders of a 256th each, so that none has too many. */
  #pathOf(key: string): string {
    assertStorageKey(key);
    return join(this.#directory, key.slice(0, 2), key);
  }
}

/**
 * Opened by the reader's first step and closed after their last: what nobody reads holds nothing open. (A FileHandle that
 * is collected while it is open ends the process.)
 */
async function* pieces(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    yield* file.createReadStream({ autoClose: false });
  } finally {
    await file.close();
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    throw error;
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
}

/** That a name is there is durable when its directory is. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
