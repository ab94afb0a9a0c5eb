import { type Answer, exchange } from './exchange.ts';

export interface CallOptions {
  /** Sent as a JSON body, also with GET. */
  json?: unknown;
  query?: Readonly<Record<string, string | readonly string[]>>;
  headers?: Readonly<Record<string, string>>;
  /** Sent as it is, instead of `json`. */
  rawBody?: string | Uint8Array;
  /** Instead of the caller's own; null sends no `Authorization`. */
  token?: string | null;
  /** One of the base addresses, instead of the next in turn. */
  base?: string;
}

/** A caller of an installation. Its requests go to the base addresses in turn. */
export class Api {
  readonly bases: readonly string[];
  readonly token: string | null;
  #turn = 0;

  constructor(bases: readonly string[], token: string | null) {
    this.bases = bases;
    this.token = token;
  }

  /** The same installation, called with another token. */
  as(token: string | null): Api {
    return new Api(this.bases, token);
  }

  /** `path` is relative to `api/v2`, or to the address itself when it starts with a slash. */
  call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const base = options.base ?? this.bases[this.#turn++ % this.bases.length] ?? '';
    const url = new URL(path.startsWith('/') ? base + path : `${base}/api/v2/${path}`);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      for (const one of typeof value === 'string' ? [value] : value) url.searchParams.append(name, one);
    }
    const token = options.token === undefined ? this.token : options.token;
    const body = bodyOf(options);
    return exchange(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body,
    });
  }

  get(path: string, parameters: Record<string, unknown> = {}): Promise<Answer> {
    return this.call('GET', path, Object.keys(parameters).length > 0 ? { json: parameters } : {});
  }

  post(path: string, json: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('POST', path, { json, headers });
  }
}

function bodyOf(options: CallOptions): Uint8Array | null {
  if (options.rawBody !== undefined) {
    return typeof options.rawBody === 'string' ? Buffer.from(options.rawBody, 'utf8') : options.rawBody;
  }
  return options.json === undefined ? null : Buffer.from(JSON.stringify(options.json), 'utf8');
}
