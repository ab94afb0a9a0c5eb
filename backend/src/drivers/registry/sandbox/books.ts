import type { Clock } from '../../../base/clock.ts';
import type { Instant } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { type Transaction, transaction } from '../../../db/transaction.ts';
import type { FeeSchedule } from './commands.ts';
import { feesOf } from './fees.ts';
import { broughtTo } from './passage.ts';
import { readName, type SandboxName } from './policy.ts';
import type { Holding } from './registration.ts';
import { type Failure, failure, type Reply, type Success, success } from './reply.ts';
import { loadHolding, saveHolding } from './store.ts';
import type { Held } from './transition.ts';

export interface BooksOptions {
  /** A pool of the registry's own: what it commits is not undone with a transaction of ours. */
  readonly db: Pool;
  readonly clock: Clock;
  /** What fees are in; the catalogue's, because prices are compared with its. */
  readonly currency?: () => string;
}

/** A domain as a command finds it: brought to what the clock says. */
export interface Found {
  readonly tx: Transaction;
  readonly held: Held;
  readonly of: SandboxName;
  readonly fees: FeeSchedule;
  readonly now: Instant;
}

/** What a command comes to: nothing but a failure, or an answer with what became of the domain. */
export type Decision<Data> = Failure | { readonly answer: Success<Data>; readonly holding: Holding };

const SWEPT_AT_ONCE = 100;

const due = statement<{ name: string }>(
  'sandbox_registry_due',
  `SELECT name FROM sandbox.registry_domains WHERE due_at <= $1 AND name > $2 ORDER BY name LIMIT ${SWEPT_AT_ONCE}`,
);
const spent = statement<{ amount: bigint; credit_limit: bigint | null }>(
  'sandbox_registry_spent',
  `SELECT coalesce((SELECT sum(amount) FROM sandbox.registry_charges WHERE registrar = name), 0)::bigint AS amount,
     credit_limit
   FROM sandbox.registry_registrars WHERE name = $1`,
);

/** The registry's books, and its clock. */
export class Books {
  readonly db: Pool;
  readonly clock: Clock;
  readonly #currency: () => string;

  constructor({ db, clock, currency = () => 'EUR' }: BooksOptions) {
    this.db = db;
    this.clock = clock;
    this.#currency = currency;
  }

  get currency(): string {
    return this.#currency();
  }

  /** One transaction with one domain, which nobody else changes meanwhile. 2303: there is none. */
  async withDomain<Data>(
    name: string,
    decide: (found: Found) => Decision<Data> | Promise<Decision<Data>>,
  ): Promise<Reply<Data>> {
    const of = readName(name);
    if (of === null) return failure(2303, 'name', `${name} is not registered`);
    return await transaction(this.db, async (tx) => {
      const before = await loadHolding(tx, name);
      // After the lock: who waited for it must not act in the past.
      const now = this.clock.now();
      const fees = feesOf(of, this.currency);
      const passed = broughtTo(before, of.policy, fees.renew, now);
      const decision: Decision<Data> =
        passed.domain === null
          ? failure(2303, 'name', `${name} is not registered`)
          : await decide({ tx, held: { ...passed, domain: passed.domain }, of, fees, now });
      // What only the clock did stays done when the command fails.
      const after = 'holding' in decision ? decision.holding : passed;
      await saveHolding(tx, before, after, of.policy);
      return 'holding' in decision ? decision.answer : decision;
    });
  }

  /** Whatever should have happened by itself by now has happened, to all domains. */
  async sweep(): Promise<void> {
    for (let last = ''; ; ) {
      const rows = await this.db.run(due, [this.clock.now(), last]);
      for (const { name } of rows) await this.pass(name);
      if (rows.length < SWEPT_AT_ONCE) return;
      last = rows.at(-1)?.name ?? last;
    }
  }

  /** Brings one domain to what the clock says. */
  async pass(name: string): Promise<void> {
    await this.withDomain(name, ({ held }) => ({ answer: success(null), holding: held }));
  }

  /** RFC 5730: 2104 when the registrar's account does not bear this. */
  async credit(tx: Transaction, registrar: string, amount: bigint): Promise<Failure | null> {
    const [account] = await tx.run(spent, [registrar]);
    if (account === undefined) return failure(2201, 'registrar', `${registrar} is no registrar here`);
    const { credit_limit: limit } = account;
    return limit === null || account.amount + amount <= limit
      ? null
      : failure(2104, 'credit', 'the account does not bear this charge');
  }
}
