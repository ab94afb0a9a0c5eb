import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

const countOpen = statement<{ orders: number; discrepancies: number }>(
  'count_open',
  `SELECT (SELECT count(*)::int FROM orders WHERE state = 'pending') AS orders,
     (SELECT count(*)::int FROM discrepancies WHERE resolved_at IS NULL) AS discrepancies`,
);

/** What Prometheus reads at `/metrics`. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Histogram({
    name: 'hostkeep_request_seconds',
    help: 'Time to answer a request, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.registry],
  });
  readonly jobs = new Counter({
    name: 'hostkeep_jobs_total',
    help: 'Jobs run, by name and result (done, pending, refused, retried).',
    labelNames: ['job', 'result'],
    registers: [this.registry],
  });
  readonly consoles = new Gauge({
    name: 'hostkeep_consoles',
    help: 'Consoles of servers that are open in this process.',
    registers: [this.registry],
  });
  readonly #pendingOrders = new Gauge({
    name: 'hostkeep_pending_orders',
    help: 'Orders whose delivery has not finished.',
    registers: [this.registry],
  });
  readonly #discrepancies = new Gauge({
    name: 'hostkeep_discrepancies',
    help: 'Open differences between the books and the back ends.',
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Everything as Prometheus reads it, with what the database says of unfinished things. */
  async read(db: Executor): Promise<string> {
    const [row] = await db.run(countOpen, []);
    this.#pendingOrders.set(row?.orders ?? 0);
    this.#discrepancies.set(row?.discrepancies ?? 0);
    return await this.registry.metrics();
  }

  observe(operation: string, status: number, milliseconds: number): void {
    this.#requests.labels(operation, String(status)).observe(milliseconds / 1000);
  }
}
