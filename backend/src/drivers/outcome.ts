/**
 * What a back end's command came to. Commands are phrased as the wanted state and may run twice; whatever is
 * thrown (a time-out, a broken connection) means that the outcome is unknown and the command runs again,
 * which finds out what is there before it changes anything.
 */
export type CommandOutcome<Result, Refusal extends string = string> =
  | { readonly kind: 'done'; readonly result: Result }
  /** Under way: ask again later. */
  | { readonly kind: 'pending'; readonly step: string; readonly progress: number }
  /** Final: the back end will never do this. */
  | { readonly kind: 'refused'; readonly reason: Refusal };

/** A back end did not answer a query in time. */
export class BackendUnavailable extends Error {
  override readonly name = 'BackendUnavailable';
  readonly backend: string;

  constructor(backend: string, cause?: unknown) {
    super(`${backend} does not answer`, { cause });
    this.backend = backend;
  }
}
