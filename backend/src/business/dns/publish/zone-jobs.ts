import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { QueuedJob } from '../../../work/queue.ts';

/** The job that brings the name servers to what the books say of a zone. */
export const PUBLISH = 'dns.publish';
/** The job that tells the registry of a zone's DS, or that there is none any more. */
export const DELEGATE = 'dns.delegate';
/** The primary name server, as what waits for it names it. */
export const PRIMARY = 'dns:primary';
/** The job that gives a registration up whose zone no name server has. */
export const UNPUBLISHED = 'domain.unpublished';
/** What customers see of a change that is being published. */
export const DNS_TASK = 'domain.dns_update';

export function zoneJob(name: typeof PUBLISH | typeof DELEGATE, zoneId: string): QueuedJob {
  return { name, payload: { zone_id: zoneId }, key: `${name}:${zoneId}` };
}

/** Enqueues it, to run once the unit of work's changes are committed. Asked for twice, it runs once. */
export function enqueueZone(uow: UnitOfWork, name: typeof PUBLISH | typeof DELEGATE, zoneId: string): void {
  const job = zoneJob(name, zoneId);
  if (!uow.jobs.some((queued) => queued.key === job.key)) uow.jobs.push(job);
}

/** Gives the registration up that waits for a zone (rule F6). */
export function abandonRegistration(uow: UnitOfWork, domainId: string): void {
  const key = `${UNPUBLISHED}:${domainId}`;
  if (!uow.jobs.some((queued) => queued.key === key))
    uow.jobs.push({ name: UNPUBLISHED, payload: { domain_id: domainId }, key });
}
