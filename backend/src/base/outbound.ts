import { Resolver } from 'node:dns/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { isGlobalUnicast } from './global-address.ts';
import { hostOf, parseOutboundUrl } from './outbound-url.ts';

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 64 * 1024;
const MOST_HEADER_BYTES = 16 * 1024;
const MOST_ADDRESSES = 6;

export interface OutboundRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How much of the answer's body is read, instead of 64 KiB. */
  readonly mostBytes?: number;
}

/** Any answer, also one that refuses or would lead elsewhere: redirects are not followed. */
export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** At most 64 KiB, or what was asked for; what comes after is not read. Encoded as it came. */
  readonly body: Buffer;
}

/** No answer; the message says why, to whoever wanted the request sent. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
}

/** Sends a request to an address that a customer gave, and to nothing of ours. Throws {@link OutboundFailure}. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>;

/** The addresses of a host name. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** For tests, which stand in for the world; the defaults are what holds in it. */
export interface OutboundOptions {
  readonly resolve?: Resolve;
  /** Which addresses are connected to. */
  readonly permits?: (address: string) => boolean;
  /** Instead of the authorities that the system trusts, in PEM. */
  readonly ca?: string;
  readonly timeoutMs?: number;
}

/**
 * The one way to whatever customers name (rule A11). The name is resolved once, every address it has must be one of
 * the world's, and the connection goes to just these addresses, whatever the name means a moment later. https with a
 * certificate for the name; ten seconds for everything, from the name to the last byte.
 */
export function openOutbound(options: OutboundOptions = {}): Outbound {
  const { resolve = resolveInDns, permits = isGlobalUnicast, ca, timeoutMs = TIMEOUT_MS } = options;
  return async (wanted) => {
    const url = parseOutboundUrl(wanted.url);
    if (url === null) throw new OutboundFailure('the address is not one that requests may go to');
    const deadline = new AbortController();
    const timedOut = new OutboundFailure(`no answer within ${timeoutMs / 1000} seconds`);
    const timer = setTimeout(() => deadline.abort(timedOut), timeoutMs);
    const late = new Promise<never>((_, reject) => {
      deadline.signal.addEventListener('abort', () => reject(timedOut), { once: true });
    });
    try {
      const sending = addressesOf(hostOf(url), { resolve, permits, signal: deadline.signal }).then(
        (addresses) => exchange(url, wanted, { addresses, ca, signal: deadline.signal }),
      );
      return await Promise.race([sending, late]);
    } catch (error) {
      throw deadline.signal.aborted ? timedOut : failureOf(error);
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Where a connection to a host may go, be it a name or an address. All must be permitted: a name that also has an address of ours means no good, or a mistake.
 */
export async function addressesOf(
  host: string,
  {
    resolve,
    permits,
    signal,
  }: Required<Pick<OutboundOptions, 'resolve' | 'permits'>> & { signal: AbortSignal },
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host];
  if (addresses.length === 0) throw new OutboundFailure('the host name has no address');
  if (!addresses.every(permits)) throw new OutboundFailure('the host has an address that is not public');
  return addresses.slice(0, MOST_ADDRESSES);
}

/** Asks the name servers alone: the machine's own files and names are not for customers. */
export async function resolveInDns(host: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

interface Way {
  readonly addresses: readonly string[];
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

function exchange(
  url: URL,
  { method, headers, body = '', mostBytes = MOST_BYTES }: OutboundRequest,
  { addresses, ca, signal }: Way,
): Promise<OutboundAnswer> {
  const host = hostOf(url);
  const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer>();
  const sent = request(
    {
      host,
      port: url.port === '' ? 443 : Number(url.port),
      path: `${url.pathname}${url.search}`,
      method,
      headers: { ...headers, host: url.host, 'content-length': String(Buffer.byteLength(body)) },
      servername: isIP(host) === 0 ? host : '',
      lookup: pinnedTo(addresses),
      maxHeaderSize: MOST_HEADER_BYTES,
      // A connection of its own, and past any proxy that the environment names.
      agent: false,
      signal,
      ...(ca === undefined ? {} : { ca }),
    },
    (response) => {
      sent.off('close', gone);
      read(response, mostBytes).then(resolve, reject);
    },
  );
  const gone = () => reject(new OutboundFailure('the connection was closed without an answer'));
  sent.on('close', gone).on('error', reject).end(body);
  return promise;
}

/**
 * What the socket asks instead of the system; an IP address it does not ask about. The answer comes later, as the
 * system's does: an address without a route fails at once, and the one who connects has to listen for that by then.
 */
export function pinnedTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, _options, answer) => void setImmediate(answer, null, found);
}

async function read(response: IncomingMessage, mostBytes: number): Promise<OutboundAnswer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response) {
    parts.push(part);
    length += part.length;
    if (length >= mostBytes) break; // which ends the connection too
  }
  const body = Buffer.concat(parts).subarray(0, mostBytes);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

function failureOf(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const { code } = error as NodeJS.ErrnoException;
  return new OutboundFailure(`the connection failed${code === undefined ? '' : ` (${code})`}`, {
    cause: error,
  });
}
