import type { Json } from '../base/canonical.ts';
import { REFERRAL_COOKIE } from '../business/selling/affiliates/referral.ts';
import { Refusal } from '../errors.ts';
import type { Caller, Locale, Operation } from '../operation.ts';
import { mergeParameters, parseJsonBody, parseQuery } from './input.ts';

/** A request as it came over the network, before anything of it is believed. */
export interface Request {
  readonly operation: Operation;
  readonly ip: string;
  readonly query: string;
  readonly body: Buffer | null;
  readonly header: (name: string) => string | undefined;
  /** Told who stands behind it as soon as the token is known, also of a request that is then refused. */
  readonly onCaller?: (caller: Caller) => void;
}

/** The parameters as they came, before the operation's schema has seen them. */
export function readParameters(request: Request): Json {
  const { operation, body } = request;
  const parsed = body === null || body.length === 0 ? undefined : parseJsonBody(body);
  if (operation.method === 'GET') return mergeParameters(operation.input, parseQuery(request.query), parsed);
  return parsed ?? {};
}

/** The token of a request: from the header, else from the session's cookie, which has this name. */
export function secretOf(
  request: Request,
  sessionCookie: string,
): { secret: string; fromCookie: boolean } | null {
  const bearer = bearerToken(request.header('authorization'));
  if (bearer !== null) return { secret: bearer, fromCookie: false };
  const cookie = cookieValue(request.header('cookie'), sessionCookie);
  return cookie === null ? null : { secret: cookie, fromCookie: true };
}

/** The affiliate's code that the request's cookie names; null without one. */
export function referralCodeOf(request: Request): string | null {
  return cookieValue(request.header('cookie'), REFERRAL_COOKIE);
}

/** The cookie by which a device is known that was in before; null without one. */
export function deviceCookieOf(request: Request, name: string): string | null {
  return cookieValue(request.header('cookie'), name);
}

function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  const match = /^Bearer +([\x21-\x7e]+) *$/i.exec(header);
  if (match?.[1] === undefined) throw new Refusal('token_invalid');
  return match[1];
}

function cookieValue(header: string | undefined, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || null;
  }
  return null;
}

/** The first language of Accept-Language (RFC 9110 §12.5.4) that there are texts in. */
export function localeOf(header: string | undefined): Locale {
  if (header === undefined) return 'en';
  const ranked = header
    .split(',')
    .map((part, index) => {
      const [range = '', ...parameters] = part.trim().toLowerCase().split(';');
      const q = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find((value) => value);
      return { language: range.split('-')[0], q: q === undefined ? 1 : Number(q), index };
    })
    .filter(({ language, q }) => (language === 'en' || language === 'de') && q > 0)
    .sort((a, b) => b.q - a.q || a.index - b.index);
  return ranked[0]?.language === 'de' ? 'de' : 'en';
}

/** The seconds of `Prefer: wait=N` (RFC 7240), at most 30; 0 without it. */
export function preferredWait(header: string | undefined): number {
  const seconds = /(?:^|[,;\s])wait=(\d{1,3})(?:$|[,;\s])/.exec(header ?? '')?.[1];
  return seconds === undefined ? 0 : Math.min(30, Number(seconds));
}
