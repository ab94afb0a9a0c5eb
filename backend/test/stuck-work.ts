import assert from 'node:assert/strict';
import type { Customer } from './fixture.ts';
import { openRequests, staffToken } from './requests.ts';
import type { Servers } from './servers.ts';

type Site = Parameters<typeof openRequests>[0] & Pick<Servers, 'queue'>;

/**
 * Work that does not end because its back end does not answer: what its customer sees of it, what an operator does about
 * it, and what is left of it in the books and in the queue of a fixture.
 */
export async function openStuckWork(site: Site, ports: object) {
  const { pool, queue, clock } = site;
  const requests = openRequests(site, { ports: ports as never });
  const staff = await staffToken(site);

  /** The answer's data of an operator who ends it. */
  const cancel = (uuid: string, input: object = {}) =>
    requests.data('staff/task-cancel', { uuid, ...input }, { token: staff });

  /** How many jobs an operator starts who tries it again. */
  const retry = async (uuid: string): Promise<number> =>
    (await requests.data('staff/task-retry', { uuid }, { token: staff })).jobs;

  /** There is nothing by this uuid that an operator could end. */
  const isOver = (uuid: string) =>
    requests.refused('not_found', 'staff/task-cancel', { uuid }, { token: staff });

  async function taskOf({ secret: token }: Pick<Customer, 'secret'>, uuid: string, locale = 'en') {
    const headers = { 'accept-language': locale };
    return (await requests.data('task/details', { uuid }, { token, headers })).task;
  }

  /** The data of a request whose work begins. */
  async function accepted(path: string, input: object, { secret: token }: Pick<Customer, 'secret'>) {
    const received = await requests.call(path, input, { token });
    assert.equal(received.status, 202, received.text);
    return received.body.data;
  }

  async function accountOf({ accountId }: Pick<Customer, 'accountId'>) {
    const { rows } = await pool.pg.query<{ reserved: bigint; balance: bigint }>(
      'SELECT reserved, balance FROM accounts WHERE id = $1',
      [accountId],
    );
    return rows[0] ?? assert.fail('there is no account');
  }

  async function orderState(id: string): Promise<string> {
    const { rows } = await pool.pg.query<{ state: string }>('SELECT state FROM orders WHERE id = $1', [id]);
    return rows[0]?.state ?? 'none';
  }

  /** The differences from its back end that are open for a server, a webspace or the name of a domain. */
  async function differences(subject: string): Promise<string[]> {
    const { rows } = await pool.pg.query<{ kind: string }>(
      'SELECT kind FROM discrepancies WHERE resolved_at IS NULL AND subject = $1',
      [subject],
    );
    return rows.map(({ kind }) => kind);
  }

  /** Types of all events of an account, in order. */
  async function eventsOf({ accountId }: Pick<Customer, 'accountId'>): Promise<string[]> {
    const { rows } = await pool.pg.query<{ type: string }>(
      'SELECT type FROM events WHERE account_id = $1 ORDER BY sequence',
      [accountId],
    );
    return rows.map(({ type }) => type);
  }

  /** How many jobs would be tried at this moment. */
  async function dueJobs(): Promise<number> {
    const { rows } = await queue.query<{ jobs: number }>(
      'SELECT count(*)::int AS jobs FROM graphile_worker._private_jobs WHERE run_at <= now()',
    );
    return rows[0]?.jobs ?? 0;
  }

  /** Every job that failed sleeps for an hour, as after many attempts. */
  async function asleep(): Promise<void> {
    await queue.query("UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 hour'");
    assert.equal(await dueJobs(), 0);
  }

  /** Names of the back ends that did not do what they were told. */
  async function failingBackends(): Promise<string[]> {
    const { backends } = await requests.data('staff/backends', {}, { token: staff });
    return backends.map(({ name }: { name: string }) => name);
  }

  /** So much later by the clock that no back end is asked too early whether it answers again. */
  function later(): void {
    clock.set(clock.now().add({ minutes: 2 }));
  }

  return {
    requests,
    staff,
    cancel,
    retry,
    isOver,
    taskOf,
    accepted,
    accountOf,
    orderState,
    differences,
    eventsOf,
    dueJobs,
    asleep,
    failingBackends,
    later,
  };
}
