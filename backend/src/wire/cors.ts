import type { FastifyInstance } from 'fastify';

const ALLOWED_HEADERS = 'Authorization, Content-Type, Accept-Language, Idempotency-Key, Prefer';
const EXPOSED_HEADERS =
  'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Idempotent-Replayed, ETag';
/** How long a browser remembers the answer: what Chromium takes at most. */
const REMEMBERED_SECONDS = 7_200;

/**
 * Lets pages of these origins call the interface with a token (Fetch §3.2). Never with cookies: a session is for pages of this
 * origin alone. Other origins get no such headers, and their browsers keep the answer from them.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[], basePath: string): void {
  if (origins.length === 0) return;
  const known = new Set(origins);
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.url.startsWith(`${basePath}/`)) {
      done();
      return;
    }
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !known.has(origin)) {
      done();
      return;
    }
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', EXPOSED_HEADERS);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      done();
      return;
    }
    reply
      .header('access-control-allow-methods', 'GET, HEAD, POST')
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', String(REMEMBERED_SECONDS))
      .code(204)
      .send();
  });
}
