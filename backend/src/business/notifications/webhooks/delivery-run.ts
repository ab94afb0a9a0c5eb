import type { Outbound } from '../../../base/outbound.ts';
import { isBefore } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { transaction } from '../../../db/transaction.ts';
import type { JobContext } from '../../../work/job.ts';
import { eventsAfter, type LoggedEvent } from '../events/log.ts';
import { eventsAt } from '../events/past.ts';
import { attemptDelivery } from './attempt.ts';
import { isChosen } from './choice.ts';
import { type ClaimedWebhook, moveCursor, releaseWebhook } from './claim.ts';
import {
  type Attempt,
  type Delivery,
  dueDeliveries,
  hastenDeliveries,
  queueDeliveries,
  recordAttempt,
} from './delivery.ts';
import { afterFailure, HEALTHY, isHopeless, nextAttempt, type WebhookHealth, wasAway } from './health.ts';
import { WEBHOOK_SECRET } from './signature.ts';
import { switchOff } from './switch-off.ts';

const EVENTS_AT_ONCE = 200;
const SENT_AT_ONCE = 50;
/** No request begins after so long: others wait, and the turn's time is that of its beginning. */
const TURN_MS = 5_000;

export interface DeliveryRunContext extends Pick<JobContext, 'now' | 'sealer'> {
  readonly pool: Pool;
  readonly outbound: Outbound;
}

/**
 * One worker's turn with one webhook: makes deliveries of the events since the cursor, and sends what is due, one
 * after another. What came of each is written down before the next one is sent, so that a crash repeats at most one,
 * which the receiver knows again by its id.
 */
export class DeliveryRun {
  readonly #ctx: DeliveryRunContext;
  readonly #taken: ClaimedWebhook;
  readonly #secret: string;
  /** Nothing but tests goes out while all is quiet. */
  readonly #testsOnly: boolean;
  readonly #end = performance.now() + TURN_MS;
  #cursor: bigint;
  #standing: WebhookHealth;
  /** Events that failed since one was accepted. */
  #misses = 0;
  #accepted = false;
  #over = false;

  constructor(ctx: DeliveryRunContext, taken: ClaimedWebhook) {
    const { quiet_until: quiet, failing_since: failingSince, pauses, holds_line: holdsLine } = taken;
    this.#ctx = ctx;
    this.#taken = taken;
    this.#secret = ctx.sealer.openText(WEBHOOK_SECRET, taken.secret_sealed);
    this.#testsOnly = quiet !== null && isBefore(ctx.now, quiet);
    this.#cursor = taken.cursor;
    this.#standing = { failingSince, pauses, holdsLine, quietUntil: this.#testsOnly ? quiet : null };
  }

  async run(): Promise<void> {
    let more = !this.#testsOnly;
    while (!this.#isOver()) {
      let batch = await this.#due();
      if (more && batch.length < SENT_AT_ONCE) {
        more = await this.#queueEvents();
        batch = await this.#due();
      }
      if (batch.length === 0 && !more) break;
      const events = await this.#eventsOf(batch);
      for (const delivery of batch) {
        if (this.#isOver()) break;
        await this.#deliver(delivery, events);
      }
    }
    const { pool, now } = this.#ctx;
    await releaseWebhook(pool, this.#taken, this.#standing, this.#accepted ? now : null);
  }

  #isOver(): boolean {
    return this.#over || performance.now() >= this.#end;
  }

  #due(): Promise<Delivery[]> {
    const { pool, now } = this.#ctx;
    const leastTriedFirst = this.#standing.pauses > 0;
    const choosing = { testsOnly: this.#testsOnly, leastTriedFirst, limit: SENT_AT_ONCE };
    return dueDeliveries(pool, this.#taken.id, choosing, now);
  }

  /** Deliveries of the next events. Answers whether there are more. */
  async #queueEvents(): Promise<boolean> {
    const { pool, now } = this.#ctx;
    const { id, account_id, events: choices } = this.#taken;
    const everything = { types: null, resources: null };
    const page = await eventsAfter(pool, account_id, this.#cursor, everything, EVENTS_AT_ONCE);
    if (page.through === this.#cursor) return false;
    const chosen = page.events.filter(({ type }) => isChosen(choices, type));
    await transaction(pool, async (tx) => {
      if (await moveCursor(tx, this.#taken, page.through))
        await queueDeliveries(tx, id, 'event', chosen, now);
      else this.#over = true;
    });
    this.#cursor = page.through;
    return page.more;
  }

  async #eventsOf(batch: readonly Delivery[]): Promise<ReadonlyMap<bigint, LoggedEvent>> {
    const [first] = batch;
    if (first === undefined) return new Map();
    const since = batch.reduce(
      (at, { event_at }) => (isBefore(event_at, at) ? event_at : at),
      first.event_at,
    );
    const sequences = batch.map(({ sequence }) => sequence);
    const events = await eventsAt(this.#ctx.pool, this.#taken.account_id, sequences, since);
    return new Map(events.map((event) => [event.sequence, event]));
  }

  async #deliver(delivery: Delivery, events: ReadonlyMap<bigint, LoggedEvent>): Promise<void> {
    const event = events.get(delivery.sequence);
    if (event === undefined) throw new Error(`event ${delivery.sequence} is gone before its delivery`);
    const { outbound, now } = this.#ctx;
    const receiver = { url: this.#taken.url, secret: this.#secret };
    const attempt = await attemptDelivery(outbound, receiver, event, now);
    if (attempt.error === null) await this.#succeed(delivery, attempt);
    else await this.#fail(delivery, attempt, attempt.error);
  }

  async #succeed(delivery: Delivery, attempt: Attempt): Promise<void> {
    const { pool, now } = this.#ctx;
    const before = this.#standing;
    await this.#record(delivery, attempt, null, 'delivered');
    this.#standing = HEALTHY;
    this.#misses = 0;
    this.#accepted = true;
    if (!wasAway(before, now)) return;
    // What waits goes out now, and the oldest first.
    await hastenDeliveries(pool, this.#taken.id, now);
    this.#over = true;
  }

  async #fail(delivery: Delivery, attempt: Attempt, error: string): Promise<void> {
    const { pool, now } = this.#ctx;
    if (delivery.kind === 'test') return await this.#record(delivery, attempt, null, 'failed');
    const attempts = delivery.attempts + 1;
    const dueAt = nextAttempt(attempts, delivery.created_at, now);
    this.#misses += 1;
    this.#standing = afterFailure(this.#standing, { attempts, misses: this.#misses }, now);
    await this.#record(delivery, attempt, dueAt, 'failed');
    const { failingSince, quietUntil } = this.#standing;
    if (failingSince !== null && isHopeless(this.#standing, attempts, now)) {
      this.#over = true;
      await switchOff(pool, this.#taken, { failingSince, error }, now);
    }
    if (quietUntil !== null) this.#over = true;
  }

  /** `dueAt`: when it is tried again; null: it is over with it, in the state `end`. */
  async #record(
    delivery: Delivery,
    attempt: Attempt,
    dueAt: Temporal.Instant | null,
    end: 'delivered' | 'failed',
  ): Promise<void> {
    const { pool, now } = this.#ctx;
    const outcome = dueAt === null ? { state: end } : { state: 'pending' as const, dueAt };
    const mine = await recordAttempt(pool, this.#taken, delivery.id, attempt, outcome, now);
    if (!mine) this.#over = true;
  }
}
