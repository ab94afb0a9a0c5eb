import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../acceptance/eventually.ts';
import type { DatabaseCluster } from './database-cluster.ts';
import type { DatabaseNode } from './database-node.ts';
import { signalPid } from './os-process.ts';
import type { Random } from './random.ts';
import type { Member, Site } from './site.ts';
import type { Workspace } from './workspace.ts';

/** What a fault happens to. */
export interface Target {
  readonly database: DatabaseCluster;
  readonly site: Site;
  readonly workspace: Workspace;
  readonly random: Random;
  /** How long what is stopped stays so. */
  readonly outageMs: number;
  /** Called at the instant from which the clients' way back is measured. */
  readonly begun: () => void;
}

/** Within which time customers must be served again; null where the fault itself lasts. */
type Limit = 10 | 30 | null;

export interface Fault {
  readonly limitSeconds: Limit;
  /** Makes it happen, and puts back in order what does not do so by itself. */
  readonly happen: (target: Target) => Promise<void>;
}

const DISK_FULL_MS = 30_000;
const HOURS_OFF = ['+2h', '-2h'] as const;

/** Until another machine has the primary: this one cannot have it again. */
async function succeeded({ database }: Pick<Target, 'database'>, former: DatabaseNode): Promise<void> {
  await eventually('another primary', async () => ((await database.primary()) === former ? undefined : true));
}

async function restarted({ site }: Target, member: Member): Promise<void> {
  await site.stop(member);
  await site.launch(member);
}

async function nodeDies(target: Target, wiped: boolean): Promise<void> {
  const node = await target.database.primary();
  target.begun();
  await node.crash();
  await succeeded(target, node);
  if (wiped) await node.wipe();
  await node.boot();
}

export const FAULTS = {
  'primary-killed': {
    limitSeconds: 10,
    async happen({ database, begun }) {
      const primary = await database.lead();
      begun();
      await primary.node.killPostgres();
      await database.replaced(primary);
    },
  },
  'node-killed': { limitSeconds: 30, happen: (target) => nodeDies(target, false) },
  'node-and-disk-lost': { limitSeconds: 30, happen: (target) => nodeDies(target, true) },
  // The old primary comes back believing that it still is one, with connections that wait for its answers.
  'node-frozen': {
    limitSeconds: 30,
    async happen(target) {
      const node = await target.database.primary();
      target.begun();
      await node.freeze();
      await succeeded(target, node);
      await node.thaw();
    },
  },
  // What the primary has written and the standby has not must have been acknowledged to no one.
  'sync-link-stopped-then-killed': {
    limitSeconds: null,
    async happen({ database, random, begun }) {
      const primary = await database.lead();
      const standby = await database.synchronousStandby();
      const senders = await primary.node.senders(standby.name);
      if (senders.length === 0) throw new Error(`${primary.node.name} sends nothing to ${standby.name}`);
      for (const pid of senders) signalPid(pid, 'SIGSTOP');
      // Also for longer than any statement may take: a wait that is broken off must not count as an answer.
      await pause(random.pick([2_000, 12_000, 45_000]));
      begun();
      await primary.node.killPostgres(senders);
      await database.replaced(primary);
    },
  },
  switchover: {
    limitSeconds: 10,
    async happen(target) {
      const primary = await target.database.primary();
      target.begun();
      await primary.switchover();
      await succeeded(target, primary);
    },
  },
  'database-restarted': {
    limitSeconds: 10,
    async happen({ database, begun }) {
      const primary = await database.primary();
      begun();
      await primary.restart();
    },
  },
  // The primary refuses what needs room, and is replaced only when its log needs some, which may be never: then an
  // operator makes room. No limit of time follows from that.
  'disk-full': {
    limitSeconds: null,
    async happen({ database, begun }) {
      const { node } = await database.lead();
      begun();
      await node.fillDisk();
      await pause(DISK_FULL_MS);
      await node.emptyDisk();
    },
  },
  'database-stopped': {
    limitSeconds: null,
    async happen({ database, outageMs, begun }) {
      await Promise.all(database.nodes.map((node) => node.stopPatroni()));
      await pause(outageMs);
      begun();
      for (const node of database.nodes) node.startPatroni();
      await database.primary();
    },
  },
  'api-killed': {
    limitSeconds: 10,
    async happen({ site, random, begun }) {
      const api = random.pick(site.apis);
      begun();
      await site.kill(api);
      await site.launch(api);
    },
  },
  'worker-killed': {
    limitSeconds: 10,
    async happen({ site, random, begun }) {
      const worker = random.pick(site.workers);
      begun();
      await site.kill(worker);
      await site.launch(worker);
    },
  },
  'clock-off': {
    limitSeconds: 10,
    async happen({ site, workspace, random, begun }) {
      const member = random.pick(site.members);
      const clock = join(workspace.directory, `${member.name}-clock`);
      await writeFile(clock, '+0s\n');
      await site.stop(member);
      await site.launch(member, clock);
      begun();
      await writeFile(clock, `${random.pick(HOURS_OFF)}\n`);
      await pause(20_000);
      await writeFile(clock, '+0s\n');
      await pause(5_000);
      await site.stop(member);
      await site.launch(member);
    },
  },
  'rolling-restart': {
    limitSeconds: 10,
    async happen(target) {
      target.begun();
      for (const member of target.site.members) await restarted(target, member);
    },
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];
