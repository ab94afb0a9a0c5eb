import assert from 'node:assert/strict';
import type { Customer } from './fixture.ts';
import { openRequests } from './requests.ts';
import { type ChangeCatalog, openServers } from './servers.ts';

/** Servers of sizes of their customers' own, with requests about them and all that comes of those. */
export async function openSizedServers(change?: ChangeCatalog) {
  const site = await openServers(change);
  const requests = openRequests(site, { ports: { ...site.ports, registry: {} } as never });

  /** A customer with 1,000.00 and a server of 26.00 a month that runs. */
  async function ordered(change: object = {}): Promise<{ who: Customer; token: string; uuid: string }> {
    const who = await site.customer(100_000n);
    const own = { pack_uuid: undefined, cores: 1, memory: 1024, disk: 20, backup_slots: 2 };
    const { server_uuid: uuid } = await site.order(who, { ...own, ...change });
    await site.work();
    return { who, token: who.secret, uuid };
  }

  /** The data of a call that begins or does something. */
  async function begin(path: string, input: object, token: string) {
    const received = await requests.call(path, input, { token });
    assert.ok(received.status === 200 || received.status === 202, received.text);
    return received.body.data;
  }

  /** {@link begin}, and all the work that comes of it. */
  async function changed(path: string, input: object, token: string) {
    const answer = await begin(path, input, token);
    await site.work();
    return answer;
  }

  async function task(uuid: string, token: string) {
    return (await requests.data('task/details', { uuid }, { token })).task;
  }

  async function writeFile(uuid: string, name: string): Promise<void> {
    await site.pool.pg.query('UPDATE sandbox.machines SET files = files || ARRAY[$2] WHERE server_id = $1', [
      uuid,
      name,
    ]);
  }

  async function machine(uuid: string) {
    const { rows } = await site.pool.pg.query<{
      files: string[];
      power: string;
      restores: string[];
      cores: number;
      memory: number;
      disk: number;
      uplink: number;
    }>('SELECT * FROM sandbox.machines WHERE server_id = $1', [uuid]);
    return rows[0] ?? assert.fail('there is no machine');
  }

  /** What copies the sandbox keeps of a disk. */
  async function copies(uuid: string): Promise<{ kind: string; id: string }[]> {
    const { rows } = await site.pool.pg.query(
      'SELECT kind, id FROM sandbox.disk_copies WHERE server_id = $1 ORDER BY taken_at, id',
      [uuid],
    );
    return rows;
  }

  return { ...site, ...requests, ordered, begin, changed, task, writeFile, machine, copies };
}
