import type { World } from './world.ts';

/** What is looked at after a day: everything, or what the day has touched. */
export interface Span {
  readonly now: Temporal.Instant;
  /** The day's beginning; the platform's, when everything is looked at. */
  readonly since: Temporal.Instant;
}

/** Something that must hold after every day. */
export interface Check {
  readonly name: string;
  /** Where it does not hold. */
  find(world: World, span: Span): Promise<string[]>;
}

/** A check that is one statement, whose rows say where it does not hold; $1 is the span's beginning, $2 now. */
export function sqlCheck(name: string, text: string): Check {
  return {
    name,
    async find({ pool }, { since, now }) {
      const used = text.includes('$2') ? [since, now] : [since];
      const { rows } = await pool.pg.query<{ problem: string }>(
        text,
        used.map((instant) => instant.toString()),
      );
      return rows.map(({ problem }) => `${name}: ${problem}`);
    },
  };
}
