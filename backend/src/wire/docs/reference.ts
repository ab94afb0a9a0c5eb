import type { Operation } from '../../operation.ts';
import { byGroup } from '../group.ts';

/** What all pages are made from. */
export interface Reference {
  readonly groups: readonly (readonly [string, readonly Operation[]])[];
  /** Paths that have a page. */
  readonly paths: ReadonlySet<string>;
  /** Where the interface is, e.g. `https://hosting.example/api/v2`. */
  readonly base: string;
  /** The `data` that operations answered, by their paths. */
  readonly answers: Readonly<Record<string, unknown>>;
}

export function referenceOf(
  operations: readonly Operation[],
  { base, answers }: Pick<Reference, 'base' | 'answers'>,
): Reference {
  return {
    groups: byGroup(operations),
    paths: new Set(operations.map((operation) => operation.path)),
    base,
    answers,
  };
}
