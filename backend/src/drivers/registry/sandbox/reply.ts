import { BackendUnavailable } from '../../outcome.ts';

/** RFC 5730 §3: what a command that succeeded is answered with. 1001: asked for, and decided later. */
export type SuccessCode = 1000 | 1001 | 1300 | 1301;

/** RFC 5730 §3: the command changed nothing. */
export type FailureCode =
  | 2003
  | 2004
  | 2005
  | 2101
  | 2102
  | 2104
  | 2105
  | 2106
  | 2200
  | 2201
  | 2202
  | 2300
  | 2301
  | 2302
  | 2303
  | 2304
  | 2305
  | 2306
  | 2308;

/** What of a command a failure is about. */
export type FailureField =
  | 'name'
  | 'period'
  | 'expiry'
  | 'fee'
  | 'authcode'
  | 'contact'
  | 'host'
  | 'ds'
  | 'status'
  | 'lock'
  | 'transfer'
  | 'credit'
  | 'message'
  | 'registrar';

export interface Success<Data> {
  readonly ok: true;
  readonly code: SuccessCode;
  readonly data: Data;
}

export interface Failure {
  readonly ok: false;
  readonly code: FailureCode;
  readonly field: FailureField;
  /** For people, in English. */
  readonly reason: string;
}

export type Reply<Data> = Success<Data> | Failure;

export function success<Data>(data: Data, code: SuccessCode = 1000): Success<Data> {
  return { ok: true, code, data };
}

export function failure(code: FailureCode, field: FailureField, reason: string): Failure {
  return { ok: false, code, field, reason };
}

/** null: what was asked for is not there, as these codes say. Whatever else went wrong says nothing of that. */
export function there<Data>(reply: Reply<Data>, absent: readonly FailureCode[]): Data | null {
  if (reply.ok) return reply.data;
  if (absent.includes(reply.code)) return null;
  throw new BackendUnavailable('sandbox', new Error(reply.reason));
}
