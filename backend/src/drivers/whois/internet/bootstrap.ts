import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { contains, type Network, readAddress, readNetwork } from '../../../base/network.ts';
import type { OutboundOptions } from '../../../base/outbound.ts';
import { type Instant, isBefore } from '../../../base/time.ts';
import type { WhoisQuestion } from '../port.ts';
import type { Deadline } from './deadline.ts';
import { fetchDocument } from './document.ts';

const IANA = 'https://data.iana.org/rdap/';
const KEPT = { hours: 24 };
/** After a failure: how long the list of before is good enough. */
const RETRIED = { hours: 1 };
/** A first question does not wait longer for the list, nor more than half of its time; there is a copy. */
const PATIENCE_MS = 2_000;

type Kind = 'dns' | 'ipv4' | 'ipv6' | 'asn';

/** RFC 9224 §3: which names or numbers are asked for at which base addresses. */
const Registry = z.object({
  publication: z.string(),
  services: z.array(z.tuple([z.array(z.string()), z.array(z.string())])).min(1),
});

interface Known {
  readonly services: z.infer<typeof Registry>['services'];
  readonly until: Instant;
}

export interface BootstrapOptions {
  readonly clock: Clock;
  readonly outbound: OutboundOptions;
  /** Instead of IANA's. */
  readonly bootstrapUrl?: string;
}

/**
 * IANA's lists of RDAP servers (RFC 9224), fetched once a day. Until one is here, and while IANA does not answer, the
 * copies beside this file hold, which scripts/update-rdap-bootstrap.ts brings.
 */
export class Bootstrap {
  readonly #options: BootstrapOptions;
  readonly #known = new Map<Kind, Known>();
  readonly #loading = new Map<Kind, Promise<Known>>();

  constructor(options: BootstrapOptions) {
    this.#options = options;
  }

  /** The base address (https, with a slash at its end) of who knows about this; null where nobody does by RDAP. */
  async serverOf(question: WhoisQuestion, deadline: Deadline): Promise<string | null> {
    const kind = question.type === 'domain' ? 'dns' : question.type;
    const services = await this.#services(kind, deadline.share(0.5).atMost(PATIENCE_MS));
    const found = bestFor(question, services)?.find((address) => address.startsWith('https://'));
    return found === undefined ? null : found.replace(/\/*$/, '/');
  }

  async #services(kind: Kind, deadline: Deadline): Promise<Known['services']> {
    const known = this.#known.get(kind);
    if (known !== undefined && isBefore(this.#options.clock.now(), known.until)) return known.services;
    // Many questions may come at once; IANA gets one.
    const loading = this.#loading.get(kind) ?? this.#load(kind, known ?? null, deadline);
    this.#loading.set(kind, loading);
    return (await loading).services;
  }

  async #load(kind: Kind, before: Known | null, deadline: Deadline): Promise<Known> {
    const fetched = await this.#fetch(kind, deadline);
    const services = fetched ?? before?.services ?? copyOf(kind);
    const loaded = { services, until: this.#options.clock.now().add(fetched === null ? RETRIED : KEPT) };
    this.#known.set(kind, loaded);
    this.#loading.delete(kind);
    return loaded;
  }

  /** null: IANA, or the way to it, is down. */
  async #fetch(kind: Kind, deadline: Deadline): Promise<Known['services'] | null> {
    const { outbound, bootstrapUrl = IANA } = this.#options;
    try {
      const address = `${bootstrapUrl}${kind}.json`;
      const { status, text } = await fetchDocument(address, 'application/json', deadline, outbound);
      return status === 200 ? Registry.parse(JSON.parse(text)).services : null;
    } catch {
      return null;
    }
  }
}

function copyOf(kind: Kind): Known['services'] {
  const copy = readFileSync(new URL(`bootstrap/${kind}.json`, import.meta.url), 'utf8');
  return Registry.parse(JSON.parse(copy)).services;
}

/** The addresses of the narrowest entry that holds what is asked about: most labels, longest prefix. */
function bestFor(question: WhoisQuestion, services: Known['services']): readonly string[] | null {
  let best: { narrowness: number; addresses: readonly string[] } | null = null;
  const matches = matcherFor(question);
  for (const [entries, addresses] of services) {
    for (const entry of entries) {
      const narrowness = matches(entry);
      if (narrowness !== null && narrowness > (best?.narrowness ?? -1)) best = { narrowness, addresses };
    }
  }
  return best?.addresses ?? null;
}

function matcherFor(question: WhoisQuestion): (entry: string) => number | null {
  switch (question.type) {
    case 'domain':
      return (entry) =>
        `.${question.name}`.endsWith(`.${entry.toLowerCase()}`) ? entry.split('.').length : null;
    case 'asn':
      return (entry) => {
        const [first = Number.NaN, last = first] = entry.split('-').map(Number);
        return question.number >= first && question.number <= last ? first - last + 2 ** 32 : null;
      };
    default: {
      const address = readAddress(question.address);
      return (entry) => {
        const network: Network | null = readNetwork(entry);
        return address !== null && network !== null && contains(network, address) ? network.prefix : null;
      };
    }
  }
}
