import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import type { Customer } from './fixture.ts';
import { Mortal, type RequestStep, type ShiftStep } from './mortal.ts';
import { openServers, SERVER_ORDER } from './servers.ts';

/** What a worker's process does with the queue. */
export const SHIFT: ShiftStep = { kind: 'shift', upkeep: [] };
/** What is done each minute and each hour about work that was lost. */
const RECOVERY: ShiftStep = {
  kind: 'shift',
  upkeep: ['order.pending', 'server.orphaned', 'server.remove_deleted'],
};
/** A worker looks for work by this; what it asked before that is about the queue itself. */
const FIRST_OF_WORK = 'before get_job/graphile_worker (1)';

/**
 * Servers to sell, worked on only by processes that can be killed (mortal.ts). `node`: a QEMU node in the place of the
 * sandbox.
 */
export async function openKilledServers(node: unknown = null) {
  let mortal: Mortal | undefined;
  // Before the fixture's own, which drops the database.
  after(() => mortal?.stop());
  const site = await openServers(({ hosts }) => {
    const capacity = { cores: 4096, memory: 16_777_216, disk: 1_048_576 };
    for (const host of hosts) host.nodes = [{ name: `${host.name}-01`, capacity }];
  });
  mortal = new Mortal(site.database.url, node);
  const processes = mortal;
  const { pool, clock } = site;

  function request(who: Customer, path: string, input: object): RequestStep {
    return { kind: 'request', path, input, token: who.secret, key: randomUUID() };
  }

  /** The answer to a request that nothing disturbs. */
  async function answered(step: RequestStep): Promise<string> {
    const { answer } = await processes.do(step, clock.now());
    assert.ok(answer?.status === 200 || answer?.status === 202, JSON.stringify(answer));
    return answer.body;
  }

  /** A customer, and a server of theirs that is ordered but not made. */
  async function ordered() {
    const who = await site.customer(10_000n);
    const step = request(who, 'server/order', SERVER_ORDER);
    const { data } = JSON.parse(await answered(step));
    return { who, step, id: data.server_uuid as string };
  }

  /** One that runs. */
  async function running() {
    const server = await ordered();
    await work();
    return server;
  }

  async function work(step: ShiftStep = SHIFT): Promise<void> {
    await processes.do(step, clock.now());
  }

  /**
   * What the customer's client does whose request was cut off: the same again, with its key. Then again, which must not
   * tell anything else.
   */
  async function repeated(step: RequestStep): Promise<string> {
    const first = await answered(step);
    assert.equal(await answered(step), first, 'the same key has the same answer');
    return first;
  }

  /**
   * The points of a step, as a run that nothing stops comes to them. Between an answer and what is sent next nothing
   * leaves the process: these two are one.
   */
  async function pointsOf(step: RequestStep | ShiftStep): Promise<string[]> {
    const { points } = await processes.do(step, clock.now());
    const begun = points.slice(Math.max(0, points.indexOf(FIRST_OF_WORK)));
    return begun.filter(
      (point, index) => !(point.startsWith('after') && begun[index + 1]?.startsWith('before')),
    );
  }

  /** All that there is of a customer's servers, in our books and in those of the hypervisor. */
  async function stateOf({ accountId }: Customer) {
    const { rows } = await site.queue.query<{ state: Record<string, unknown> }>(
      `WITH own AS (SELECT s.id, s.state, v.generation, v.removed_at FROM services s JOIN servers v ON v.id = s.id
         WHERE s.account_id = $1)
       SELECT json_build_object(
         'servers', (SELECT json_agg(state ORDER BY state) FROM own),
         'orders', (SELECT json_agg(state ORDER BY state) FROM orders WHERE account_id = $1),
         'holds', (SELECT json_agg(state ORDER BY state) FROM holds WHERE account_id = $1),
         'entries', (SELECT json_agg(kind || ' ' || amount ORDER BY seq) FROM ledger_entries
                     WHERE account_id = $1 AND seq > 1),
         'reserved', (SELECT reserved FROM accounts WHERE id = $1),
         'tasks', (SELECT json_agg(type || ' ' || state ORDER BY created_at, type, state) FROM tasks WHERE account_id = $1),
         'changes', (SELECT count(*) FROM server_changes c JOIN own o ON o.id = c.server_id),
         'addresses', (SELECT count(*) FROM addresses a JOIN own o ON o.id = a.server_id),
         'machines', (SELECT coalesce(json_agg(json_build_object('power', m.power, 'generation', m.generation,
             'installs', m.installs, 'files', m.files)), '[]')
           FROM sandbox.machines m JOIN own o ON o.id = m.server_id),
         'copies', (SELECT count(*) FROM sandbox.disk_copies c JOIN own o ON o.id = c.server_id),
         'events', (SELECT json_agg(type ORDER BY sequence) FROM events
                    WHERE account_id = $1 AND resource_id IN (SELECT id FROM own))) AS state`,
      [accountId],
    );
    return rows[0]?.state;
  }

  /** What must hold everywhere, whatever was killed: an empty list. Mails are sent by no process of these. */
  async function problems(): Promise<string[]> {
    const { rows } = await site.queue.query<{ problem: string }>(`
      SELECT 'machine without a server ' || m.server_id AS problem FROM sandbox.machines m
        LEFT JOIN servers v ON v.id = m.server_id WHERE v.id IS NULL OR v.removed_at IS NOT NULL
      UNION ALL SELECT 'copy of a disk without a machine ' || c.server_id FROM sandbox.disk_copies c
        WHERE NOT EXISTS (SELECT FROM sandbox.machines m WHERE m.server_id = c.server_id)
      UNION ALL SELECT 'job ' || t.identifier || ' ' || coalesce(last_error, '')
        FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
        WHERE t.identifier <> 'mail.deliver'
      UNION ALL SELECT 'task ' || type || ' ' || state FROM tasks WHERE finished_at IS NULL
      UNION ALL SELECT 'hold of ' || order_id FROM holds WHERE state = 'open'`);
    return [...rows.map(({ problem }) => problem), ...(await site.stockProblems())];
  }

  return {
    ...site,
    pool,
    processes,
    request,
    answered,
    ordered,
    running,
    work,
    recover: () => work(RECOVERY),
    repeated,
    pointsOf,
    stateOf,
    problems,
  };
}
