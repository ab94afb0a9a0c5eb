import { AwsClient } from 'aws4fetch';
import { BackendUnavailable, type CommandOutcome } from '../../outcome.ts';
import { assertStorageKey, type StorageConnection } from '../port.ts';

export interface S3Options {
  /** With the bucket's path, and without a slash at its end: `https://s3.example/bucket`. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 60_000;

/** Files in a bucket of a storage that speaks S3, signed as of Signature Version 4; paths name the bucket. */
export class S3Storage implements StorageConnection {
  readonly #bucketUrl: string;
  readonly #deadlineMs: number;
  readonly #client: AwsClient;

  constructor({ bucketUrl, region, accessKey, secretKey, deadlineMs = DEADLINE_MS }: S3Options) {
    this.#bucketUrl = bucketUrl.replace(/\/+$/, '');
    this.#deadlineMs = deadlineMs;
    this.#client = new AwsClient({
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region,
      // Jobs come again by themselves; a reader tries again.
      retries: 0,
    });
  }

  async ensureStored(key: string, content: Buffer): Promise<CommandOutcome<null>> {
    assertStorageKey(key);
    // The key is the content's hash: the server checks by it what it got.
    const headers = { 'x-amz-content-sha256': key, 'content-type': 'application/octet-stream' };
    const answer = await this.#ask(key, { method: 'PUT', headers, body: new Uint8Array(content) });
    await answer.body?.cancel();
    if (!answer.ok) throw new BackendUnavailable('the storage', new Error(`it answers ${answer.status}`));
    return { kind: 'done', result: null };
  }

  async read(key: string): Promise<AsyncIterable<Buffer> | null> {
    assertStorageKey(key);
    const answer = await this.#ask(key, { method: 'GET' });
    if (answer.status === 404) {
      await answer.body?.cancel();
      return null;
    }
    if (!answer.ok || answer.body === null) {
      await answer.body?.cancel();
      throw new BackendUnavailable('the storage', new Error(`it answers ${answer.status}`));
    }
    return pieces(answer.body);
  }

  async problem(): Promise<string | null> {
    try {
      // A key that nothing has: whoever may not look is told so instead.
      await this.read('0'.repeat(64));
      return null;
    } catch (error) {
      const { cause } = error as Error;
      return cause instanceof Error ? cause.message : (error as Error).message;
    }
  }

  async #ask(key: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#client.fetch(`${this.#bucketUrl}/${key}`, {
        ...init,
        // Not to where an answer would send it: the request carries our signature.
        redirect: 'error',
        signal: AbortSignal.timeout(this.#deadlineMs),
      });
    } catch (error) {
      throw new BackendUnavailable('the storage', error);
    }
  }
}

async function* pieces(body: ReadableStream<Uint8Array>): AsyncIterable<Buffer> {
  for await (const piece of body) yield Buffer.from(piece);
}
