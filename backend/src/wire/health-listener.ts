import { randomUUIDv7 } from 'node:crypto';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Listening } from '../base/listening.ts';
import { Refusal } from '../errors.ts';
import { errorAnswer } from './answer.ts';
import { addHealthRoutes, addMetricsRoute, type HealthRoutesOptions } from './health-routes.ts';
import { localeOf } from './request.ts';

/**
 * Serves health and metrics, and nothing else, apart from the interface, which has no metrics; and workers have no
 * interface.
 */
export async function openHealthListener(
  { host, port }: Listening,
  options: HealthRoutesOptions,
): Promise<{ readonly address: string; close(): Promise<void> }> {
  const app = Fastify({ logger: false, forceCloseConnections: true });
  addHealthRoutes(app, options);
  addMetricsRoute(app, options);
  app.setNotFoundHandler((request, reply) => refuse(request, reply, new Refusal('operation_not_found')));
  app.setErrorHandler((error, request, reply) => {
    options.log.error({ err: error }, 'a question about health failed');
    return refuse(request, reply, new Refusal('internal_error'));
  });
  const address = await app.listen({ host, port });
  return { address, close: () => app.close() };
}

function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const locale = localeOf(request.headers['accept-language']);
  const { status, body } = errorAnswer(refusal, { requestId: randomUUIDv7(), locale, publicUrl: '' });
  return reply.code(status).header('cache-control', 'no-store').type('application/json').send(body);
}
