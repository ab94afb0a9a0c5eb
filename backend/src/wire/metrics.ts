import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Instant } from '../base/time.ts';
import type { Executor, Pool } from '../db/pool.ts';
import { type OperatingState, readOperatingState } from '../work/operating-state.ts';
import { type QueueState, queueState } from '../work/queue-state.ts';

/** What a process can say of itself beside what the database holds. */
export interface Observed {
  readonly pools: Readonly<Record<string, Pool>>;
  /** By how many milliseconds its machine's clock is ahead of the database's. */
  readonly machineAhead: () => number;
}

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
  readonly #databaseUp = this.#gauge(
    'hostkeep_database_up',
    'Whether the database answered this look: 1 or 0.',
  );
  readonly #work: readonly (readonly [Gauge, (state: OperatingState) => number])[] = [
    [
      this.#gauge('hostkeep_pending_orders', 'Orders whose delivery has not finished.'),
      (s) => s.pendingOrders,
    ],
    [
      this.#gauge('hostkeep_oldest_order_seconds', 'Age of the oldest pending order.'),
      (s) => s.oldestOrder ?? 0,
    ],
    [
      this.#gauge('hostkeep_discrepancies', 'Open differences between the books and the back ends.'),
      (s) => s.discrepancies,
    ],
    [this.#gauge('hostkeep_workers', 'Processes that run jobs.'), (s) => s.workers],
    [this.#gauge('hostkeep_jobs_ready', 'Jobs that could run now.'), (s) => s.readyJobs],
    [
      this.#gauge('hostkeep_oldest_job_seconds', 'How long the oldest of them waits.'),
      (s) => s.oldestJob ?? 0,
    ],
    [this.#gauge('hostkeep_mails_waiting', 'Mails that wait to be sent.'), (s) => s.mailsWaiting],
    [this.#gauge('hostkeep_mails_failing', 'Of these, tried before.'), (s) => s.mailsFailing],
    [this.#gauge('hostkeep_webhooks_waiting', 'Deliveries to webhooks that wait.'), (s) => s.webhooksWaiting],
    [
      this.#gauge('hostkeep_database_writable', 'Whether the database takes writes: 1 or 0.'),
      (s) => Number(s.writable),
    ],
  ];

  readonly #jobsByState = this.#gauge('hostkeep_queue_jobs', 'Jobs of the queue, by name and state.', [
    'job',
    'state',
  ]);
  readonly #deadJobs = this.#gauge('hostkeep_jobs_dead', 'Jobs that used up their attempts.');
  readonly #scheduleAge = this.#gauge(
    'hostkeep_schedule_age_seconds',
    'Since when maintenance was last due: negative after a wrong clock.',
  );
  readonly #connections = this.#gauge(
    'hostkeep_pool_connections',
    'Connections to the database of this process, by pool and state (busy, idle).',
    ['pool', 'state'],
  );
  readonly #poolWaiting = this.#gauge(
    'hostkeep_pool_waiting',
    'Work of this process that waits for a connection, by pool.',
    ['pool'],
  );
  readonly #clockAhead = this.#gauge(
    'hostkeep_clock_ahead_seconds',
    "By how much the clock of this machine is ahead of the database's.",
  );
  readonly #observed: Observed;
  #reading: Promise<string> | null = null;

  constructor(observed: Observed = { pools: {}, machineAhead: () => 0 }) {
    this.#observed = observed;
    collectDefaultMetrics({ register: this.registry });
  }

  /** Everything as Prometheus reads it, with what the database says of its work; without that while it is away. */
  read(db: Executor, now: Instant): Promise<string> {
    // Those who ask at once share an answer: the database counts for one of them.
    this.#reading ??= this.#read(db, now).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(db: Executor, now: Instant): Promise<string> {
    const [state, queue] = await Promise.all([
      readOperatingState(db, now).catch(() => null),
      queueState(db).catch(() => null),
    ]);
    this.#setQueue(queue);
    this.#setObserved();
    this.#databaseUp.set(state === null ? 0 : 1);
    if (state === null) for (const [gauge] of this.#work) gauge.reset();
    else for (const [gauge, figure] of this.#work) gauge.set(figure(state));
    return await this.registry.metrics();
  }

  #setQueue(queue: QueueState | null): void {
    this.#jobsByState.reset();
    this.#deadJobs.set(queue?.deadJobs ?? 0);
    this.#scheduleAge.set(queue?.lastCronRunAge ?? 0);
    for (const { job, ...states } of queue?.queueDepths ?? [])
      for (const [state, jobs] of Object.entries(states)) this.#jobsByState.labels(job, state).set(jobs);
  }

  #setObserved(): void {
    const { pools, machineAhead } = this.#observed;
    for (const [name, { pg }] of Object.entries(pools)) {
      this.#connections.labels(name, 'idle').set(pg.idleCount);
      this.#connections.labels(name, 'busy').set(pg.totalCount - pg.idleCount);
      this.#poolWaiting.labels(name).set(pg.waitingCount);
    }
    this.#clockAhead.set(machineAhead() / 1000);
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  observe(operation: string, status: number, milliseconds: number): void {
    this.#requests.labels(operation, String(status)).observe(milliseconds / 1000);
  }
}
