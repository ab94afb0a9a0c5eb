import { Client } from 'pg';
import { eventually } from '../acceptance/eventually.ts';
import { type Json, listAt } from '../acceptance/json.ts';
import {
  DatabaseNode,
  isPrimary,
  isRunning,
  type NodeOptions,
  PATRONI_PORT,
  POSTGRES_PORT,
  word,
} from './database-node.ts';

export const DATABASE = 'hostkeep';
export const DATABASE_USER = 'hostkeep';

/** The node that leads, and since when its server runs. */
export interface Primary {
  readonly node: DatabaseNode;
  readonly since: string;
}

/** PostgreSQL on several machines, of which Patroni keeps one the primary. */
export class DatabaseCluster {
  readonly nodes: readonly DatabaseNode[];
  /** They vote on the primary, and hold no copy. */
  readonly #witnesses: readonly DatabaseNode[];

  constructor(names: readonly string[], options: NodeOptions) {
    this.nodes = names.map((name) => new DatabaseNode(name, options));
    this.#witnesses = options.voters
      .filter((voter) => !names.includes(voter))
      .map((voter) => new DatabaseNode(voter, options));
  }

  /** Until one node is the primary, all others follow it, and the database is there. */
  async start(): Promise<void> {
    const all = [...this.nodes, ...this.#witnesses];
    await Promise.all(all.map((node) => node.prepare()));
    for (const node of all) node.startEtcd();
    for (const node of this.nodes) node.startPatroni();
    await this.healed();
    const primary = await this.primary();
    const client = new Client({
      host: primary.address,
      port: POSTGRES_PORT,
      user: 'postgres',
      database: 'postgres',
    });
    await client.connect();
    // As an operator makes them: the user of DATABASE_URL is no superuser.
    await client.query(`CREATE ROLE ${DATABASE_USER} LOGIN CREATEROLE`);
    await client.query(`CREATE DATABASE ${DATABASE} OWNER ${DATABASE_USER}`);
    await client.end();
  }

  /** The node that is the primary now; waits for one. */
  async primary(): Promise<DatabaseNode> {
    return (await this.lead()).node;
  }

  /**
   * Another node is the primary, or the same one anew: Patroni starts a server again that it cannot replace, because no
   * other one has everything.
   */
  async replaced(former: Primary): Promise<void> {
    await eventually('a new primary', async () => {
      const primary = await this.lead();
      return primary.node !== former.node || primary.since !== former.since ? true : undefined;
    });
  }

  async lead(): Promise<Primary> {
    return await eventually('a primary', async () => {
      for (const node of this.nodes) {
        const state = await node.state();
        if (isPrimary(state)) return { node, since: word(state, 'postmaster_start_time') };
      }
      return undefined;
    });
  }

  /** The node whose answer the primary waits for before it confirms a commit. */
  synchronousStandby(): Promise<DatabaseNode> {
    return eventually('a synchronous standby', async () => {
      const members = await this.#members();
      const found = members.find((member) => word(member, 'role') === 'sync_standby');
      return this.nodes.find(({ name }) => found !== undefined && name === word(found, 'name'));
    });
  }

  /** Every node runs and follows the primary, and one of them is waited for at each commit. */
  async healed(): Promise<void> {
    await eventually('all nodes of the database', async () => {
      const states = await Promise.all(this.nodes.map((node) => node.state()));
      if (!states.every(isRunning) || states.filter(isPrimary).length !== 1) return undefined;
      const members = await this.#members();
      const followers = members.filter((member) =>
        ['sync_standby', 'replica'].includes(word(member, 'role')),
      );
      const ready = followers.every((member) => ['running', 'streaming'].includes(word(member, 'state')));
      const synchronous = followers.some((member) => word(member, 'role') === 'sync_standby');
      return ready && synchronous && members.length === this.nodes.length ? true : undefined;
    });
  }

  /** What Patroni shows of the cluster, by the first node that answers. */
  async #members(): Promise<Json[]> {
    for (const node of this.nodes) {
      const view = await fetch(`http://${node.address}:${PATRONI_PORT}/cluster`, {
        signal: AbortSignal.timeout(2_000),
      })
        .then(async (answer) => (await answer.json()) as Json)
        .catch(() => null);
      if (view !== null) return listAt(view, '/members');
    }
    return [];
  }
}
