import { ERRORS, type ErrorCode, type Refusal, refusalText } from '../errors.ts';
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
  const members = refusal.detail.members ?? {};
  const detail = refusalText(refusal, context.locale);
  const body = {
    response: detail,
    state: 'error',
    code: text.status,
    data: null,
    error: refusal.code,
    errors: (refusal.detail.errors ?? []).map((problem) => ({
      ...problem,
      message: problemText(problem.message, context.locale),
    })),
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

/** RFC 6750 §3.1. */
function bearerError(code: ErrorCode): string {
  return code === 'token_missing' ? 'invalid_request' : 'invalid_token';
}
