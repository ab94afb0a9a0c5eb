/** Which requests leave a line in the log. */
export interface Sampling {
  /** Whether each one that fails does. */
  readonly errors: boolean;
  /** The share of those that succeed, from 0 to 1. */
  readonly share: number;
}

/** Reads `all`, `errors`, `off` or a share such as `1/100`; null: it is none of them. */
export function parseSampling(text: string): Sampling | null {
  if (text === 'all') return { errors: true, share: 1 };
  if (text === 'errors') return { errors: true, share: 0 };
  if (text === 'off') return { errors: false, share: 0 };
  const of = /^1\/([1-9]\d{0,8})$/.exec(text)?.[1];
  return of === undefined ? null : { errors: true, share: 1 / Number(of) };
}
