import { receiveWebhook } from '../backend/src/business/selling/payments/webhook.ts';
import type { Happening } from '../backend/src/drivers/payment/sandbox/payments.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** The other side of top-ups: people who pay or give up, banks that take money back, and a network that loses messages. */
export class Provider {
  readonly #world: World;
  readonly #random: Random;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** Decides on what is open, and now and then on what was paid weeks ago. */
  async act(): Promise<void> {
    const { pg } = this.#world.pool;
    const { rows } = await pg.query<{ ref: string; disputed: bigint }>(
      `SELECT ref, disputed FROM sandbox.payments
       WHERE (state = 'open' OR disputed > 0) AND dispute_won = 0 AND refunded = 0 ORDER BY payment_id`,
    );
    for (const { ref, disputed } of rows) {
      if (disputed > 0n) {
        if (this.#random.chance(0.02)) await this.#happen(ref, 'win');
      } else if (this.#random.chance(0.9)) {
        await this.#happen(ref, this.#random.chance(0.88) ? 'pay' : 'decline');
      }
    }
    for (const ref of await this.#regretted()) {
      await this.#happen(ref, this.#random.chance(0.6) ? 'dispute' : 'refund');
    }
  }

  /** Of what is paid, every payment with the same chance: drawn by its place, since they become many. */
  async #regretted(): Promise<string[]> {
    const { pg } = this.#world.pool;
    const paid = "FROM sandbox.payments WHERE state = 'paid' AND disputed = 0 AND refunded = 0";
    const { rows: counted } = await pg.query<{ count: bigint }>(`SELECT count(*) ${paid}`);
    const count = Number(counted[0]?.count ?? 0n);
    if (!this.#random.chance(Math.min(1, count * 0.00005))) return [];
    const place = this.#random.between(0, count - 1);
    const { rows } = await pg.query<{ ref: string }>(
      `SELECT ref ${paid} ORDER BY payment_id OFFSET $1 LIMIT 1`,
      [place],
    );
    return rows.map(({ ref }) => ref);
  }

  async #happen(ref: string, happening: Happening): Promise<void> {
    const { ports, pool, clock, log } = this.#world;
    const webhook = await ports.sandboxPayments.happen(ref, happening);
    const provider = ports.payment.provider('sandbox');
    if (webhook === null || provider === null) return;
    const deliver = async () => {
      const now = clock.now();
      const outcome = await receiveWebhook(pool, webhook, { method: 'sandbox', provider, now, log });
      if (outcome.kind !== 'received') throw new Error(`a webhook was ${outcome.kind}`);
    };
    const times = this.#random.weighted({ lost: 1, once: 7, twice: 2 });
    if (times === 'lost') return;
    await (times === 'twice' ? Promise.all([deliver(), deliver()]) : deliver());
  }
}
