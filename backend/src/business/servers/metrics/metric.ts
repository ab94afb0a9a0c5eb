/** What is sampled of a server, by the names of interface and columns alike; and its unit. */
export const METRICS = ['cpu', 'mem', 'disk', 'diskread', 'diskwrite', 'netin', 'netout'] as const;
export type Metric = (typeof METRICS)[number];

/** Bytes that a machine counts from its start on, kept as bytes a second. */
export const COUNTERS = ['diskread', 'diskwrite', 'netin', 'netout'] as const;
export type Counter = (typeof COUNTERS)[number];

/** How the samples of a step became one figure. */
export type Consolidation = 'average' | 'max';
