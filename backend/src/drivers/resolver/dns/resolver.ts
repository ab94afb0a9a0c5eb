import dns from 'node:dns';
import { Resolver as NodeResolver } from 'node:dns/promises';
import { BackendUnavailable } from '../../outcome.ts';
import type { Resolver } from '../port.ts';

const TRIES = 2;
/** The name is not there, or has no record of this type: an answer. */
const NOTHING: ReadonlySet<unknown> = new Set([dns.NOTFOUND, dns.NODATA]);

/** Asks recursive resolvers by DNS, in turn. */
export class DnsResolver implements Resolver {
  readonly #servers: readonly string[];

  /** `servers`: IP addresses, with a port in the form of RFC 5952 §6 if it is not 53. */
  constructor(servers: readonly string[]) {
    this.#servers = servers;
  }

  async addresses(name: string, deadlineMs: number): Promise<readonly string[]> {
    return await this.#ask(deadlineMs, async (resolver) => {
      const answers = await Promise.allSettled([
        unlessNothing(resolver.resolve4(name)),
        unlessNothing(resolver.resolve6(name)),
      ]);
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      const failed = answers.find((answer) => answer.status === 'rejected');
      // Half an answer with addresses is one; without, there might be some.
      if (found.length === 0 && failed !== undefined) throw failed.reason;
      return found;
    });
  }

  /** Not node's reverse(), which looks into the machine's hosts file first. */
  async pointers(name: string, deadlineMs: number): Promise<readonly string[]> {
    const found = await this.#ask(deadlineMs, (resolver) => unlessNothing(resolver.resolvePtr(name)));
    return found.map((pointer) => pointer.replace(/\.$/, '').toLowerCase());
  }

  async texts(name: string, deadlineMs: number): Promise<readonly string[]> {
    const found = await this.#ask(deadlineMs, (resolver) => unlessNothing(resolver.resolveTxt(name)));
    return found.map((parts) => parts.join(''));
  }

  async nameservers(zone: string, deadlineMs: number): Promise<readonly string[]> {
    const found = await this.#ask(deadlineMs, (resolver) => unlessNothing(resolver.resolveNs(zone)));
    return found.map((host) => host.replace(/\.$/, '').toLowerCase());
  }

  /** A resolver for each question: to cancel one is to cancel all that it was asked. */
  async #ask<T>(deadlineMs: number, question: (resolver: NodeResolver) => Promise<T>): Promise<T> {
    const resolver = new NodeResolver({ timeout: Math.max(1, Math.ceil(deadlineMs / TRIES)), tries: TRIES });
    resolver.setServers(this.#servers);
    const timer = setTimeout(() => resolver.cancel(), deadlineMs);
    try {
      return await question(resolver);
    } catch (error) {
      throw new BackendUnavailable('the DNS resolver', error);
    } finally {
      clearTimeout(timer);
    }
  }
}

async function unlessNothing<T>(answer: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await answer;
  } catch (error) {
    if (NOTHING.has((error as NodeJS.ErrnoException).code)) return [];
    throw error;
  }
}
