import type { Api } from './api.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

const WISHES = {
  register: 9,
  registerMany: 3,
  arrive: 3,
  renew: 5,
  restore: 5,
  cancel: 2,
  settings: 3,
  leave: 3,
  object: 2,
  goElsewhere: 4,
} as const;
type Wish = keyof typeof WISHES;

/** Sold in the simulation: one that its registry renews by itself, and one whose registrations have no end. */
const TLDS = ['com', 'com', 'de'] as const;

/** One customer in so many. */
const NEVER_PROVEN_EVERY = 5;

const OWNER = {
  type: 'person',
  salutation: 'none',
  first_name: 'Kim',
  last_name: 'Owner',
  street: 'Long Street',
  house_number: '1',
  zip: '10115',
  city: 'Berlin',
  country: 'DE',
  phone: '+4930123456',
};

/** What a customer does with domains. No name is ever used twice, so that a name is one registration. */
export class Registrant {
  readonly #world: World;
  readonly #api: Api;
  readonly #random: Random;
  readonly #token: string;
  readonly #number: number;
  #names: string[] = [];
  #codes: { name: string; code: string }[] = [];
  #made = 0;

  constructor(world: World, api: Api, random: Random, token: string, number: number) {
    this.#world = world;
    this.#api = api;
    this.#random = random;
    this.#token = token;
    this.#number = number;
  }

  /** Does one thing. */
  async act(): Promise<void> {
    const wishes: Readonly<Record<Wish, () => Promise<void>>> = {
      register: () => this.#register(),
      registerMany: () => this.#registerMany(),
      arrive: () => this.#arrive(),
      renew: () => this.#further('renew'),
      restore: () => this.#further('restore'),
      cancel: () => this.#cancel(),
      settings: () => this.#settings(),
      leave: () => this.#leave(),
      object: () => this.#object(),
      goElsewhere: () => this.#goElsewhere(),
    };
    await wishes[this.#random.weighted(WISHES)]();
  }

  /** Some never follow the link that their registries want them to: their domains are off after a while. */
  async #has(...names: readonly string[]): Promise<void> {
    this.#names.push(...names);
    if (this.#number % NEVER_PROVEN_EVERY === 0) return;
    await this.#world.pool.pg.query("UPDATE contacts SET verification = 'verified' WHERE email = $1", [
      this.#email,
    ]);
  }

  get #email(): string {
    return `customer${this.#number}@example.com`;
  }

  #newName(tld: string = this.#random.pick(TLDS)): string {
    this.#made += 1;
    return `simulated-${this.#number}-${this.#made}.${tld}`;
  }

  /** What every order says of whose it is to be. */
  #order() {
    const email = this.#email;
    const auto_renew = this.#random.chance(0.7);
    return { contacts: { owner: { ...OWNER, email } }, tos: true, cancellation: true, auto_renew };
  }

  async #register(): Promise<void> {
    const domain = this.#newName();
    const period = this.#random.pick([1, 1, 2]);
    const { data } = await this.#api.call('domain/order', this.#token, { ...this.#order(), domain, period });
    if (data !== null) await this.#has(domain);
  }

  async #registerMany(): Promise<void> {
    const names = Array.from({ length: this.#random.between(2, 4) }, () => ({ domain: this.#newName() }));
    const { data } = await this.#api.call('domain/order-many', this.#token, { ...this.#order(), names });
    if (data !== null) await this.#has(...names.map(({ domain }) => domain));
  }

  /** From a rival, who lets it go, or does not. */
  async #arrive(): Promise<void> {
    const { rival } = this.#world.ports;
    const domain = this.#newName('com');
    const code = await rival.register(domain);
    if (!code.ok) throw new Error(`the rival got no ${domain}: ${code.reason}`);
    const order = { ...this.#order(), action: 'transfer', domain, authcode: code.data };
    const { data } = await this.#api.call('domain/order', this.#token, order);
    if (data !== null) await this.#has(domain);
  }

  async #further(action: 'renew' | 'restore'): Promise<void> {
    const domain = this.#one();
    if (domain === null) return;
    const auto_renew = this.#random.chance(0.7);
    const order = { action, domain, auto_renew, tos: true, cancellation: true };
    await this.#api.call('domain/order', this.#token, order);
  }

  async #cancel(): Promise<void> {
    const domain = this.#one();
    if (domain === null) return;
    const mode = this.#random.pick(['end_of_term', 'end_of_term', 'immediate', 'withdraw', 'revoke']);
    const confirm = mode === 'revoke' ? {} : { confirm: domain };
    await this.#api.call('domain/cancel', this.#token, { domain, mode, ...confirm });
  }

  async #settings(): Promise<void> {
    const domain = this.#one();
    if (domain === null) return;
    const settings = { auto_renew: this.#random.chance(0.6), transfer_lock: this.#random.chance(0.6) };
    await this.#api.call('domain/settings', this.#token, { domain, ...settings });
  }

  /** Takes the code, to go to a rival with it some day, if it still holds then. */
  async #leave(): Promise<void> {
    const name = this.#one();
    if (name === null || !name.endsWith('.com')) return;
    const { data } = await this.#api.call('domain/authcode', this.#token, { domain: name, unlock: true });
    if (data?.authcode) this.#codes.push({ name, code: data.authcode });
  }

  async #goElsewhere(): Promise<void> {
    const going = this.#codes.shift();
    // What the registry says to the rival is between the two.
    if (going !== undefined) await this.#world.ports.rival.request(going.name, going.code);
  }

  async #object(): Promise<void> {
    const domain = this.#one();
    if (domain === null) return;
    await this.#api.call('domain/transfer-answer', this.#token, { domain, answer: 'reject' });
  }

  #one(): string | null {
    return this.#names.length === 0 ? null : this.#random.pick(this.#names);
  }
}
