import { mkdirSync } from 'node:fs';
import { z } from 'zod';
import { localExecutor } from '../../host/local.ts';
import { sshExecutor } from '../../host/ssh.ts';
import { QemuHypervisor } from './hypervisor.ts';
import { findImage, forgetImage, ImageRefused, removeImage, uploadImage } from './image.ts';
import { uploadMedium } from './medium.ts';
import { Node } from './node.ts';
import { nodeProblem } from './problem.ts';
import { NodeSettings } from './settings.ts';

const Path = z.string().regex(/^\//, 'must be an absolute path');

/** A connection of the operator's file that is driven by QEMU itself. */
export const QemuConnectionSettings = z.strictObject({
  driver: z.literal('qemu'),
  nodes: z
    .array(
      z.strictObject({
        /** As the catalogue names the host and, among its `nodes`, this one. */
        host: z.string(),
        node: z.string(),
        /** How it is reached; without, it is this machine. */
        ssh: z
          .strictObject({
            host: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.:-]*$/),
            port: z.int().min(1).max(65_535).default(22),
            user: z.literal('root').default('root'),
            identity_file: Path,
            known_hosts_file: Path,
          })
          .optional(),
        settings: NodeSettings,
      }),
    )
    .min(1),
});
export type QemuConnectionSettings = z.output<typeof QemuConnectionSettings>;

/** What became of an image on a node; `reason` is null where it is as it was wanted. */
export interface ImageOutcome {
  readonly node: string;
  readonly reason: string | null;
}

export interface QemuConnection {
  readonly hypervisor: QemuHypervisor;
  /** Gives all nodes of a host an image from a file of this machine; none where the host is not of this connection. */
  addImage(host: string, name: string, file: string, sha256: string): Promise<readonly ImageOutcome[]>;
  /** Gives all nodes of a host a medium, under its checksum. */
  addMedium(host: string, file: string, sha256: string): Promise<readonly ImageOutcome[]>;
  /** Takes the name of an image away, and its file where no disk needs it; the nodes that had it. */
  removeImage(host: string, name: string): Promise<readonly ImageOutcome[]>;
  /** What keeps each node from running machines, or null. */
  problems(): Promise<readonly { readonly node: string; readonly problem: string | null }[]>;
  close(): Promise<void>;
}

/** `controlDirectory` is for the sockets of shared SSH connections; it is made if it is not there. */
export function qemuConnection(
  { nodes }: QemuConnectionSettings,
  { controlDirectory }: { readonly controlDirectory: string },
): QemuConnection {
  mkdirSync(controlDirectory, { recursive: true, mode: 0o700 });
  const hosts = new Map<string, Node[]>();
  for (const { host, node, ssh, settings } of nodes) {
    const executor =
      ssh === undefined
        ? localExecutor('qemu')
        : sshExecutor('qemu', {
            host: ssh.host,
            port: ssh.port,
            user: ssh.user,
            identityFile: ssh.identity_file,
            knownHostsFile: ssh.known_hosts_file,
            controlDirectory,
          });
    hosts.set(host, [...(hosts.get(host) ?? []), new Node(node, executor, settings)]);
  }
  const everyNode = [...hosts.values()].flat();
  return {
    hypervisor: new QemuHypervisor({ hosts }),
    async addImage(host, name, file, sha256) {
      const outcomes: ImageOutcome[] = [];
      for (const node of hosts.get(host) ?? [])
        outcomes.push(await outcomeOf(node, () => uploadImage(node, name, file, sha256)));
      return outcomes;
    },
    async addMedium(host, file, sha256) {
      const outcomes: ImageOutcome[] = [];
      for (const node of hosts.get(host) ?? [])
        outcomes.push(await outcomeOf(node, () => uploadMedium(node, file, sha256)));
      return outcomes;
    },
    async removeImage(host, name) {
      const outcomes: ImageOutcome[] = [];
      for (const node of hosts.get(host) ?? []) {
        const image = await findImage(node, name);
        if (image === null) continue;
        await forgetImage(node, name);
        outcomes.push(await outcomeOf(node, () => removeImage(node, image.sha256)));
      }
      return outcomes;
    },
    problems: () =>
      Promise.all(everyNode.map(async (node) => ({ node: node.name, problem: await nodeProblem(node) }))),
    async close() {
      await Promise.all(everyNode.map((node) => node.executor.close()));
    },
  };
}

async function outcomeOf(node: Node, work: () => Promise<unknown>): Promise<ImageOutcome> {
  try {
    await work();
    return { node: node.name, reason: null };
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error;
    return { node: node.name, reason: error.message };
  }
}
