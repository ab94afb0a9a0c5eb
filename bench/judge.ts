import type { Measurement } from './measurement.ts';

/** What a case claims. */
export interface Claim {
  readonly name: string;
  readonly connections: number;
  /** Hostkeep's throughput over the baseline's; null for a row that is only shown. */
  readonly limit: number | null;
}

export interface Result extends Claim {
  readonly ours: Measurement;
  readonly theirs: Measurement;
  readonly ratio: number;
  readonly verdict: string;
}

const P99_LIMIT = 2;

/** Compares two sides. A figure counts only when every request of both succeeded. */
export function judge(claim: Claim, ours: Measurement, theirs: Measurement): Result {
  const ratio = ours.perSecond / theirs.perSecond;
  const p99 = ours.p99 / theirs.p99;
  const failures = ours.failures + theirs.failures;
  const missed: string[] = [];
  if (failures > 0) missed.push(`VOID: ${failures} failures`);
  if (claim.limit !== null && ratio < claim.limit) missed.push('MISSED');
  if (claim.limit !== null && p99 > P99_LIMIT) missed.push(`p99 MISSED (${p99.toFixed(1)} ×)`);
  const { name, connections, limit } = claim;
  const met = limit === null ? 'shown' : 'met';
  return { name, connections, limit, ours, theirs, ratio, verdict: missed.join(', ') || met };
}
