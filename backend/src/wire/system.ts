import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../operation.ts';
import { type Docs, makeDocs } from './docs.ts';
import { addHealthRoutes, type HealthRoutesOptions } from './health-routes.ts';
import { addressOf, BASE_PATH } from './http.ts';
import { type Contract, openApiDocument } from './openapi.ts';
import { StaticAnswer } from './static-answer.ts';

export interface SystemOptions extends HealthRoutesOptions {
  readonly operations: readonly Operation[];
  readonly contract: Contract;
  readonly publicUrl: () => string;
  /** Counts a request by where it comes from; refuses it after too many. */
  readonly countStranger: (ip: string) => Promise<void>;
}

const PAGE = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};

/** Routes that are not operations: health, and the documents of the interface. */
export function addSystemRoutes(app: FastifyInstance, options: SystemOptions): void {
  const { operations, contract, countStranger } = options;
  addHealthRoutes(app, options);
  let document: StaticAnswer | null = null;
  app.get(`${BASE_PATH}/openapi.json`, async (request, reply) => {
    await countStranger(addressOf(request));
    document ??= new StaticAnswer(JSON.stringify(openApiDocument(operations, contract)), {
      'content-type': 'application/json',
    });
    return document.send(request, reply);
  });

  // Made at the first request: what address the examples call is known once the server listens.
  let docs: Docs | null = null;
  const made = () =>
    (docs ??= makeDocs(operations, {
      base: `${options.publicUrl()}${BASE_PATH}`,
      answers: contract.answers,
    }));
  const answers = new Map<string, StaticAnswer>();
  app.get('/docs', sendPage);
  app.get('/docs/*', sendPage);
  app.get('/docs/search', async (request, reply) => {
    await countStranger(addressOf(request));
    const { searchParams } = new URL(request.url, 'http://localhost');
    return new StaticAnswer(made().search(searchParams.get('q') ?? ''), PAGE).send(request, reply);
  });

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await countStranger(addressOf(request));
    const path = request.url.replace(/\?.*$/s, '').replace(/\/$/, '');
    const page = made().pages.get(path);
    if (page === undefined) {
      reply.callNotFound();
      return reply;
    }
    const answer = answers.get(path) ?? new StaticAnswer(page, PAGE);
    answers.set(path, answer);
    return answer.send(request, reply);
  }
}
