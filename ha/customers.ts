import { Agent, request } from 'node:http';
import { type Json, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../acceptance/json.ts';
import type { Site } from './site.ts';

export interface Customer {
  /** The account's uuid. */
  readonly account: string;
  readonly token: string;
}

/** What came of one request: an answer with a status, or the reason why there is none. */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Json }
  /** The proxy's own words: it had no API process to ask. */
  | { readonly kind: 'turned-away'; readonly status: number }
  | { readonly kind: 'unanswered'; readonly reason: string };

/** Enough for all that is ordered. */
const BALANCE = '1000000.00';
/** A client waits for no answer longer than this, and then asks again. */
const PATIENCE_MS = 20_000;

export async function openCustomers(site: Site, count: number): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (let number = 1; number <= count; number += 1) {
    const email = `customer-${number}@example.com`;
    const account = await site.command('customer', 'create', '--email', email, '--balance', BALANCE);
    customers.push({ account, token: await site.command('token', 'create', '--customer', email) });
  }
  return customers;
}

/** Requests to one address, over connections that are kept. */
export class Api {
  readonly #base: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 128 });

  constructor(base: string) {
    this.#base = base;
  }

  call(method: string, path: string, token: string, body: Json, key?: string): Promise<Answer> {
    const bytes = Buffer.from(JSON.stringify(body));
    return new Promise((resolve) => {
      const outgoing = request(`${this.#base}/api/v2/${path}`, {
        method,
        agent: this.#agent,
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': bytes.byteLength,
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
      });
      const unanswered = (error: Error & { code?: string }) =>
        resolve({
          kind: 'unanswered',
          reason: error.name === 'AbortError' ? 'no answer in time' : (error.code ?? error.message),
        });
      outgoing.on('error', unanswered);
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('error', unanswered);
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const status = incoming.statusCode ?? 0;
          const text = Buffer.concat(chunks).toString('utf8');
          const isProxy = incoming.headers['content-type'] === 'text/html' && text.startsWith('<html>');
          resolve(
            isProxy ? { kind: 'turned-away', status } : { kind: 'answered', status, body: parsed(text) },
          );
        });
      });
      outgoing.end(bytes);
    });
  }

  /** The payload of a read, which is asked for until it is answered. */
  async read(path: string, token: string, body: Json): Promise<JsonObject> {
    let last: Answer = { kind: 'unanswered', reason: 'never asked' };
    for (let attempt = 0; attempt < 20; attempt += 1) {
      last = await this.call('GET', path, token, body);
      if (last.kind === 'answered' && last.status === 200) return objectAt(last.body, '/data');
    }
    throw new Error(`${path}: ${JSON.stringify(last)}`);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Null where it is not JSON. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/** What is ordered: the cheapest license, and the cheapest server of each host that has one. */
export interface Offers {
  readonly license: JsonObject;
  readonly servers: readonly JsonObject[];
}

export async function readOffers(api: Api, { token }: Customer): Promise<Offers> {
  const consent = { duration: 1, tos: true, cancellation: true };
  const cheapest = (list: Json[]) =>
    list
      .map((entry) => objectAt(entry, ''))
      .toSorted((a, b) => numberAt(a, '/pricings/month') - numberAt(b, '/pricings/month'));
  const [packages, prices, systems] = await Promise.all([
    api.read('panel/packages', token, { per_page: 100 }),
    api.read('server/prices', token, {}),
    api.read('server/os', token, {}),
  ]);
  const [license] = cheapest(listAt(packages, '/packages'));
  if (license === undefined) throw new Error('no license is sold');
  const servers = new Map<string, JsonObject>();
  for (const pack of cheapest(listAt(prices, '/packages'))) {
    const host = stringAt(pack, '/host');
    const os = listAt(systems, '/os').find(
      (system) =>
        numberAt(system, '/license_price') === 0 &&
        numberAt(system, '/min_cores') <= numberAt(pack, '/cores') &&
        numberAt(system, '/min_memory') <= numberAt(pack, '/memory') &&
        numberAt(system, '/min_disk') <= numberAt(pack, '/disk'),
    );
    if (os === undefined || servers.has(host)) continue;
    servers.set(host, {
      ...consent,
      host,
      pack_uuid: stringAt(pack, '/pack_uuid'),
      os: stringAt(os, '/name'),
    });
  }
  return {
    license: { ...consent, pack_uuid: stringAt(license, '/uuid'), discount_code: '' },
    servers: [...servers.values()],
  };
}
