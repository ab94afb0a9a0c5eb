import { setTimeout as pause } from 'node:timers/promises';
import { at, isObject, type Json, type JsonObject, numberAt, stringAt } from '../acceptance/json.ts';
import type { Answer, Api, Customer, Offers } from './customers.ts';
import type { Random } from './random.ts';

/** An order that a client means to have once, however often it has to ask. */
export interface Order {
  readonly key: string;
  readonly customer: Customer;
  readonly product: 'license' | 'server';
  readonly body: JsonObject;
  /** The answers, or reasons why there was none, before the one that decided. */
  attempts: number;
  acknowledged: Acknowledgement | null;
  /** The refusal that the client took for an answer. */
  refused: string | null;
}

/** What the client was told: from then on it is owed. */
export interface Acknowledgement {
  readonly orderId: string;
  readonly serviceId: string;
  readonly grossMinor: number;
  /** When the answer came, by this process's monotonic clock. */
  readonly at: number;
}

export interface OrdersOptions {
  readonly api: Api;
  readonly customers: readonly Customer[];
  readonly offers: Offers;
  readonly random: Random;
  readonly clients: number;
  readonly perSecond: number;
  /** One in so many orders is one of a server. */
  readonly serverEvery: number;
}

const DECISION_LIMIT_MS = 240_000;
const LONGEST_PAUSE_MS = 2_000;

/** Clients that order, and that ask again with the same key until they know. */
export class Orders {
  readonly all: Order[] = [];
  readonly #options: OrdersOptions;
  readonly #run: string;
  #answers = new Map<string, number>();
  #nextSlot = 0;
  #awaited: { count: number; resolve: () => void } | null = null;

  constructor(options: OrdersOptions, run: string) {
    this.#options = options;
    this.#run = run;
  }

  get acknowledged(): Order[] {
    return this.all.filter((order) => order.acknowledged !== null);
  }

  /** Neither acknowledged nor refused: the client gave up asking. */
  get undecided(): Order[] {
    return this.all.filter((order) => order.acknowledged === null && order.refused === null);
  }

  /** Answers since this was last asked that are no answer of the interface. */
  get strangeAnswers(): string[] {
    const strange = [...this.#answers].filter(([name]) => name.endsWith(NO_ERROR_BODY));
    return strange.map(([name, count]) => `${count} answers ${name}`);
  }

  /** Answers by their status since this was last asked. */
  takeAnswers(): Map<string, number> {
    const answers = this.#answers;
    this.#answers = new Map();
    return answers;
  }

  /** Orders until `enough`; every order begun is then asked for to its end. */
  async place(enough: () => boolean): Promise<void> {
    const client = async () => {
      while (!enough()) {
        await this.#slot();
        if (!enough()) await this.decide(this.#next());
      }
    };
    await Promise.all(Array.from({ length: this.#options.clients }, client));
  }

  /** When so many orders have been begun. */
  reached(count: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.all.length >= count) resolve();
      else this.#awaited = { count, resolve };
    });
  }

  /** Asks until the answer says what became of the order, or patience ends. */
  async decide(order: Order): Promise<void> {
    const deadline = performance.now() + DECISION_LIMIT_MS;
    for (let wait = 50; performance.now() < deadline; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      const answer = await this.ask(order);
      if (answer.kind === 'answered' && answer.status >= 200 && answer.status < 300) {
        order.acknowledged = acknowledgement(order, answer.body);
        return;
      }
      if (isRefusal(answer)) {
        order.refused = nameOf(answer);
        return;
      }
      order.attempts += 1;
      await pause(wait * (0.5 + this.#options.random.fraction() / 2));
    }
  }

  /** One request, with the order's key. */
  async ask({ product, customer, body, key }: Order): Promise<Answer> {
    const path = product === 'license' ? 'panel/order' : 'server/order';
    const answer = await this.#options.api.call('POST', path, customer.token, body, key);
    const name = nameOf(answer);
    this.#answers.set(name, (this.#answers.get(name) ?? 0) + 1);
    return answer;
  }

  /** Whether the same key is still answered by the same order. */
  async repeatsItself(order: Order): Promise<boolean> {
    const answer = await this.ask(order);
    if (answer.kind !== 'answered' || answer.status >= 300) return false;
    return acknowledgement(order, answer.body).orderId === order.acknowledged?.orderId;
  }

  #next(): Order {
    const { customers, offers, random, serverEvery } = this.#options;
    const number = this.all.length;
    const isServer = number % serverEvery === serverEvery - 1;
    const order: Order = {
      key: `${this.#run}-${number}`,
      customer: random.pick(customers),
      product: isServer ? 'server' : 'license',
      body: isServer
        ? { ...random.pick(offers.servers), hostname: `server-${number}.example.com` }
        : offers.license,
      attempts: 0,
      acknowledged: null,
      refused: null,
    };
    this.all.push(order);
    if (this.#awaited !== null && this.all.length >= this.#awaited.count) this.#awaited.resolve();
    return order;
  }

  /** Evenly spaced, so that a fault meets orders under way and not the end of a rush. */
  async #slot(): Promise<void> {
    const now = performance.now();
    this.#nextSlot = Math.max(now, this.#nextSlot + 1000 / this.#options.perSecond);
    if (this.#nextSlot > now) await pause(this.#nextSlot - now);
  }
}

function acknowledgement({ product }: Order, body: Json): Acknowledgement {
  return {
    orderId: stringAt(body, '/data/order_id'),
    serviceId: stringAt(body, product === 'license' ? '/data/license_uuid' : '/data/server_uuid'),
    grossMinor: numberAt(body, '/data/charged/gross_minor'),
    at: performance.now(),
  };
}

/** `200`, `503 backend_unavailable`, `ECONNRESET`, … */
function nameOf(answer: Answer): string {
  if (answer.kind === 'unanswered') return answer.reason;
  if (answer.kind === 'turned-away') return `${answer.status} of the proxy`;
  if (answer.status < 300) return String(answer.status);
  return `${answer.status} ${isErrorBody(answer.body) ? stringAt(answer.body, '/error') : NO_ERROR_BODY}`;
}

const NO_ERROR_BODY = 'without the error body';

/** Whether it is the body that every error of the interface has. */
function isErrorBody(body: Json): boolean {
  if (body === null || !isObject(body)) return false;
  return typeof body.error === 'string' && typeof body.request_id === 'string';
}

/** The client's own fault, or a decision against the order; everything else is asked for again. */
function isRefusal(answer: Answer): boolean {
  if (answer.kind !== 'answered' || answer.status >= 500 || answer.status === 429) return false;
  return !(isErrorBody(answer.body) && at(answer.body, '/retryable') === true);
}
