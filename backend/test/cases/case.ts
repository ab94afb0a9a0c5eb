import type { ErrorCode } from '../../src/errors.ts';
import type { Call, Harness } from '../harness.ts';

/** Prepares what a call needs, with a customer of its own, and says how to call. */
export type Prepare = (harness: Harness) => Promise<Call>;

/** How one operation is called: so that it succeeds, and so that each error which it declares comes about. */
export interface OperationCases {
  readonly succeeds: Prepare;
  readonly refuses: { readonly [Code in ErrorCode]?: Prepare };
}

/** By the operation's path. A file for each group; `every-operation.test.ts` finds it by its name. */
export type Cases = Readonly<Record<string, OperationCases>>;
