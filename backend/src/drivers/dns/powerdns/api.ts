import { z } from 'zod';
import { BackendUnavailable } from '../../outcome.ts';

export interface PowerDnsServer {
  /** The API's address, without `/api/v1`. */
  readonly url: string;
  readonly key: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** PowerDNS will not do this; in its own words. */
export class PowerDnsRefusal extends Error {
  override readonly name = 'PowerDnsRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** PowerDNS failed at its database: with SQLite, because two wrote at once. Nothing was changed. */
export class PowerDnsBusy extends BackendUnavailable {}

/** Of what is told about one zone or record set; lists and whole zones may be long. */
const MAX_BYTES = { told: 1024 ** 2, listed: 64 * 1024 ** 2 };
const LONGEST_REASON = 500;
/** Not found, two at once, too long, not processable: answers that another attempt would get again. */
const REFUSALS = new Set([400, 404, 409, 413, 422]);

const Refusal = z.object({ error: z.string() });

/** The HTTP API of one PowerDNS Authoritative Server, 4.7 or newer. The key travels in a header and nowhere else. */
export class PowerDnsApi {
  readonly #base: string;
  readonly #key: string;

  constructor({ url, key }: PowerDnsServer) {
    this.#base = `${url.replace(/\/+$/, '')}/api/v1/servers/localhost`;
    this.#key = key;
  }

  /** Throws {@link PowerDnsRefusal} for a no, BackendUnavailable for anything else but an answer before the signal. */
  async get<T>(
    path: string,
    shape: z.ZodType<T>,
    signal: AbortSignal,
    size: keyof typeof MAX_BYTES = 'told',
  ): Promise<T> {
    const text = await this.#call('GET', path, undefined, signal, MAX_BYTES[size]);
    try {
      return shape.parse(JSON.parse(text));
    } catch (error) {
      throw unavailable(error);
    }
  }

  async send(
    method: Exclude<Method, 'GET'>,
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    // What comes back after a zone was made is the zone.
    await this.#call(method, path, body, signal, MAX_BYTES.listed);
  }

  async #call(
    method: Method,
    path: string,
    body: object | undefined,
    signal: AbortSignal,
    maxBytes: number,
  ): Promise<string> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.#base + path, {
        method,
        headers: { 'X-API-Key': this.#key, 'Content-Type': 'application/json', Accept: 'application/json' },
        redirect: 'error',
        signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await readLimited(response, maxBytes);
    } catch (error) {
      throw unavailable(error);
    }
    if (response.ok) return text;
    if (REFUSALS.has(response.status))
      throw new PowerDnsRefusal(response.status, reasonOf(text, response.status));
    const told = new Error(`${method} ${path}: ${reasonOf(text, response.status)}`);
    throw response.status === 500 ? new PowerDnsBusy('PowerDNS', told) : unavailable(told);
  }
}

function reasonOf(text: string, status: number): string {
  if (status === 413) return "the change is longer than PowerDNS's webserver-max-bodysize";
  try {
    const told = Refusal.safeParse(JSON.parse(text));
    if (told.success && told.data.error !== '')
      return `${told.data.error.slice(0, LONGEST_REASON)} (status ${status})`;
  } catch {
    // Not the API's own words.
  }
  return `status ${status}`;
}

/** The body as text; throws once it is longer than `maxBytes`, without reading on. */
async function readLimited(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new RangeError(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function unavailable(cause: unknown): BackendUnavailable {
  return new BackendUnavailable('PowerDNS', cause);
}
