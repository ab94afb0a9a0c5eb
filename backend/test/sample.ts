import { createHash, randomBytes } from 'node:crypto';

/**
 * Some cases cost a process or a machine each. A usual run does a sample of them, another one in each run; the nightly
 * run (`npm run test:nightly`) does all. What a run prints repeats its sample: HOSTKEEP_TEST_SEED=<seed>.
 */
export const isComplete = process.env.HOSTKEEP_TEST_POINTS === 'all';

let chosen: string | undefined;

/** The seed of this run. It is printed once, with what the file prints, which is shown when a test fails. */
export function sampleSeed(): string {
  if (chosen === undefined) {
    chosen = process.env.HOSTKEEP_TEST_SEED ?? randomBytes(4).toString('hex');
    console.log(`a sample, repeated by HOSTKEEP_TEST_SEED=${chosen}; all by HOSTKEEP_TEST_POINTS=all`);
  }
  return chosen;
}

/** `size` of these, in their order, by chance. Each has its own rank in a seed, so that no other one moves it. */
export function sampleOf(cases: readonly string[], size: number, seed = sampleSeed()): string[] {
  const rank = (one: string) => createHash('sha256').update(`${seed} ${one}`).digest('hex');
  const taken = new Set(
    cases
      .map((one) => ({ one, rank: rank(one) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1))
      .slice(0, size)
      .map(({ one }) => one),
  );
  return cases.filter((one) => taken.has(one));
}

/** Whether an effect outside the process begins or ends at a point: a COMMIT, or a command to a back end. */
const EFFECT = /^(before|after) (COMMIT|ensure\w+|sandbox_\w+) /;

/**
 * The points at which a usual run kills a process: the first, the last, those before and after each COMMIT and each
 * command, and `further` of the others by chance. In a nightly run all.
 */
export function killPoints(points: readonly string[], further: number): readonly string[] {
  if (isComplete) return points;
  const always = new Set(
    points.filter(
      (point, index) =>
        index === 0 ||
        index === points.length - 1 ||
        EFFECT.test(point) ||
        EFFECT.test(points[index - 1] ?? ''),
    ),
  );
  const others = new Set(
    sampleOf(
      points.filter((point) => !always.has(point)),
      further,
    ),
  );
  return points.filter((point) => always.has(point) || others.has(point));
}
