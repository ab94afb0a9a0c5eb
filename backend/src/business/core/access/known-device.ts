import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Sealer } from '../../../base/seal.ts';
import type { Instant } from '../../../base/time.ts';

const PURPOSE = 'known device';
const DAY = 24 * 3600;
const DEVICE_DAYS = 365;
/** People who share a browser. */
const MOST_PEOPLE = 5;
const ENTRY = /^\d{1,6}\.[\w-]{16}\.[\w-]{22}$/;

/** With the prefix no other host of the domain plants it; see `sessionCookieName`. */
export function deviceCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-hostkeep_device' : 'hostkeep_device';
}

/**
 * The name of the device that this cookie was given to when somebody with this address came in; null: nobody did, or a
 * year ago. It lets nobody in: guesses from it are counted by themselves, so that those from elsewhere do not lock out
 * who was in before.
 */
export function knownDevice(
  sealer: Sealer,
  cookie: string | null,
  address: string,
  now: Instant,
): string | null {
  for (const entry of entriesOf(cookie)) {
    const [day = '', name = '', mac = ''] = entry.split('.');
    const given = Buffer.from(mac, 'base64url');
    const expected = macOf(sealer, day, name, address);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) continue;
    return dayOf(now) - Number(day) <= DEVICE_DAYS ? name : null;
  }
  return null;
}

/** Set-Cookie: the device is known for this person, too, and keeps its name for a further year. */
export function deviceCookie(
  sealer: Sealer,
  cookie: string | null,
  address: string,
  { now, publicUrl }: { readonly now: Instant; readonly publicUrl: string },
): string {
  const known = knownDevice(sealer, cookie, address, now);
  const name = known ?? randomBytes(12).toString('base64url');
  const day = String(dayOf(now));
  const fresh = `${day}.${name}.${macOf(sealer, day, name, address).toString('base64url')}`;
  const others = entriesOf(cookie).filter((entry) => entry.split('.')[1] !== name);
  const value = [fresh, ...others].slice(0, MOST_PEOPLE).join('~');
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${deviceCookieName(publicUrl)}=${value}; Path=/; Max-Age=${DEVICE_DAYS * DAY}; HttpOnly; SameSite=Strict${secure}`;
}

function entriesOf(cookie: string | null): string[] {
  return (cookie ?? '')
    .slice(0, 1_000)
    .split('~', MOST_PEOPLE)
    .filter((entry) => ENTRY.test(entry));
}

function macOf(sealer: Sealer, day: string, name: string, address: string): Buffer {
  return sealer.digest(PURPOSE, JSON.stringify([day, name, address])).subarray(0, 16);
}

function dayOf(now: Instant): number {
  return Math.floor(now.epochMilliseconds / 1000 / DAY);
}
