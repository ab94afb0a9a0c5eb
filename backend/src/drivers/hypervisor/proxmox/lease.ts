import { randomUUID } from 'node:crypto';
import { textOf } from './configuration.ts';
import { Machine } from './machine.ts';
import { readRecord } from './record.ts';
import { UnderWay } from './refusal.ts';

/** Longer than any command takes. */
const LEASE_SECONDS = 75;

/**
 * Two that come for an unfinished machine at once would write over each other, and one's refusal would take away what
 * the other makes. The cluster changes a configuration only for who has seen its last state, so one of them gets it.
 */
export async function takeLease(machine: Machine): Promise<Machine> {
  mustBeUnleased(machine);
  const until = machine.cluster.clock.now().add({ seconds: LEASE_SECONDS }).epochMilliseconds;
  return await machine.write({ ...machine.record, lease: { by: randomUUID(), until } });
}

export function mustBeUnleased({ configuration, cluster }: Machine): void {
  const lease = readRecord(textOf(configuration, 'description'))?.lease ?? null;
  if (lease !== null && lease.until > cluster.clock.now().epochMilliseconds) throw new UnderWay('install');
}

/** Whoever comes next need not wait. */
export async function endLease({ cluster, vm }: Machine): Promise<void> {
  const machine = await Machine.read(cluster, vm);
  await machine.write({ ...machine.record, lease: null });
}
