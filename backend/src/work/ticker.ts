export interface TickerOptions {
  readonly everyMs: number;
  /** Runs that are under way beside each other, at most: further ticks pass. */
  readonly atOnce: number;
  /** Sees to its own failures. */
  readonly run: () => Promise<void>;
}

/** Runs something again and again in this process until it is stopped, without waiting for a slow run. */
export function startTicker({ everyMs, atOnce, run }: TickerOptions): { stop(): Promise<void> } {
  const underWay = new Set<Promise<void>>();
  const timer = setInterval(() => {
    if (underWay.size >= atOnce) return;
    const one = run().finally(() => underWay.delete(one));
    underWay.add(one);
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}
