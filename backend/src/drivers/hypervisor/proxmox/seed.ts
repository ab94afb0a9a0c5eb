import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Seed } from '../qemu/cloud-init.ts';
import type { Cluster } from './cluster.ts';
import { isoImage } from './iso9660.ts';
import { PveRefusal } from './refusal.ts';

const LABEL = 'cidata';

const Stored = z.array(z.object({ volid: z.string(), ctime: z.coerce.number().default(0) }));

/** A medium with a seed in the cluster's storage. */
export interface StoredSeed {
  readonly volume: string;
  readonly vmid: number;
  /** Seconds since 1970. */
  readonly storedAt: number;
}

interface Place {
  readonly node: string;
  readonly vmid: number;
}

/** Snippets cannot be uploaded by REST, so a seed is a medium (rule G5). Stored again, it replaces itself. */
export async function storeSeed(
  cluster: Cluster,
  { node, vmid }: Place,
  seed: Seed,
  revision: number,
): Promise<string> {
  const { installation, seeds } = cluster.settings;
  const name = `hostkeep-${installation}-${vmid}-${revision}.iso`;
  const content = isoImage(LABEL, [
    { plain: 'META_DAT.;1', name: 'meta-data', content: Buffer.from(seed.metaData) },
    { plain: 'USER_DAT.;1', name: 'user-data', content: Buffer.from(seed.userData) },
    { plain: 'VENDOR_D.;1', name: 'vendor-data', content: Buffer.from(seed.vendorData) },
    { plain: 'NETWORK_.;1', name: 'network-config', content: Buffer.from(seed.networkConfig) },
  ]);
  const checksum = createHash('sha256').update(content).digest('hex');
  const fields = { content: 'iso', 'checksum-algorithm': 'sha256', checksum };
  await cluster.upload(`/nodes/${node}/storage/${seeds}/upload`, fields, { name, content });
  return `${seeds}:iso/${name}`;
}

/** The seeds of this installation that a node can see. */
export async function storedSeeds(cluster: Cluster, node: string): Promise<StoredSeed[]> {
  const { installation, seeds } = cluster.settings;
  const ours = new RegExp(`:iso/hostkeep-${installation}-(\\d+)-\\d+\\.iso$`);
  const stored = await cluster.get(`/nodes/${node}/storage/${seeds}/content`, Stored, { content: 'iso' });
  return stored.flatMap(({ volid: volume, ctime: storedAt }) => {
    const vmid = ours.exec(volume)?.[1];
    return vmid === undefined ? [] : [{ volume, vmid: Number(vmid), storedAt }];
  });
}

/** Deletes a volume; one that is gone already is gone. */
export async function removeVolume(cluster: Cluster, node: string, volume: string): Promise<void> {
  const storage = volume.split(':')[0];
  try {
    await cluster.task('DELETE', `/nodes/${node}/storage/${storage}/content/${encodeURIComponent(volume)}`);
  } catch (error) {
    if (!(error instanceof PveRefusal && /does not exist|no such/.test(error.message))) throw error;
  }
}

/** Removes what seeds there are of a machine, but one. */
export async function removeSeeds(
  cluster: Cluster,
  { node, vmid }: Place,
  except: string | null,
): Promise<void> {
  for (const seed of await storedSeeds(cluster, node))
    if (seed.vmid === vmid && seed.volume !== except) await removeVolume(cluster, node, seed.volume);
}
