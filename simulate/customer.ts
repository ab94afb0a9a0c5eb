import { issueToken, newTokenSecret } from '../backend/src/business/core/access/token.ts';
import { createCustomer } from '../backend/src/business/core/accounts/customer.ts';
import { transaction } from '../backend/src/db/transaction.ts';
import type { Api } from './api.ts';
import { HOURLY, LICENSES, SERVER, TERMS } from './catalogue.ts';
import type { Random } from './random.ts';
import { Registrant } from './registrant.ts';
import type { World } from './world.ts';

/** What customers share: codes that somebody told them of. */
export interface Rumours {
  vouchers: string[];
  discounts: string[];
}

interface Held {
  readonly uuid: string;
  readonly product: 'license' | 'server';
  readonly hostname: string;
  readonly order: string;
  readonly term: Term;
}

type Term = (typeof TERMS)[number] | typeof HOURLY;

/** One customer in so many buys servers by the hour. */
const HOURLY_EVERY = 8;

const WISHES = {
  pay: 12,
  orderLicense: 22,
  orderServer: 8,
  domains: 24,
  renew: 8,
  cancel: 5,
  revoke: 2,
  settings: 6,
  priority: 3,
  voucher: 4,
  move: 3,
  look: 6,
} as const;
type Wish = keyof typeof WISHES;

/** People of several countries, businesses among them. The last letters of a VAT number decide in the sandbox. */
const HOMES = [
  { country: 'DE', zip: '10115', vat_id: null },
  { country: 'DE', zip: '20095', vat_id: 'DE136695976' },
  { country: 'AT', zip: '1010', vat_id: null },
  { country: 'FR', zip: '75001', vat_id: null },
  { country: 'FR', zip: '75001', vat_id: 'FR40303265045' },
  { country: 'CH', zip: '8001', vat_id: null },
  { country: 'US', zip: '10001', vat_id: null },
] as const;

/** A customer who does this and that, by what the random numbers say. */
export class Customer {
  readonly #api: Api;
  readonly #random: Random;
  readonly #token: string;
  readonly #number: number;
  readonly #registrant: Registrant;
  #held: Held[] = [];
  #orders = 0;

  private constructor(world: World, api: Api, random: Random, token: string, number: number) {
    this.#api = api;
    this.#random = random;
    this.#token = token;
    this.#number = number;
    this.#registrant = new Registrant(world, api, random, token, number);
  }

  /** Somebody new, with a little money and perhaps an address. */
  static async join(world: World, api: Api, random: Random, number: number): Promise<Customer> {
    const now = world.clock.now();
    const secret = newTokenSecret();
    await transaction(world.pool, async (tx) => {
      const person = { firstName: 'Kim', lastName: `Number ${number}`, passwordHash: null, timezone: 'UTC' };
      const locale = number % 2 === 0 ? ('en' as const) : ('de' as const);
      const email = `customer${number}@example.com`;
      const created = await createCustomer(tx, { ...person, email, locale, currency: 'EUR' }, now);
      if (created.kind !== 'created') throw new Error('the customer is there already');
      const { accountId, userId } = created;
      const token = {
        accountId,
        userId,
        kind: 'api' as const,
        name: 'simulation',
        scopes: ['*'],
        expiresAt: null,
      };
      await issueToken(tx, token, secret, now);
    });
    const customer = new Customer(world, api, random, secret, number);
    await customer.#pay();
    if (random.chance(0.6)) await customer.#move();
    return customer;
  }

  /** Does one thing. */
  async act(rumours: Rumours): Promise<void> {
    const wishes: Readonly<Record<Wish, () => Promise<void>>> = {
      pay: () => this.#pay(),
      orderLicense: () => this.#orderLicense(rumours),
      orderServer: () => this.#orderServer(),
      domains: () => this.#registrant.act(),
      renew: () => this.#renew(),
      cancel: () => this.#cancel(),
      revoke: () => this.#revoke(),
      settings: () => this.#settings(),
      priority: () => this.#priority(),
      voucher: () => this.#voucher(rumours),
      move: () => this.#move(),
      look: () => this.#look(),
    };
    await wishes[this.#random.weighted(WISHES)]();
  }

  async #pay(): Promise<void> {
    const amount = this.#random.between(200, 3_000) / 100;
    const key = this.#random.chance(0.1) ? `pay-${this.#random.between(0, 1e9)}` : undefined;
    const send = () => this.#api.call('account/topup', this.#token, { amount, method: 'sandbox' }, key);
    await send();
    // Impatient people press twice; the key makes it one payment.
    if (key !== undefined) await send();
  }

