import type { WantedPower } from '../../../drivers/hypervisor/port.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { QueuedJob } from '../../../work/queue.ts';
import type { ServiceState } from '../../selling/subscriptions/service.ts';

/** The job that makes a server's machine be as the books say. */
export const CONVERGE = 'server.converge';

export function convergenceJob(serverId: string): QueuedJob {
  return { name: CONVERGE, payload: { server_id: serverId }, key: `${CONVERGE}:${serverId}` };
}

/** Enqueues it, to run once the unit of work's changes are committed. Asked for twice, it runs once. */
export function convergeServer(uow: UnitOfWork, serverId: string): void {
  const job = convergenceJob(serverId);
  if (!uow.jobs.some((queued) => queued.key === job.key)) uow.jobs.push(job);
}

/** The back end that runs a machine, as jobs name it. */
export function hypervisorOf({ host, node }: { readonly host: string; readonly node: string }): string {
  return `hypervisor:${host}/${node}`;
}

/** What the books want of a server's machine. */
export type WantedOfMachine = WantedPower | 'absent';

const WANTED: Readonly<Record<ServiceState, 'as_wanted' | 'stopped' | 'absent' | null>> = {
  pending: null,
  provisioning: null,
  active: 'as_wanted',
  cancel_scheduled: 'as_wanted',
  suspended: 'stopped',
  expired: 'stopped',
  // Kept, so that what is on its disk can still be asked for, until the service is deleted.
  cancelled: 'stopped',
  deleted: 'absent',
  error: 'absent',
};

/** The one place that says so, for the job and the comparison alike; null: it is still being made. */
export function wantedOfMachine(server: {
  readonly state: ServiceState;
  readonly wanted_power: WantedPower;
}): WantedOfMachine | null {
  const wanted = WANTED[server.state];
  return wanted === 'as_wanted' ? server.wanted_power : wanted;
}
