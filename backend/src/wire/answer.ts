import { ERRORS, type ErrorCode, type InputProblem, type Refusal, refusalText } from '../errors.ts';
import type { AnswerHeaders, Locale, Text } from '../operation.ts';
import { problemText } from '../problem-text.ts';

/** A complete HTTP answer; the body is already text, so that it can be stored for a repeated key as it is. */
export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: string;
}

/** The envelope of success, in the reader's language. Members in the documented order. */
export function successBody(message: Text, status: number, data: unknown, locale: Locale): string {
  const shown = locale === 'en' ? data : warningsIn(locale, data);
  return `{"response":${JSON.stringify(message[locale])},"state":"success","code":${status},"data":${JSON.stringify(shown)}}`;
}

/** With the `warnings` of what was asked for, and of its quote, in this language. */
function warningsIn(locale: Locale, data: unknown): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  const { warnings, quote } = data as { warnings?: unknown; quote?: unknown };
  if (quote !== undefined) return { ...data, quote: warningsIn(locale, quote) };
  if (!Array.isArray(warnings)) return data;
  const told = (warnings as readonly { message: string }[]).map((warning) => ({
    ...warning,
    message: problemText(warning.message, locale),
  }));
  return { ...data, warnings: told };
}

export interface ErrorContext {
  readonly requestId: string;
  readonly locale: Locale;
  readonly publicUrl: string;
}

/** The envelope of failure with the members of RFC 9457 and the extension members of the refusal. */
export function errorAnswer(refusal: Refusal, context: ErrorContext): Answer {
  const text = ERRORS[refusal.code];
  const { shown, leftOff } = problemsIn(context.locale, refusal.detail.errors ?? []);
  const members: Readonly<Record<string, unknown>> = {
    ...bounded(refusal.detail.members ?? {}),
    ...(leftOff > 0 && { errors_left_off: leftOff }),
  };
  const detail = refusalText({ code: refusal.code, members }, context.locale);
  const body = {
    response: detail,
    state: 'error',
    code: text.status,
    data: null,
    error: refusal.code,
    errors: shown,
    request_id: context.requestId,
    retryable: text.retryable === true,
    type: `${context.publicUrl}/docs/errors#${refusal.code}`,
    title: text.title,
    status: text.status,
    detail,
    instance: `urn:uuid:${context.requestId}`,
    ...members,
  };
  const headers: Record<string, string> = { ...refusal.detail.headers };
  if (text.status === 401)
    headers['www-authenticate'] = `Bearer realm="hostkeep", error="${bearerError(refusal.code)}"`;
  const wait = members.retry_after;
  if (typeof wait === 'number') headers['retry-after'] = String(wait);
  else if (text.status === 503) headers['retry-after'] = '5';
  return { status: text.status, headers, body: JSON.stringify(body) };
}

/** Of all problems of an answer as JSON, and of all its own members: no answer to a request is as long as what provokes it. */
const MAX_PROBLEMS_BYTES = 24_000;
const MAX_MEMBERS_BYTES = 8_000;

/** The problems in the reader's language: as many as an answer holds, and how many it leaves off. */
function problemsIn(locale: Locale, problems: readonly InputProblem[]) {
  const shown: InputProblem[] = [];
  let length = 0;
  for (const problem of problems) {
    const told = { ...problem, message: problemText(problem.message, locale) };
    length += sizeOf(told);
    if (length > MAX_PROBLEMS_BYTES) break;
    shown.push(told);
  }
  return { shown, leftOff: problems.length - shown.length };
}

/** As JSON, in bytes. */
function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? 'null');
}

/** The members of a refusal; of those that would make it long, texts and lists are cut. */
function bounded(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (sizeOf(members) <= MAX_MEMBERS_BYTES) return members;
  const share = Math.floor(MAX_MEMBERS_BYTES / Object.keys(members).length);
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, cutTo(share, value)]));
}

function cutTo(length: number, value: unknown): unknown {
  if (sizeOf(value) <= length) return value;
  if (typeof value === 'string') return `${value.slice(0, Math.floor(length / 6)).toWellFormed()}…`;
  if (!Array.isArray(value)) return null;
  const kept: unknown[] = [];
  let total = 2;
  for (const item of value) {
    total += sizeOf(item) + 1;
    if (total > length) break;
    kept.push(item);
  }
  return kept;
}

/** RFC 6750 §3.1. */
function bearerError(code: ErrorCode): string {
  return code === 'token_missing' ? 'invalid_request' : 'invalid_token';
}