  async #orderLicense(rumours: Rumours): Promise<void> {
    const code =
      rumours.discounts.length > 0 && this.#random.chance(0.3) ? this.#random.pick(rumours.discounts) : '';
    this.#orders += 1;
    const term = this.#random.pick(TERMS);
    const { data } = await this.#api.call('panel/order', this.#token, {
      pack_uuid: this.#random.pick(LICENSES),
      ...term,
      tos: true,
      cancellation: true,
      discount_code: code,
      auto_renew: this.#random.chance(0.8),
      custom_name: this.#name(),
    });
    if (data !== null)
      this.#held.push({
        uuid: data.license_uuid,
        product: 'license',
        hostname: '',
        order: data.order_id,
        term,
      });
  }

  async #orderServer(): Promise<void> {
    this.#orders += 1;
    const hostname = `s${this.#orders}.c${this.#number}.example.com`;
    const term = this.#number % HOURLY_EVERY === 0 ? HOURLY : this.#random.pick(TERMS);
    const { data } = await this.#api.call('server/order', this.#token, {
      host: 'fra-epyc',
      pack_uuid: SERVER,
      os: 'debian-13',
      hostname,
      ...term,
      tos: true,
      cancellation: true,
      auto_renew: this.#random.chance(0.8),
      custom_name: this.#name(),
    });
    if (data !== null)
      this.#held.push({ uuid: data.server_uuid, product: 'server', hostname, order: data.order_id, term });
  }

  /** Unlike any other, so that a mail says which service it is about. */
  #name(): string {
    return `C${this.#number} N${this.#orders}`;
  }

  async #renew(): Promise<void> {
    const held = this.#one();
    if (held === null) return;
    const path = held.product === 'license' ? 'panel/renew' : 'server/renew';
    const term = held.term === HOURLY ? HOURLY : this.#random.pick(TERMS);
    await this.#api.call(path, this.#token, { uuid: held.uuid, ...term });
  }

  async #cancel(): Promise<void> {
    const held = this.#one();
    if (held === null) return;
    const mode = this.#random.pick(['end_of_term', 'end_of_term', 'immediate', 'withdraw']);
    const confirm = held.product === 'server' ? { confirm: held.hostname } : {};
    const path = held.product === 'license' ? 'panel/cancel' : 'server/cancel';
    const { data } = await this.#api.call(path, this.#token, { uuid: held.uuid, mode, ...confirm });
    if (data !== null && mode !== 'end_of_term') this.#held = this.#held.filter((other) => other !== held);
  }

  async #revoke(): Promise<void> {
    const held = this.#one();
    if (held === null) return;
    const path = held.product === 'license' ? 'panel/cancel' : 'server/cancel';
    await this.#api.call(path, this.#token, { uuid: held.uuid, mode: 'revoke' });
  }

  async #settings(): Promise<void> {
    const held = this.#one();
    if (held === null) return;
    const path = held.product === 'license' ? 'panel/settings' : 'server/settings';
    await this.#api.call(path, this.#token, { uuid: held.uuid, auto_renew: this.#random.chance(0.7) });
  }

  async #priority(): Promise<void> {
    if (this.#held.length < 2) return;
    const uuids = this.#held.map(({ uuid }) => uuid).slice(-3);
    await this.#api.call('account/renewal-order', this.#token, { uuids: uuids.reverse() });
  }

  async #voucher(rumours: Rumours): Promise<void> {
    if (rumours.vouchers.length === 0) return;
    await this.#api.call('account/redeem-voucher', this.#token, {
      code: this.#random.pick(rumours.vouchers),
    });
  }

  async #move(): Promise<void> {
    const home = this.#random.pick(HOMES);
    await this.#api.call('account/save-address', this.#token, {
      salutation: 'none',
      first_name: 'Kim',
      last_name: `Number ${this.#number}`,
      company: home.vat_id === null ? null : 'Kim Ltd',
      street: 'Long Street',
      house_number: '1',
      address_addition: null,
      city: 'Town',
      region: null,
      phone: '+4930123456',
      email: null,
      ...home,
    });
  }

  async #look(): Promise<void> {
    await this.#api.call('account/balance', this.#token);
    await this.#api.call('account/dashboard', this.#token);
  }

  /** One of the services that it remembers; old ones may be gone, which it finds out. */
  #one(): Held | null {
    return this.#held.length === 0 ? null : this.#random.pick(this.#held);
  }

  /** An order of this customer, for an operator who pays something back. */
  anOrder(): string | null {
    return this.#one()?.order ?? null;
  }

  /** A service of this customer, for an operator who has a reason to switch it off. */
  aService(): string | null {
    return this.#one()?.uuid ?? null;
  }
}
