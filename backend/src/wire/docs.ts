import type { Operation } from '../operation.ts';

/** The browsable reference: one page per path. */
export function docsPages(_operations: readonly Operation[]): Map<string, string> {
  return new Map([['/docs', '<!doctype html><title>Hostkeep</title>']]);
}
