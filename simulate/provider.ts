import { receiveWebhook } from '../backend/src/business/payments/webhook.ts';
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
    const { rows } = await this.#world.pool.pg.query<{ ref: string; state: string; disputed: bigint }>(
      'SELECT ref, state, disputed FROM sandbox.payments WHERE dispute_won = 0 AND refunded = 0 ORDER BY payment_id',
    );
    for (const { ref, state, disputed } of rows) {
      if (state === 'open') {
        if (this.#random.chance(0.9)) await this.#happen(ref, this.#random.chance(0.88) ? 'pay' : 'decline');
      } else if (state === 'paid' && disputed === 0n && this.#random.chance(0.00005)) {
        await this.#happen(ref, this.#random.chance(0.6) ? 'dispute' : 'refund');
      } else if (disputed > 0n && this.#random.chance(0.02)) await this.#happen(ref, 'win');
    }
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
