import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Coding = 'br' | 'gzip' | 'identity';

const compressed = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
  identity: async (bytes: Buffer) => bytes,
} as const;

/**
 * Bytes that do not change: compressed once, at the first request for it, and answered with 304 to who has
 * them already (RFC 9110 §13).
 */
export class StaticAnswer {
  readonly #bytes: Buffer;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #digest: string;
  readonly #codings = new Map<Coding, Promise<Buffer>>();

  constructor(content: string | Buffer, headers: Readonly<Record<string, string>>) {
    this.#bytes = Buffer.from(content);
    this.#headers = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff', ...headers };
    this.#digest = createHash('sha256').update(this.#bytes).digest('base64url').slice(0, 22);
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const coding = codingOf(request.headers['accept-encoding']);
    const tag = `"${this.#digest}-${coding}"`;
    reply.headers(this.#headers).header('vary', 'Accept-Encoding').header('etag', tag);
    if (knows(request.headers['if-none-match'], tag)) return reply.code(304).send();
    if (coding !== 'identity') reply.header('content-encoding', coding);
    const bytes = this.#codings.get(coding) ?? compressed[coding](this.#bytes);
    this.#codings.set(coding, bytes);
    return reply.send(await bytes);
  }
}

/** What the client takes and is smallest (RFC 9110 §12.5.3). */
export function codingOf(accepted: string | undefined): Coding {
  const weights = new Map(
    (accepted ?? '').split(',').map((part) => {
      const [coding = '', ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return [coding, weight === undefined ? 1 : Number(weight)];
    }),
  );
  const takes = (coding: Coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
}

/** Whether `If-None-Match` names what a client would get (RFC 9110 §13.1.2). */
export function knows(tags: string | undefined, tag: string): boolean {
  return (tags ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === tag || one === '*');
}
