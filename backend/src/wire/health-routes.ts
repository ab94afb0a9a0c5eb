import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Executor } from '../db/pool.ts';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';
import { SeldomWarning } from './seldom-warning.ts';

export interface HealthRoutesOptions {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly db: Executor;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What load balancers ask: `/healthz` and `/readyz`. */
export function addHealthRoutes(app: FastifyInstance, options: HealthRoutesOptions): void {
  const unready = new SeldomWarning(options.log, options.clock, 'not ready');
  app.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok\n'));

  app.get('/readyz', async (request, reply) => {
    const checks = await options.health.checks();
    const failing = checks.filter((check) => !check.ok);
    const ready = failing.length === 0;
    // Details name hosts, users and files: they are for those who read the log.
    if (!ready) unready.say(failing.map(({ name, detail }) => `${name}: ${detail ?? 'no'}`).join('; '));
    reply.code(ready ? 200 : 503).header('cache-control', 'no-store');
    if (/\bapplication\/json\b/i.test(request.headers.accept ?? ''))
      return reply
        .type('application/json')
        .send(JSON.stringify({ ready, checks: checks.map(({ name, ok }) => ({ name, ok })) }));
    return reply
      .type('text/plain')
      .send(ready ? 'ready\n' : `not ready: ${failing.map(({ name }) => name).join(' ')}\n`);
  });
}

/** What monitoring reads: `/metrics` tells more than strangers are to know. */
export function addMetricsRoute(app: FastifyInstance, options: HealthRoutesOptions): void {
  app.get('/metrics', async (_request, reply) => {
    reply.type(options.metrics.registry.contentType).header('cache-control', 'no-store');
    return reply.send(await options.metrics.read(options.db, options.clock.now()));
  });
}
