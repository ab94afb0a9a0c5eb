const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves with the signal that asks the process to stop. A second one ends it at once. */
export function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of STOP_SIGNALS) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130));
        resolve(signal);
      });
    }
  });
}
