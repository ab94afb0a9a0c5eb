import { isTransient } from '../db/transaction.ts';
import { Refusal } from '../errors.ts';
import type { WriteItem, WriteOutcome } from './write.ts';

const IN_FLIGHT = 2;
const BATCH_SIZE = 128;
const PER_ACCOUNT = 8;
const ALONE_MS = 60_000;

interface Waiting {
  readonly item: WriteItem;
  resolve(outcome: WriteOutcome): void;
  reject(reason: unknown): void;
}

/**
 * Forms the batches of one operation (rule A3): at most two are in flight; what arrives meanwhile leaves when
 * a place frees, up to 128 items and 8 of one account, accounts in turn, an account in one batch at a time.
 * Nothing waits on a timer: a lone request leaves at once.
 */
export class BatchQueue {
  readonly #write: (items: readonly WriteItem[]) => Promise<WriteOutcome[]>;
  readonly #together: boolean;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #busy = new Set<string>();
  readonly #alone = new Map<string, number>();
  #inFlight = 0;
  #leaving = false;

  /** Without `together` every item runs alone, at once, in a transaction of its own. */
  constructor(write: (items: readonly WriteItem[]) => Promise<WriteOutcome[]>, together: boolean) {
    this.#write = write;
    this.#together = together;
  }

  submit(item: WriteItem): Promise<WriteOutcome> {
    if (!this.#together) return this.#attempt([item]).then(theOnly);
    return new Promise((resolve, reject) => {
      const account = accountOf(item);
      const queue = this.#waiting.get(account);
      if (queue === undefined) this.#waiting.set(account, [{ item, resolve, reject }]);
      else queue.push({ item, resolve, reject });
      this.#leaveSoon();
    });
  }

  /** At the end of this turn of the event loop, when everything that the network brought has arrived. */
  #leaveSoon(): void {
    if (this.#leaving) return;
    this.#leaving = true;
    setImmediate(() => {
      this.#leaving = false;
      this.#leave();
    });
  }

  #leave(): void {
    while (this.#inFlight < IN_FLIGHT) {
      const batch = this.#next();
      if (batch.length === 0) return;
      this.#inFlight += 1;
      const accounts = new Set(batch.map((waiting) => accountOf(waiting.item)));
      for (const account of accounts) this.#busy.add(account);
      this.#run(batch, accounts).finally(() => {
        this.#inFlight -= 1;
        for (const account of accounts) this.#busy.delete(account);
        this.#leaveSoon();
      });
    }
  }

  #next(): Waiting[] {
    const batch: Waiting[] = [];
    const now = performance.now();
    for (const [account, queue] of [...this.#waiting]) {
      if (this.#busy.has(account)) continue;
      const alone = (this.#alone.get(account) ?? 0) > now;
      if (alone && batch.length > 0) continue;
      batch.push(...queue.splice(0, alone ? 1 : Math.min(PER_ACCOUNT, BATCH_SIZE - batch.length)));
      // What is left of it waits behind the others.
      this.#waiting.delete(account);
      if (queue.length > 0) this.#waiting.set(account, queue);
      if (alone || batch.length >= BATCH_SIZE) break;
    }
    return batch;
  }

  async #run(batch: Waiting[], accounts: Set<string>): Promise<void> {
    let outcomes: WriteOutcome[];
    try {
      outcomes = await this.#attempt(batch.map((waiting) => waiting.item));
    } catch (error) {
      if (batch.length === 1 || isUnknown(error)) for (const waiting of batch) waiting.reject(error);
      else await this.#runSingly(batch, true);
      return;
    }
    const locked: Waiting[] = [];
    for (const [index, waiting] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined || outcome.kind === 'locked') locked.push(waiting);
      else waiting.resolve(outcome);
    }
    // Whoever has been answered does not wait for those who have not.
    const still = new Set(locked.map((waiting) => accountOf(waiting.item)));
    for (const account of accounts) {
      if (still.has(account)) continue;
      accounts.delete(account);
      this.#busy.delete(account);
    }
    this.#leaveSoon();
    await this.#runSingly(locked, false);
  }

  /** Each item in a transaction of its own; the account of one that fails keeps out of batches for a minute. */
  async #runSingly(batch: readonly Waiting[], suspicious: boolean): Promise<void> {
    for (const waiting of batch) {
      try {
        waiting.resolve(theOnly(await this.#attempt([waiting.item])));
      } catch (error) {
        if (suspicious) this.#setApart(accountOf(waiting.item));
        waiting.reject(error);
      }
    }
  }

  #setApart(account: string): void {
    const now = performance.now();
    for (const [other, until] of this.#alone) if (until <= now) this.#alone.delete(other);
    this.#alone.set(account, now + ALONE_MS);
  }

  /** Deadlocks, serialisation failures and proven rollbacks: once more from the start. */
  async #attempt(items: readonly WriteItem[]): Promise<WriteOutcome[]> {
    try {
      return await this.#write(items);
    } catch (error) {
      if (!isTransient(error)) throw error;
      return await this.#write(items);
    }
  }
}

function theOnly(outcomes: readonly WriteOutcome[]): WriteOutcome {
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('an item got no outcome');
  return outcome;
}

function accountOf(item: WriteItem): string {
  return item.ctx.caller?.accountId ?? item.ctx.requestId;
}

/** After a lost COMMIT nothing may run again: it may have taken effect. */
function isUnknown(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'outcome_unknown';
}
