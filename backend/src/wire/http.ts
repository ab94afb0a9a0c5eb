import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Sampling } from '../base/sampling.ts';
import { Refusal } from '../errors.ts';
import type { Caller, Operation } from '../operation.ts';
import { AccessLog } from './access-log.ts';
import type { Answer } from './answer.ts';
import { BodyGate } from './body-gate.ts';
import { allowOrigins } from './cors.ts';
import { refuseConnection } from './refused-connection.ts';
import { localeOf } from './request.ts';
import type { Runner } from './run.ts';

export interface HttpOptions {
  readonly operations: readonly Operation[];
  readonly runner: Runner;
  readonly log: Logger;
  /** Which requests leave a line in it: all, unless it is said. */
  readonly accessLog?: Sampling;
  readonly publicUrl: () => string;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Which requests to speak something else go to the server's `upgrade` event; all others are answered in HTTP. */
  readonly takesUpgrade?: (request: IncomingMessage) => boolean;
  /** Whether connections are closed with the answer to their next request. */
  readonly isDraining?: () => boolean;
  /** Other sites whose pages may call the interface with a token. */
  readonly corsOrigins?: readonly string[];
  /** Beyond these, further ones are closed at once. */
  readonly maxConnections?: number;
  /** For tests: bytes for large bodies that are on their way. */
  readonly bodyMemory?: number;
  /** For tests: how long a request may take to arrive, and how often that is looked at. */
  readonly arrival?: { readonly limitMs: number; readonly lookMs: number };
}

export const BASE_PATH = '/api/v2';
/** Of a request, in bytes, unless its operation takes more. */
export const BODY_LIMIT = 1024 * 1024;
const MAX_URL = 16 * 1024;
/** Of the interface. */
const METHODS = ['GET', 'HEAD', 'POST'];
/** RFC 6797: a browser that was here once does not come back without TLS for a year. */
const HSTS = 'max-age=31536000';
const ARRIVAL = { limitMs: 60_000, lookMs: 30_000 };

/** The HTTP server: routes requests to the runner, and gives HTTP's own refusals the same body as all others. */
export function httpServer(options: HttpOptions): FastifyInstance {
  const { runner, publicUrl, log, isDraining = () => false, arrival = ARRIVAL } = options;
  const accesses = new AccessLog({
    log,
    sampling: options.accessLog ?? { errors: true, share: 1 },
    basePath: BASE_PATH,
  });
  const app = Fastify({
    http: {
      shouldUpgradeCallback: options.takesUpgrade ?? (() => false),
      connectionsCheckingInterval: arrival.lookMs,
      // Of the two limits, Node takes the longer one for whole requests.
      headersTimeout: arrival.limitMs,
      // Its own refusal of a request without Host would have no body.
      requireHostHeader: false,
    },
    bodyLimit: BODY_LIMIT,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    logger: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: MAX_URL },
    requestTimeout: arrival.limitMs,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // What still arrives while the server closes is answered like everything else, and its connection then closed.
    return503OnClosing: false,
    frameworkErrors(error, request, reply) {
      accesses.watch(request, reply); // no hook runs for what has no route at all
      return refuse(request, reply, refusalOf(error));
    },
    clientErrorHandler(error, socket) {
      const refused = refuseConnection(socket, refusalOfNoRequest(error), publicUrl());
      if (refused !== null) accesses.write({ method: null, operation: null, ms: 0, ...refused });
    },
  });
  // A connection that cannot be accepted, for want of file descriptors, is an error of the server.
  app.server.on('error', (error) => options.log.warn({ err: error }, 'the server met an error'));
  // Node would answer the first without a body, and the second not at all.
  app.server.on('checkExpectation', (request, answer) => app.server.emit('request', request, answer));
  app.server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    refuseConnection(
      socket,
      new Refusal('method_not_allowed', { members: { allowed: METHODS } }),
      publicUrl(),
    );
  });
  if (accesses.isOn)
    app.addHook('onRequest', (request, reply, done) => {
      accesses.watch(request, reply);
      done();
    });
  app.addHook('onRequest', (request, _reply, done) => {
    const { host, expect } = request.headers;
    if (host === undefined && request.raw.httpVersion !== '1.0')
      done(new Refusal('malformed_request', { members: { reason: 'it names no Host' } }));
    else if (namesTwice(request.raw.rawHeaders, 'host'))
      done(new Refusal('malformed_request', { members: { reason: 'it names more than one Host' } }));
    else if (expect !== undefined && expect.toLowerCase() !== '100-continue')
      done(new Refusal('expectation_failed'));
    else done();
  });
  allowOrigins(app, options.corsOrigins ?? [], BASE_PATH);
  app.addHook('onSend', (request, reply, payload, done) => {
    // A client that is still sending would have its connection reset, and never read the answer.
    if (isDraining() && request.raw.complete) reply.header('connection', 'close');
    if (publicUrl().startsWith('https:')) reply.header('strict-transport-security', HSTS);
    done(null, payload);
  });
  // The interface sends GET parameters as a JSON body.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/json\s*(;|$)/i, { parseAs: 'buffer' }, (request, body, done) => {
    const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
    const encoded = request.headers['content-encoding'];
    const readable =
      (charset === undefined || /^utf-?8$/i.test(charset)) && (encoded ?? 'identity') === 'identity';
    if (readable) done(null, body);
    else done(new Refusal('unsupported_media_type'));
  });
  app.setErrorHandler((error, request, reply) => {
    // After "too large" the connection would be closed on a client that is still sending and has not read the
    // answer. Left open, the rest of the body is read and forgotten, for as long as requests may take.
    reply.removeHeader('connection');
    return refuse(request, reply, refusalOf(error, request.routeOptions.bodyLimit));
  });

  function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
    const requestId = randomUUIDv7();
    const answer = runner.failure(
      error,
      requestId,
      localeOf(request.headers['accept-language']),
      request.url,
    );
    return send(request, reply, { ...answer, headers: { ...answer.headers, 'x-request-id': requestId } });
  }

  if (options.maxConnections !== undefined) app.server.maxConnections = options.maxConnections;
  const gate = new BodyGate({
    limitOf: ({ bodyLimit }) => bodyLimit ?? BODY_LIMIT,
    admit: (request, operation) => runner.admit(requestOf(request, operation)),
    ...(options.bodyMemory === undefined ? {} : { memory: options.bodyMemory }),
  });
  const requestOf = (request: FastifyRequest, operation: Operation) => {
    const { url: target } = request;
    const queryAt = target.indexOf('?');
    return {
      operation,
      ip: addressOf(request),
      query: queryAt < 0 ? '' : target.slice(queryAt + 1),
      header: (name: string) => {
        const value = request.headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      },
      onCaller: (caller: Caller) => accesses.note(request, caller),
    };
  };
  const paths = new Map(options.operations.map((operation) => [`${BASE_PATH}/${operation.path}`, operation]));
  for (const [url, operation] of paths) {
    app.route({
      method: operation.method,
      url,
      bodyLimit: operation.bodyLimit ?? BODY_LIMIT,
      preParsing: (request, reply, body) => gate.open(request, reply, operation, body),
      handler: async (request, reply) => {
        const body = (request.body as Buffer | null | undefined) ?? null;
        const answer = await runner.run({ ...requestOf(request, operation), body });
        return send(request, reply, answer);
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const known = paths.get(request.url.split('?')[0] ?? '');
    if (known === undefined) return refuse(request, reply, new Refusal('operation_not_found'));
    return refuse(
      request,
      reply,
      new Refusal('method_not_allowed', {
        members: { allowed: methodsOf(known) },
        headers: { allow: methodsOf(known).join(', ') },
      }),
    );
  });
  return app;
}

/** Proxies and we might each believe another one (RFC 9112 §3.2). */
function namesTwice(rawHeaders: readonly string[], name: string): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) times += 1;
  return times > 1;
}

