import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { BackendUnavailable } from '../../outcome.ts';
import { meaningOf, PveRefusal, UnderWay } from './refusal.ts';
import type { ClusterSettings } from './settings.ts';
import { trustedAgent } from './trust.ts';
import { webSocketStream } from './web-socket.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Parameters = Readonly<Record<string, string | number | undefined>>;

/** What is sent, apart from how it is trusted. */
interface Body {
  readonly type: string;
  readonly content: Buffer;
}

const API = '/api2/json';
const LONGEST_ANSWER = 64 * 1024 ** 2;
const LONGEST_REASON = 500;
const LONGEST_FRAME = 16 * 1024 ** 2;
/** No connection came about, so nothing was sent: another node can be asked. */
const UNREACHED = new Set([
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTDOWN',
]);

const Answer = z.object({
  data: z.unknown(),
  message: z.string().optional(),
  errors: z.record(z.string(), z.string()).optional(),
});

/** The REST API of one cluster. The token travels in a header and nowhere else. */
export class ProxmoxApi {
  readonly #settings: ClusterSettings;
  readonly #agent: Agent;
  /** The node that answered last. */
  #first = 0;

  constructor(settings: ClusterSettings) {
    this.#settings = settings;
    this.#agent = trustedAgent(settings);
  }

  close(): void {
    this.#agent.destroy();
  }

  /**
   * Calls a method. Throws {@link PveRefusal} for a lasting no, {@link UnderWay} for a passing one, and
   * BackendUnavailable for whatever leaves open what happened.
   */
  async call<T>(
    method: Method,
    path: string,
    shape: z.ZodType<T>,
    parameters: Parameters,
    signal: AbortSignal,
  ): Promise<T> {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) form.set(name, String(value));
    const isBody = method === 'POST' || method === 'PUT';
    const body = isBody
      ? { type: 'application/x-www-form-urlencoded', content: Buffer.from(form.toString()) }
      : null;
    const query = isBody || form.size === 0 ? '' : `?${form}`;
    return shaped(shape, await this.#request(method, path + query, body, signal));
  }

  /** Sends a file; PVE wants its parts in this order. The task that stores it. */
  async upload(
    path: string,
    fields: Readonly<Record<'content' | 'checksum-algorithm' | 'checksum', string>>,
    file: { readonly name: string; readonly content: Buffer },
    signal: AbortSignal,
  ): Promise<string> {
    const boundary = randomBytes(24).toString('hex');
    const part = (disposition: string, content: string | Buffer) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ];
    const content = Buffer.concat([
      ...(['content', 'checksum-algorithm', 'checksum'] as const).flatMap((name) =>
        part(`name="${name}"`, fields[name]),
      ),
      ...part(`name="filename"; filename="${file.name}"`, file.content),
      Buffer.from(`--${boundary}--\r\n`),
    ]);
    const body = { type: `multipart/form-data; boundary=${boundary}`, content };
    return shaped(z.string(), await this.#request('POST', path, body, signal));
  }

