import type { Reading, RecordField, RecordProblem } from './record.ts';

/** Thrown while something is read, and caught by `reading`: nothing outside this folder sees it. */
export class RecordFault extends Error {
  readonly problem: RecordProblem;

  constructor(problem: RecordProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

type Extra = Pick<RecordProblem, 'allowed' | 'limit'>;

/** Stops reading: this is wrong with the content, or with another field. */
export function fail(
  error: RecordProblem['error'],
  message: string,
  extra: Extra = {},
  field: RecordField = 'content',
): never {
  throw new RecordFault({ field, error, message, ...extra });
}

/** What a reading function returns, or why it stopped. */
export function reading<T>(read: () => T): Reading<T> {
  try {
    return { ok: true, value: read() };
  } catch (thrown) {
    if (thrown instanceof RecordFault) return { ok: false, problem: thrown.problem };
    throw thrown;
  }
}

/** The same, with what is wrong said of another field. */
export function about<T>(field: RecordField, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof RecordFault) throw new RecordFault({ ...thrown.problem, field });
    throw thrown;
  }
}
