import type { QueuedJob } from '../../../work/queue.ts';

/** The job that gives a server's machine the uplink that the books say. */
export const UPLINK = 'server.uplink';

export function uplinkJob(serverId: string): QueuedJob {
  return { name: UPLINK, payload: { server_id: serverId }, key: `${UPLINK}:${serverId}` };
}

/** What the machine is to have, Mbit/s: the server's own uplink, or less while its traffic is used up. */
export function uplinkOf(server: { readonly uplink: number; readonly throttled_to: number | null }): number {
  return Math.min(server.uplink, server.throttled_to ?? server.uplink);
}
