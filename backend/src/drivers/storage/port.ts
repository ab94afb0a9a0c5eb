import type { CommandOutcome } from '../outcome.ts';

/** Reads what is stored. Keys are the SHA-256 of the content, in lower-case hexadecimal. */
export interface StorageQueries {
  /** The content in pieces; null: there is none. Throws BackendUnavailable when the storage does not answer. */
  read(key: string): Promise<AsyncIterable<Buffer> | null>;
}

/** Keeps files. What is stored never changes, because its key says what it is. */
export interface FileStorage extends StorageQueries {
  /** done: the storage has it, durably, and may be asked for it. Throws when that is not known. */
  ensureStored(key: string, content: Buffer): Promise<CommandOutcome<null>>;
}

/** A storage as the program opens it. */
export interface StorageConnection extends FileStorage {
  /** null when files can be stored, else why not. */
  problem(): Promise<string | null>;
}

const KEY = /^[0-9a-f]{64}$/;

export function isStorageKey(name: string): boolean {
  return KEY.test(name);
}

/** A key is part of a path and of an address: whatever else is given is a fault of ours. */
export function assertStorageKey(key: string): void {
  if (!isStorageKey(key)) throw new Error('a key of the storage is a SHA-256 in hexadecimal');
}