/** HEAD answers as GET does, without the body (RFC 9110 §9.3.2). */
function methodsOf({ method }: Operation): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/**
 * Where a request came from, without the zone of a link-local address. A proxy may say `unknown` (RFC 7239 §6.2):
 * then it is the proxy's own address.
 */
export function addressOf(request: FastifyRequest): string {
  const address = isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? '::') : request.ip;
  return address.replace(/%.*$/, '');
}

/** Every answer forbids storing: the address alone does not tell what it answers (rule A8). */
function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const problem = answer.status >= 400 && prefersProblemJson(request.headers.accept);
  reply.code(answer.status);
  reply.headers(answer.headers);
  reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
  reply.header('content-type', problem ? 'application/problem+json' : 'application/json');
  return reply.send(answer.body);
}

/** Whether Accept (RFC 9110 §12.5.1) ranks problem+json above plain JSON. */
function prefersProblemJson(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = new Map(
    accept.split(',').map((part) => {
      const [range = '', ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return [range, q === undefined ? 1 : Number(q)];
    }),
  );
  const problem = weights.get('application/problem+json') ?? 0;
  const plain = weights.get('application/json') ?? 0;
  return problem > plain;
}

/** What Node found on a connection instead of a request. */
function refusalOfNoRequest({ code }: NodeJS.ErrnoException): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal('headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal('request_timeout');
    default:
      return new Refusal('malformed_request', { members: { reason: 'it is not HTTP' } });
  }
}

/** Fastify's own errors in the interface's words. */
function refusalOf(error: unknown, bodyLimit = BODY_LIMIT): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('payload_too_large', { members: { limit: bodyLimit } });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupported_media_type');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Refusal('malformed_request', {
        members: { reason: 'its length is not what Content-Length says' },
      });
    case 'FST_ERR_BAD_URL':
      return new Refusal('malformed_request', { members: { reason: 'the address is not valid' } });
    case 'FST_ERR_MAX_URL_LENGTH':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refusal('uri_too_long', { members: { limit: MAX_URL } });
    default:
      return error;
  }
}
