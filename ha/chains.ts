import { createHash } from 'node:crypto';
import { type JsonObject, numberAt, stringAt } from '../acceptance/json.ts';
import type { Api, Customer } from './customers.ts';

const LINES_AT_ONCE = 1000;
const BEFORE_THE_FIRST = '0'.repeat(64);

interface Link {
  readonly seq: number;
  readonly hash: string;
}

/**
 * The ledgers of customers as they can take them away, verified line by line as the guide says. Each time it goes on
 * from where it was, so that a past that has changed shows too.
 */
export class Chains {
  readonly #api: Api;
  readonly #newest = new Map<string, Link>();

  constructor(api: Api) {
    this.#api = api;
  }

  /** What does not fit; empty when every chain is whole. */
  async problems(customers: readonly Customer[]): Promise<string[]> {
    const found = await Promise.all(customers.map((customer) => this.#follow(customer)));
    return found.filter((problem) => problem !== null);
  }

  async #follow({ account, token }: Customer): Promise<string | null> {
    let newest = this.#newest.get(account) ?? { seq: 0, hash: BEFORE_THE_FIRST };
    for (;;) {
      const page = await this.#api.read('account/ledger', token, {
        from_seq: newest.seq + 1,
        per_page: LINES_AT_ONCE,
        format: 'file',
      });
      const lines = entriesOf(page);
      for (const line of lines) {
        const [, before, , seq] = JSON.parse(line) as unknown[];
        if (before !== newest.hash || seq !== String(newest.seq + 1)) {
          return `the ledger of ${account} does not go on from entry ${newest.seq} as it was`;
        }
        newest = { seq: newest.seq + 1, hash: createHash('sha256').update(line).digest('hex') };
      }
      this.#newest.set(account, newest);
      const head = { seq: numberAt(page, '/head/seq'), hash: stringAt(page, '/head/hash') };
      if (head.seq < newest.seq)
        return `the ledger of ${account} ends at ${head.seq} and had ${newest.seq} entries`;
      if (lines.length === 0 && head.seq > newest.seq)
        return `the ledger of ${account} stops before its head`;
      if (head.seq === newest.seq) {
        return head.hash === newest.hash
          ? null
          : `the head of ${account} is not the hash of entry ${head.seq}`;
      }
    }
  }
}

/** Without the file's first and last lines, which are objects. */
function entriesOf(page: JsonObject): string[] {
  return stringAt(page, '/file')
    .split('\n')
    .filter((line) => line.startsWith('['));
}
