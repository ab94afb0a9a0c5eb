import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Secrets at rest: AES-256-GCM under a key from a file that lies outside the database and its directory.
 * A sealed value is `version 1 | key id length | key id | nonce 12 | tag 16 | ciphertext`; `purpose` is
 * authenticated with it, so that a sealed password cannot be moved into a column of another meaning.
 * Rotation: a new current key seals, the old ones still open.
 */
export class Sealer {
  readonly #current: string;
  readonly #keys: ReadonlyMap<string, Buffer>;

  constructor(current: string, keys: ReadonlyMap<string, Buffer>) {
    if (!keys.has(current)) throw new Error(`sealing key ${current} is missing`);
    for (const [id, key] of keys) {
      if (key.length !== 32) throw new Error(`sealing key ${id} must have 32 bytes`);
    }
    this.#current = current;
    this.#keys = keys;
  }

  seal(purpose: string, plain: string | Buffer): Buffer {
    const nonce = nextNonce();
    const keyId = Buffer.from(this.#current);
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.#current), nonce);
    cipher.setAAD(Buffer.from(purpose));
    const body = Buffer.concat([cipher.update(plain as string & Buffer), cipher.final()]);
    return Buffer.concat([Buffer.from([1, keyId.length]), keyId, nonce, cipher.getAuthTag(), body]);
  }

  /** Throws when the value was changed, sealed for another purpose, or its key is gone. */
  open(purpose: string, sealed: Buffer): Buffer {
    const idLength = sealed[1] ?? 0;
    if (sealed[0] !== 1 || sealed.length < 2 + idLength + 28) throw new Error('not a sealed value');
    const nonceAt = 2 + idLength;
    const key = this.#key(sealed.toString('utf8', 2, nonceAt));
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(nonceAt, nonceAt + 12));
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(sealed.subarray(nonceAt + 12, nonceAt + 28));
    return Buffer.concat([decipher.update(sealed.subarray(nonceAt + 28)), decipher.final()]);
  }

  openText(purpose: string, sealed: Buffer): string {
    return this.open(purpose, sealed).toString('utf8');
  }

  /** A keyed digest that changes with no rotation of the current key: for look-ups and CSRF tokens. */
  digest(purpose: string, value: string): Buffer {
    const oldest = this.#keys.values().next().value;
    if (oldest === undefined) throw new Error('no sealing key');
    const key = Buffer.from(hkdfSync('sha256', oldest, '', purpose, 32));
    return createHmac('sha256', key).update(value).digest();
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id);
    if (key === undefined) throw new Error(`sealing key ${id} is missing: restore it to the key file`);
    return key;
  }
}

const NONCE_BYTES = 12;
let nonces = Buffer.alloc(0);

/** Random nonces, drawn from the system many at a time. */
function nextNonce(): Buffer {
  if (nonces.length < NONCE_BYTES) nonces = randomBytes(NONCE_BYTES * 256);
  const nonce = nonces.subarray(0, NONCE_BYTES);
  nonces = nonces.subarray(NONCE_BYTES);
  return nonce;
}

interface KeyFile {
  current: string;
  keys: Record<string, string>;
}

/** Reads the key file; makes it (mode 0600) with one fresh key when it does not exist yet. */
export function openKeyFile(path: string): Sealer {
  if (!existsSync(path)) {
    const id = `k${createHash('sha256').update(randomBytes(16)).digest('hex').slice(0, 8)}`;
    writeKeyFile(path, { current: id, keys: { [id]: randomBytes(32).toString('base64') } });
  }
  const { current, keys } = JSON.parse(readFileSync(path, 'utf8')) as KeyFile;
  return new Sealer(
    current,
    new Map(Object.entries(keys).map(([id, key]) => [id, Buffer.from(key, 'base64')])),
  );
}

/** Adds a fresh key and makes it the one that seals. Processes take it up when they start again. */
export function rotateKeyFile(path: string): string {
  const file = JSON.parse(readFileSync(path, 'utf8')) as KeyFile;
  const id = `k${randomBytes(4).toString('hex')}`;
  writeKeyFile(path, { current: id, keys: { ...file.keys, [id]: randomBytes(32).toString('base64') } });
  return id;
}

function writeKeyFile(path: string, file: KeyFile): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, path);
}
