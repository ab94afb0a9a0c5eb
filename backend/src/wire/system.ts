import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../operation.ts';
import { docsPages } from './docs.ts';
import { addHealthRoutes, type HealthRoutesOptions } from './health-routes.ts';
import { BASE_PATH } from './http.ts';
import { type Contract, openApiDocument } from './openapi.ts';

export interface SystemOptions extends HealthRoutesOptions {
  readonly operations: readonly Operation[];
  readonly contract: Contract;
  readonly publicUrl: () => string;
}

/** Routes that are not operations: health, metrics, and the documents of the interface. */
export function addSystemRoutes(app: FastifyInstance, options: SystemOptions): void {
  addHealthRoutes(app, options);
  const document = JSON.stringify(openApiDocument(options.operations, options.contract));
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
