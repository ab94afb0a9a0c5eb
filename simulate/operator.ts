import { issueToken, newTokenSecret } from '../backend/src/business/core/access/token.ts';
import { createStaff } from '../backend/src/business/core/accounts/customer.ts';
import { importCatalog } from '../backend/src/business/core/catalog/import.ts';
import { catalogFromDocument } from '../backend/src/business/core/catalog/schema/schema.ts';
import { syncInventories } from '../backend/src/business/products.ts';
import { transaction } from '../backend/src/db/transaction.ts';
import type { Api } from './api.ts';
import { catalogueAt } from './catalogue.ts';
import type { Rumours } from './customer.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** Who sells: sets prices, gives out codes, pays back, and switches off for abuse. */
export class Operator {
  readonly #world: World;
  readonly #api: Api;
  readonly #random: Random;
  readonly #token: string;
  #codes = 0;
  #factor = 1;
  #taxRate = 19;
  readonly #suspended: string[] = [];

  private constructor(world: World, api: Api, random: Random, token: string) {
    this.#world = world;
    this.#api = api;
    this.#random = random;
    this.#token = token;
  }

  static async hire(world: World, api: Api, random: Random): Promise<Operator> {
    const secret = newTokenSecret();
    const now = world.clock.now();
    await transaction(world.pool, async (tx) => {
      const person = { firstName: 'Olga', lastName: 'Operator', passwordHash: null, timezone: 'UTC' };
      const created = await createStaff(
        tx,
        { ...person, email: 'olga@hosting.example', locale: 'en', staffRole: 'admin' },
        now,
      );
      if (created.kind !== 'created') throw new Error('the operator is there already');
      const token = { accountId: null, userId: created.userId, kind: 'api' as const, name: 'simulation' };
      await issueToken(tx, { ...token, scopes: ['*'], expiresAt: null }, secret, now);
    });
    return new Operator(world, api, random, secret);
  }

  /** Sells at new prices from now on. */
  async setPrices(factor: number): Promise<void> {
    this.#factor = factor;
    await this.#sell();
  }

  /** A new law: this many percent of tax from now on, within the same prices. */
  async setTax(rate: number): Promise<void> {
    this.#taxRate = rate;
    await this.#sell();
  }

  async #sell(): Promise<void> {
    const { pool, catalogs, clock } = this.#world;
    const catalog = catalogFromDocument(catalogueAt(this.#factor, this.#taxRate));
    const note = `prices × ${this.#factor}, ${this.#taxRate} % tax`;
    await transaction(pool, (tx) => importCatalog(tx, catalog, note, clock.now(), syncInventories));
    await catalogs.newest(pool);
  }

  async giveVouchers(rumours: Rumours): Promise<void> {
    const value = this.#random.between(5, 40);
    const { data } = await this.#api.call('staff/voucher-create', this.#token, {
      kind: 'credit',
      value,
      currency: 'EUR',
      count: 10,
      description: 'Thank you',
    });
    if (data !== null) rumours.vouchers = data.vouchers.map((one: { code: string }) => one.code);
  }

  async giveDiscount(rumours: Rumours): Promise<void> {
    this.#codes += 1;
    const code = `SALE${this.#codes}`;
    const { data } = await this.#api.call('staff/discount-create', this.#token, {
      code,
      percent: this.#random.between(5, 60),
      cycles: this.#random.pick([0, 1, 3]),
      max_uses: this.#random.pick([5, 50]),
    });
    if (data !== null) rumours.discounts = [...rumours.discounts.slice(-3), code];
  }

  async payBack(order: string): Promise<void> {
    const part = this.#random.chance(0.5) ? { amount: this.#random.between(1, 400) / 100 } : {};
    await this.#api.call('staff/refund', this.#token, {
      order_id: order,
      reason: 'An outage',
      basis: this.#random.pick(['goodwill', 'undelivered']),
      ...part,
    });
  }

  async switchOff(service: string): Promise<void> {
    const { data } = await this.#api.call('staff/suspend', this.#token, {
      uuid: service,
      reason: 'abuse',
      note: 'spam',
    });
    if (data !== null) this.#suspended.push(service);
  }

  /** Out of kindness; what is off because its time is over comes back by payment only, so it is refused there. */
  async liftUnpaid(service: string): Promise<void> {
    await this.#api.call('staff/unsuspend', this.#token, { uuid: service, reason: 'unpaid' });
  }

  async switchOn(): Promise<void> {
    const service = this.#suspended.shift();
    if (service !== undefined)
      await this.#api.call('staff/unsuspend', this.#token, { uuid: service, reason: 'abuse' });
  }
}
