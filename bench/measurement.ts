/** One round of one side of a case. */
export interface Measurement {
  readonly perSecond: number;
  /** Milliseconds, as the client saw them. */
  readonly p50: number;
  readonly p99: number;
  /** Answers that were not what a success looks like. A round with any is void. */
  readonly failures: number;
  /** Microseconds of processor time per request, where the system tells. */
  readonly cpu: { readonly program: number; readonly postgres: number; readonly client: number } | null;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The median of every figure over several rounds; failures add up. */
export function medianOf(rounds: readonly Measurement[]): Measurement {
  const figure = (pick: (round: Measurement) => number) => median(rounds.map(pick));
  const cpus = rounds.flatMap((round) => round.cpu ?? []);
  return {
    perSecond: figure((round) => round.perSecond),
    p50: figure((round) => round.p50),
    p99: figure((round) => round.p99),
    failures: rounds.reduce((sum, round) => sum + round.failures, 0),
    cpu:
      cpus.length < rounds.length
        ? null
        : {
            program: median(cpus.map((cpu) => cpu.program)),
            postgres: median(cpus.map((cpu) => cpu.postgres)),
            client: median(cpus.map((cpu) => cpu.client)),
          },
  };
}
