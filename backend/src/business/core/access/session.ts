import type { Sealer } from '../../../base/seal.ts';

export const SESSION_SECONDS = 7 * 24 * 3600;
/** An operator's, who sees all customers: a working day. */
export const STAFF_SESSION_SECONDS = 12 * 3600;
/** For how long an operator's session may lie unused, in customers' places too. */
export const STAFF_IDLE_SECONDS = 30 * 60;

/**
 * The cookie's name. With the prefix browsers take it from this host alone (RFC 6265bis §4.1.3.2): without it, other
 * hosts of the domain, such as customers' webspaces, could plant a session. The prefix needs TLS.
 */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-hostkeep_session' : 'hostkeep_session';
}

/** What a request with the session's cookie has to carry too, since browsers send cookies unasked. */
export function csrfToken(sealer: Sealer, tokenId: string): string {
  return sealer.digest('csrf', tokenId).toString('base64url');
}

/**
 * Set-Cookie (RFC 6265bis §4.1): closed to scripts, never sent by other sites, and only over TLS where the
 * installation has it.
 */
export function sessionCookie(secret: string, seconds: number, publicUrl: string): string {
  return cookie(secret, seconds, publicUrl);
}

/** Takes the cookie away. */
export function endedCookie(publicUrl: string): string {
  return cookie('', 0, publicUrl);
}

function cookie(value: string, maxAge: number, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${sessionCookieName(publicUrl)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`;
}
