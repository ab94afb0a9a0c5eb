import { randomUUID } from 'node:crypto';
import { readableCode } from '../src/base/readable-code.ts';
import type { Instant } from '../src/base/time.ts';
import poll from '../src/business/domains/convergence/poll.job.ts';
import follow from '../src/business/domains/transfer/follow-transfers.job.ts';
import serviceLifecycle from '../src/business/selling/subscriptions/renewal/lifecycle.job.ts';
import { SandboxDelegation } from '../src/drivers/dns/delegation/sandbox.ts';
import type { RegistrarDriver } from '../src/drivers/registry/port.ts';
import { SandboxRegistry } from '../src/drivers/registry/sandbox/registry.ts';
import type { Customer } from './fixture.ts';
import { openRequests } from './requests.ts';
import { type ChangeCatalog, openServers } from './servers.ts';

/** A contact that every TLD of the small catalogue takes. */
export const OWNER = {
  type: 'person',
  salutation: 'none',
  first_name: 'Erika',
  last_name: 'Muster',
  street: 'Beispielweg',
  house_number: '1',
  zip: '60311',
  city: 'Frankfurt am Main',
  country: 'DE',
  phone: '+496912345678',
  email: 'erika@example.com',
};

export const DOMAIN_ORDER = { contacts: { owner: OWNER }, period: 1, tos: true, cancellation: true };

/** A domain with its service, as the books have it. */
interface DomainRow {
  readonly id: string;
  readonly state: string;
  readonly service_state: string;
  readonly auto_renew: boolean;
  readonly expire_at: Instant;
  readonly delete_at: Instant | null;
  readonly registry_expire_at: Instant | null;
  readonly registered_at: Instant | null;
  readonly statuses: readonly string[];
  readonly premium_renewal: bigint | null;
}

/**
 * {@link openServers} with domains: requests that ask the sandbox registry, a rival registrar at the same registry,
 * and time that passes as it would for all of them.
 */
export async function openDomains(change: ChangeCatalog = () => {}) {
  const servers = await openServers(change);
  const { pool, clock, ports, sandbox } = servers;
  const delegation = new SandboxDelegation();
  const requests = openRequests(servers, { ports: { registry: ports.registry, delegation } as never });
  const rival: RegistrarDriver = new SandboxRegistry({ db: sandbox, clock, registrar: 'rival' });

  /** One who has proved the address of {@link OWNER}, so that nothing waits for that. */
  async function customer(balance: bigint): Promise<Customer> {
    const who = await servers.customer(balance);
    await pool.pg.query(
      `INSERT INTO contacts (id, account_id, handle, type, salutation, first_name, last_name, street, house_number, zip,
         city, country, phone, email, language, verification, created_at, updated_at)
       VALUES ($1, $2, $3, 'person', 'none', 'Erika', 'Muster', 'Beispielweg', '1', '60311', 'Frankfurt', 'DE',
         '+496912345678', $4, 'en', 'verified', $5, $5)`,
      [randomUUID(), who.accountId, `HK-${readableCode(13)}`, OWNER.email, clock.now()],
    );
    return who;
  }

  /** The answer's data of an order that must be accepted. */
  async function order(who: Customer, input: { domain: string } & Record<string, unknown>) {
    const received = await requests.call(
      'domain/order',
      { ...(input.action === undefined ? DOMAIN_ORDER : { tos: true, cancellation: true }), ...input },
      { token: who.secret },
    );
    if (received.status >= 300) throw new Error(received.text);
    return received.body.data;
  }

  /** Registers a domain; its uuid. */
  async function register(who: Customer, domain: string, input: object = {}): Promise<string> {
    const { domain_uuid } = await order(who, { domain, ...input });
    await servers.work();
    return domain_uuid;
  }

  async function domain(id: string): Promise<DomainRow> {
    const { rows } = await pool.pg.query<DomainRow>(
      `SELECT v.*, s.state AS service_state, s.auto_renew, s.expire_at, s.delete_at
       FROM domains v JOIN services s ON s.id = v.id WHERE v.id = $1`,
      [id],
    );
    const [row] = rows;
    if (row === undefined) throw new Error(`there is no domain ${id}`);
    return row;
  }

  /** What happens by itself at this moment: at the registry, to services, and the work that comes of it. */
  async function live(): Promise<void> {
    await servers.run(poll);
    await servers.run(follow);
    await servers.run(serviceLifecycle);
    await servers.work();
  }

  /** Goes to a moment, a step at a time. */
  async function travel(to: Instant, step: { hours: number } = { hours: 24 }): Promise<void> {
    while (Temporal.Instant.compare(clock.now(), to) < 0) {
      const next = clock.now().add(step);
      clock.set(Temporal.Instant.compare(next, to) < 0 ? next : to);
      await live();
    }
  }

  /** Types of an account's events, in order. */
  async function events(who: Customer, prefix = 'domain.'): Promise<string[]> {
    const { rows } = await pool.pg.query<{ type: string }>(
      'SELECT type FROM events WHERE account_id = $1 AND type LIKE $2 ORDER BY sequence',
      [who.accountId, `${prefix}%`],
    );
    return rows.map(({ type }) => type);
  }

  async function mails(who: Customer, template: string): Promise<readonly object[]> {
    const { rows } = await pool.pg.query<{ variables: object }>(
      'SELECT variables FROM mails WHERE account_id = $1 AND template = $2 ORDER BY created_at, id',
      [who.accountId, template],
    );
    return rows.map(({ variables }) => variables);
  }

  /** What the registry charged us for a domain, and paid back. */
  async function charges(name: string): Promise<string[]> {
    const { rows } = await pool.pg.query<{ kind: string; years: number }>(
      "SELECT kind, years FROM sandbox.registry_charges WHERE domain = $1 AND registrar = 'hostkeep' ORDER BY id",
      [name],
    );
    return rows.map(({ kind }) => kind);
  }

  /** What is to go wrong at the registry. */
  async function fault(command: string, kind: string, remaining = 1): Promise<void> {
    await pool.pg.query(
      'INSERT INTO sandbox.registry_faults (command, fault, remaining) VALUES ($1, $2, $3)',
      [command, kind, remaining],
    );
  }

  return {
    ...servers,
    customer,
    requests,
    rival,
    order,
    orderServer: servers.order,
    register,
    domain,
    live,
    travel,
    events,
    mails,
    charges,
    fault,
  };
}

export type Domains = Awaited<ReturnType<typeof openDomains>>;
