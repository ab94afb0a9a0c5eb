import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import type { ProxmoxApi } from './api.ts';
import { Cluster } from './cluster.ts';
import { mustFilter } from './firewall.ts';
import type { ClusterSettings } from './settings.ts';

const DEADLINE_MS = 15_000;
const Version = z.object({ version: z.string() });
const Storages = z.array(
  z.object({ storage: z.string(), node: z.string(), content: z.string().default('') }),
);

/** What keeps a cluster from running machines for us, or null. */
export async function clusterProblem(
  api: ProxmoxApi,
  settings: ClusterSettings,
  clock: Clock,
): Promise<string | null> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const cluster = new Cluster(api, settings, { signal, clock, waiting: { patienceMs: 0, lookMs: 0 } });
  try {
    const { version } = await cluster.get('/version', Version);
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major < 8 || (major === 8 && minor < 2)) return `its version ${version} is older than 8.2`;
    await mustFilter(cluster);
    return (await missingStorage(cluster)) ?? (await missingTemplate(cluster));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.cause instanceof Error ? error.cause.message : error.message;
  }
}

async function missingStorage(cluster: Cluster): Promise<string | null> {
  const { storage, seeds, backups, hosts } = cluster.settings;
  const there = await cluster.get('/cluster/resources', Storages, { type: 'storage' });
  const needed = [
    [storage, 'images'],
    [seeds, 'iso'],
    ...(backups === undefined ? [] : [[backups, 'backup']]),
  ];
  for (const node of Object.values(hosts).flat())
    for (const [name, content = ''] of needed) {
      const found = there.find((one) => one.node === node && one.storage === name);
      if (found === undefined) return `${node} has no storage ${name}, or the token may not see it`;
      if (!found.content.split(',').includes(content)) return `the storage ${name} does not take ${content}`;
    }
  return null;
}

async function missingTemplate(cluster: Cluster): Promise<string | null> {
  const templates = new Set((await cluster.vms()).map(({ vmid }) => vmid));
  for (const [image, ids] of Object.entries(cluster.settings.images))
    for (const id of ids)
      if (!templates.has(id))
        return `there is no VM ${id}, the template of ${image}, or the token may not see it`;
  return null;
}
