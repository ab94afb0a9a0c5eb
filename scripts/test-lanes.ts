/** Something to be run in a lane: a test file, or several that share a process. */
export interface Load {
  /** How long it is thought to take. */
  readonly seconds: number;
  /** It keeps a core and a good part of the memory busy, as an emulated machine does. */
  readonly heavy: boolean;
}

/**
 * Runs all in so many lanes, the longest first, so that none is left alone with a long one at the end. Of the heavy ones
 * one fewer than lanes run at a time as long as there is anything else to do.
 */
export async function runInLanes<T extends Load>(
  loads: readonly T[],
  lanes: number,
  run: (load: T) => Promise<void>,
  stopped: () => boolean,
): Promise<void> {
  const waiting = loads.toSorted((a, b) => b.seconds - a.seconds);
  const mostHeavy = Math.max(1, lanes - 1);
  let heavy = 0;

  function next(): T | undefined {
    const light =
      heavy < mostHeavy
        ? 0
        : Math.max(
            0,
            waiting.findIndex((load) => !load.heavy),
          );
    return waiting.splice(light, 1)[0];
  }

  async function lane(): Promise<void> {
    for (let load = next(); load !== undefined && !stopped(); load = next()) {
      if (load.heavy) heavy++;
      try {
        await run(load);
      } finally {
        if (load.heavy) heavy--;
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
}
