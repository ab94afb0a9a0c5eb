import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CatalogStore } from '../business/catalog/versions.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import type { Operation } from '../operation.ts';
import { docsPages } from './docs.ts';
import { BASE_PATH } from './http.ts';
import type { Metrics } from './metrics.ts';
import { openApiDocument } from './openapi.ts';

export interface SystemOptions {
  readonly operations: readonly Operation[];
  readonly metrics: Metrics;
  readonly db: Executor;
  readonly catalogs: CatalogStore;
  readonly publicUrl: () => string;
}

const alive = statement<{ one: number }>('alive', 'SELECT 1 AS one');

/** Routes that are not operations: health, metrics, and the documents of the interface. */
export function addSystemRoutes(app: FastifyInstance, options: SystemOptions): void {
  app.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok\n'));

  app.get('/readyz', async (_request, reply) => {
    reply.type('text/plain').header('cache-control', 'no-store');
    try {
      await options.db.run(alive, []);
      options.catalogs.current();
      return reply.send('ready\n');
    } catch (error) {
      return reply.code(503).send(`not ready: ${(error as Error).message}\n`);
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
