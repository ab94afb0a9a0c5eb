import type { Clock } from '../../../base/clock.ts';
import {
  type WhoisDirectory,
  WhoisFailure,
  type WhoisQuestion,
  type WhoisRecord,
  type WhoisSource,
} from '../port.ts';

const SERVERS = { rdap: 'rdap.sandbox.example', whois: 'whois.sandbox.example' };

/**
 * Registries in this process, for the demonstration and for tests: what they say follows from the question alone. A
 * domain that begins with `free` is not registered, of one that begins with `failing` nothing can be said, and all
 * else is registered. See docs/guides/sandbox.md.
 */
export class SandboxWhois implements WhoisDirectory {
  readonly #clock: Clock;

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  async lookup(question: WhoisQuestion, wanted: WhoisSource): Promise<WhoisRecord> {
    const source = wanted === 'whois' ? 'whois' : 'rdap';
    const server = SERVERS[source];
    if (question.type === 'domain' && question.name.startsWith('failing')) {
      throw new WhoisFailure(server, 'the sandbox fails for names like this');
    }
    const answer = question.type === 'domain' ? domain(question.name) : numbers(question);
    const told = { source, server, ...NOTHING, ...answer } as const;
    const raw =
      source === 'rdap' ? JSON.stringify({ sandbox: asked(question) }) : `Sandbox: ${asked(question)}\r\n`;
    return { ...told, raw, fetchedAt: this.#clock.now(), cached: false };
  }
}

type Told = Omit<WhoisRecord, 'source' | 'server' | 'raw' | 'fetchedAt' | 'cached'>;

const NOTHING: Told = {
  registered: false,
  registrar: null,
  status: [],
  nameservers: [],
  dnssec: null,
  createdAt: null,
  updatedAt: null,
  expireAt: null,
  network: null,
};

function domain(name: string): Partial<Told> {
  if (name.startsWith('free')) return NOTHING;
  return {
    registered: true,
    registrar: {
      name: 'Sandbox Registrar',
      ianaId: 9999,
      url: 'https://registrar.sandbox.example',
      abuseEmail: 'abuse@registrar.sandbox.example',
      abusePhone: '+49.30901820',
    },
    status: ['client transfer prohibited'],
    nameservers: ['ns1.sandbox.example', 'ns2.sandbox.example'],
    dnssec: false,
    createdAt: Temporal.Instant.from('2020-01-15T12:00:00Z'),
    updatedAt: Temporal.Instant.from('2026-01-15T12:00:00Z'),
    expireAt: Temporal.Instant.from('2030-01-15T12:00:00Z'),
  };
}

function numbers(question: Exclude<WhoisQuestion, { type: 'domain' }>): Partial<Told> {
  const cidr =
    question.type === 'asn'
      ? `AS${question.number}`
      : question.type === 'ipv4'
        ? `${question.address.split('.').slice(0, 2).join('.')}.0.0/16`
        : `${question.address.split(':')[0] || '0'}::/16`;
  return { registered: true, status: ['active'], network: { cidr, name: 'SANDBOX', country: 'DE' } };
}

function asked(question: WhoisQuestion): string {
  switch (question.type) {
    case 'domain':
      return question.name;
    case 'asn':
      return `AS${question.number}`;
    default:
      return question.address;
  }
}
