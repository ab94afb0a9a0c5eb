/**
 * What goes first when more waits than workers can do: what a person waits for, then deliveries (webhooks, mail), then
 * work by the hundred (baskets, renewals), then maintenance.
 */
export type Priority = 'interactive' | 'delivery' | 'bulk' | 'maintenance';

/** Lower goes first. The gaps are wider than the rank within an account, which `enqueue_jobs` adds. */
const NUMBERS: Readonly<Record<Priority, number>> = {
  interactive: 0,
  delivery: 1_000,
  bulk: 2_000,
  maintenance: 3_000,
};

/** As the queue stores it. */
export function priorityNumber(priority: Priority): number {
  return NUMBERS[priority];
}

/** Work that a person would wait for, when no person does: on a schedule, or by the hundred. Other work keeps its priority. */
export function unhurried(priority: Priority, instead: 'bulk' | 'maintenance'): Priority {
  return priority === 'interactive' ? instead : priority;
}
