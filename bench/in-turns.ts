import { median } from './measurement.ts';

export interface InTurns {
  /** Answers a second of each side, and the median of the ratios of each round: the second side over the first. */
  readonly first: number;
  readonly second: number;
  readonly ratio: number;
}

export const ROUNDS = 20;
const AT_ONCE = 4;
const WARM_UP_SECONDS = 0.5;

/**
 * Measures two sides in turns, so that whatever else the machine does is shared: many short ones, each side first in
 * half of them. `seconds` of each side.
 */
export async function inTurns(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
  seconds: number,
): Promise<InTurns> {
  await rate(first, WARM_UP_SECONDS);
  await rate(second, WARM_UP_SECONDS);
  const rounds: { first: number; second: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const turns = round % 2 === 0 ? [first, second] : [second, first];
    const rates = new Map<() => Promise<unknown>, number>();
    for (const side of turns) rates.set(side, await rate(side, seconds / ROUNDS));
    rounds.push({ first: rates.get(first) ?? 0, second: rates.get(second) ?? 0 });
  }
  return {
    first: median(rounds.map((round) => round.first)),
    second: median(rounds.map((round) => round.second)),
    ratio: median(rounds.map((round) => round.second / round.first)),
  };
}

/** Answers per second, several asked for at once. */
async function rate(ask: () => Promise<unknown>, seconds: number): Promise<number> {
  const begun = performance.now();
  let answers = 0;
  const asker = async () => {
    while (performance.now() - begun < seconds * 1000) {
      await ask();
      answers += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, asker));
  return (answers * 1000) / (performance.now() - begun);
}
