import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { BackendUnavailable } from '../../outcome.ts';
import type { Resolver } from '../port.ts';

const findTexts = statement<{ value: string }>(
  'sandbox_texts',
  "SELECT value FROM sandbox.names WHERE name = $1 AND type = 'TXT' ORDER BY value",
);
const findAddresses = statement<{ value: string }>(
  'sandbox_addresses',
  "SELECT value FROM sandbox.names WHERE name = $1 AND type IN ('A', 'AAAA') ORDER BY type, value",
);

/** A record with this text makes the name servers of its name not answer. */
const BROKEN = 'SERVFAIL';

/**
 * A DNS in this process, for the demonstration and for tests: what it says follows from the name alone. A name that
 * begins with `missing` is not there, one that begins with `timeout` is not answered; every other host has two
 * documentation addresses, every address a name, and every network is of one autonomous system. A, AAAA and TXT
 * records can be inserted as rows of `sandbox.names`. See docs/guides/sandbox.md.
 */
export class SandboxResolver implements Resolver {
  readonly #db: Executor;

  constructor(db: Executor) {
    this.#db = db;
  }

  async addresses(name: string): Promise<readonly string[]> {
    if (!answers(name)) return [];
    const given = await this.#db.run(findAddresses, [name.toLowerCase()]);
    if (given.length > 0) return given.map(({ value }) => value);
    const host = 1 + (sumOf(name) % 254);
    return [`203.0.113.${host}`, `2001:db8::${host.toString(16)}`];
  }

  async pointers(name: string): Promise<readonly string[]> {
    return answers(name) ? [`host-${sumOf(name)}.sandbox.example`] : [];
  }

  async nameservers(zone: string): Promise<readonly string[]> {
    return answers(zone) ? ['ns1.sandbox.example', 'ns2.sandbox.example'] : [];
  }

  async texts(name: string): Promise<readonly string[]> {
    if (!answers(name)) return [];
    const given = await this.#db.run(findTexts, [name.toLowerCase()]);
    if (given.some(({ value }) => value === BROKEN)) throw new BackendUnavailable('sandbox resolver');
    if (given.length > 0) return given.map(({ value }) => value);
    const origin = /^(.+)\.origin6?\.asn\.cymru\.com$/.test(name);
    if (origin) return ['64500 | 0.0.0.0/0 | DE | sandbox | 2027-01-01'];
    return /^AS\d+\.asn\.cymru\.com$/.test(name)
      ? ['64500 | DE | sandbox | 2027-01-01 | SANDBOX - Sandbox Networks, DE']
      : ['sandbox'];
  }
}

function answers(name: string): boolean {
  if (name.startsWith('timeout')) throw new BackendUnavailable('sandbox resolver');
  return !name.startsWith('missing');
}

function sumOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_536, 7);
}