  /** Bytes over a WebSocket. It opens, or the signal ends it; after that it is whoever has it who ends it. */
  async stream(path: string, parameters: Parameters, signal: AbortSignal): Promise<Duplex> {
    const base = this.#settings.urls[this.#first] ?? '';
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]) => [name, String(value)]),
    );
    const socket = new WebSocket(`${base.replace(/^https/, 'wss')}${API}${path}?${query}`, 'binary', {
      agent: this.#agent,
      headers: { Authorization: this.#authorization() },
      maxPayload: LONGEST_FRAME,
      perMessageDeflate: false,
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = () => {
      socket.terminate();
      reject(signal.reason);
    };
    signal.addEventListener('abort', late, { once: true });
    // Made before it opens: what the other side sends at once is not lost.
    const stream = webSocketStream(socket);
    // This listener stays: a connection may break before the one who gets the stream listens.
    stream.once('error', reject).on('error', () => {});
    socket.once('open', resolve);
    try {
      signal.throwIfAborted();
      await promise;
      stream.off('error', reject);
      return stream;
    } catch (error) {
      socket.terminate();
      throw unavailable(error);
    } finally {
      signal.removeEventListener('abort', late);
    }
  }

  async #request(method: Method, path: string, body: Body | null, signal: AbortSignal): Promise<unknown> {
    const { urls } = this.#settings;
    const first = this.#first;
    for (let tried = 0; ; tried += 1) {
      const at = (first + tried) % urls.length;
      try {
        const { status, reason, text } = await this.#send(method, `${urls[at]}${API}${path}`, body, signal);
        this.#first = at;
        return dataOf(status, reason, text, `${method} ${path.split('?')[0]}`);
      } catch (error) {
        if (error instanceof PveRefusal || error instanceof UnderWay || error instanceof BackendUnavailable)
          throw error;
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        if (!UNREACHED.has(code) || tried + 1 >= urls.length) throw unavailable(error);
      }
    }
  }

  async #send(
    method: Method,
    url: string,
    body: Body | null,
    signal: AbortSignal,
  ): Promise<{ status: number; reason: string; text: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const sent = request(
      url,
      {
        ...{ method, agent: this.#agent, signal },
        headers: {
          Accept: 'application/json',
          Authorization: this.#authorization(),
          ...(body === null ? {} : { 'Content-Type': body.type, 'Content-Length': body.content.length }),
        },
      },
      resolve,
    );
    // It stays: a connection may break again while the answer is read.
    sent.on('error', reject);
    sent.end(body?.content);
    const response = await promise;
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response) {
      length += chunk.length;
      if (length > LONGEST_ANSWER) throw new RangeError(`the answer is longer than ${LONGEST_ANSWER} bytes`);
      chunks.push(chunk);
    }
    return {
      status: response.statusCode ?? 0,
      reason: response.statusMessage ?? '',
      text: Buffer.concat(chunks).toString(),
    };
  }

  /** Read each time: the operator replaces a token that is about to expire without a restart. */
  #authorization(): string {
    const { token } = this.#settings;
    const text = 'file' in token ? readFileSync(token.file, 'utf8') : (process.env[token.env] ?? '');
    if (!/^[^\s!=]+@[^\s!=]+![^\s!=]+=\S+$/.test(text.trim()))
      throw unavailable(new Error('the API token is not of the form user@realm!name=secret'));
    return `PVEAPIToken=${text.trim()}`;
  }
}

function dataOf(status: number, reason: string, text: string, what: string): unknown {
  if (status === 200) return Answer.parse(JSON.parse(text)).data;
  const told = reasonOf(reason, text);
  const meaning = status === 500 || status === 400 ? meaningOf(told) : 'unknown';
  if (meaning === 'passing') throw new UnderWay(told);
  if (meaning === 'lasting' || status === 400) throw new PveRefusal(told);
  // 401 and 403: the operator's token is not what it should be, which is no reason to refuse a customer.
  throw unavailable(new Error(`${what}: ${told} (status ${status})`));
}

function reasonOf(reason: string, text: string): string {
  let told = reason;
  try {
    const answer = Answer.safeParse(JSON.parse(text));
    const { message, errors = {} } = answer.success ? answer.data : {};
    const named = Object.entries(errors).map(([name, problem]) => `${name}: ${problem}`);
    told = [message?.trim() ?? reason, ...named].join(' ');
  } catch {
    // Before 8.0 there is nothing but the reason phrase.
  }
  return told.replace(/\s+/g, ' ').slice(0, LONGEST_REASON);
}

function shaped<T>(shape: z.ZodType<T>, value: unknown): T {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  throw unavailable(parsed.error);
}

export function unavailable(cause: unknown): BackendUnavailable {
  return cause instanceof BackendUnavailable ? cause : new BackendUnavailable('Proxmox VE', cause);
}
