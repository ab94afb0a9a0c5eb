import type { Instant } from '../../../base/time.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How one chart is kept. All in seconds. */
export interface Resolution {
  readonly step: number;
  /** What the chart shows. */
  readonly length: number;
  /** What is kept: at least what is shown, and what the next coarser step is made of. */
  readonly kept: number;
  /** Of one partition: rows go by partitions, so what is there is up to this much more. */
  readonly partition: number;
}

/** From the finest to the coarsest: each is made of the one before it, so its step is a multiple of that one's. */
export const RESOLUTIONS = {
  hour: { step: MINUTE, length: HOUR, kept: 3 * HOUR, partition: HOUR },
  day: { step: 5 * MINUTE, length: DAY, kept: DAY + 6 * HOUR, partition: 12 * HOUR },
  week: { step: 30 * MINUTE, length: 7 * DAY, kept: 8 * DAY, partition: 2 * DAY },
  month: { step: 2 * HOUR, length: 31 * DAY, kept: 35 * DAY, partition: 7 * DAY },
  year: { step: DAY, length: 366 * DAY, kept: 400 * DAY, partition: 90 * DAY },
} as const satisfies Readonly<Record<string, Resolution>>;

export type Timeframe = keyof typeof RESOLUTIONS;
export const TIMEFRAMES = ['hour', 'day', 'week', 'month', 'year'] as const satisfies readonly Timeframe[];

/** The coarser steps, each with the one that it is made of. */
export const ROLL_UPS = [
  { from: RESOLUTIONS.hour, to: RESOLUTIONS.day },
  { from: RESOLUTIONS.day, to: RESOLUTIONS.week },
  { from: RESOLUTIONS.week, to: RESOLUTIONS.month },
  { from: RESOLUTIONS.month, to: RESOLUTIONS.year },
] as const satisfies readonly { from: Resolution; to: Resolution }[];

/** A step is rolled up once it ended this long ago: samples take a moment to arrive. */
export const SETTLING = 2 * MINUTE;

/** When what ended can be read: rolled up by a job that runs each minute, or, of the minute itself, sampled. */
const READABLE = { sample: 0, rollUp: SETTLING + 2 * MINUTE };

/** Of a chart: `start` and `end` are on the step's grid; what ended too lately to be there is not in it. */
export function chartOf(timeframe: Timeframe, now: Instant): { start: number; end: number; step: number } {
  const { step, length } = RESOLUTIONS[timeframe];
  const until = now.epochMilliseconds / 1000 - (timeframe === 'hour' ? READABLE.sample : READABLE.rollUp);
  const end = floorTo(until, step);
  return { start: end - length, end, step };
}

/** The grid's line at or before a moment in Unix seconds. The grid of every step begins with Unix time. */
export function floorTo(seconds: number, step: number): number {
  return Math.floor(seconds / step) * step;
}

export function instantOf(seconds: number): Instant {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
}
