import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { CatalogStore } from '../business/catalog/versions.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import type { Operation } from '../operation.ts';
import { docsPages } from './docs.ts';
import { BASE_PATH } from './http.ts';
import type { Metrics } from './metrics.ts';
import { openApiDocument } from './openapi.ts';
import { SeldomWarning } from './seldom-warning.ts';

export interface SystemOptions {
  readonly operations: readonly Operation[];
  readonly metrics: Metrics;
  readonly db: Executor;
  readonly catalogs: CatalogStore;
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

const alive = statement<{ one: number }>('alive', 'SELECT 1 AS one');

/** Routes that are not operations: health, metrics, and the documents of the interface. */
export function addSystemRoutes(app: FastifyInstance, options: SystemOptions): void {
  const unready = new SeldomWarning(options.log, options.clock, 'not ready');
  app.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok\n'));

  app.get('/readyz', async (_request, reply) => {
    reply.type('text/plain').header('cache-control', 'no-store');
    try {
      await options.db.run(alive, []);
      options.catalogs.current();
      return reply.send('ready\n');
    } catch (error) {
      // The cause names hosts, users and files: it is for who reads the log.
      unready.say(error instanceof Error ? error.message : String(error));
      return reply.code(503).send('not ready\n');
    }
  });

  app.get('/metrics', async (_request, reply) => {
    reply.type(options.metrics.registry.contentType).header('cache-control', 'no-store');
    return reply.send(await options.metrics.read(options.db));
  });

  const document = JSON.stringify(openApiDocument(options.operations));
  app.get(`${BASE_PATH}/openapi.json`, async (_request, reply) =>
    reply.type('application/json').send(document),
  );

  // Made at the first request: what address the examples call is known once the server listens.
  let pages: Map<string, string> | null = null;
  app.get('/docs', sendPage);
  app.get('/docs/*', sendPage);

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    pages ??= docsPages(options.operations, `${options.publicUrl()}${BASE_PATH}`);
    const page = pages.get(request.url.replace(/\?.*$/s, '').replace(/\/$/, ''));
    if (page === undefined) {
      reply.callNotFound();
      return reply;
    }
    return reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      .header('x-content-type-options', 'nosniff')
      .send(page);
  }
}
