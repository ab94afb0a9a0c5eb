import { randomFillSync } from 'node:crypto';
import { sha256 } from '../../base/canonical.ts';

// Crockford's base 32: no I, L, O, U, so a key can be read aloud and typed.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 5;
const GROUP_LENGTH = 5;

const pool = Buffer.alloc(25 * 256);
let used = pool.length;

/** A fresh license key with 125 random bits: `HK-7Q2ZK-…`, five groups of five. */
export function newLicenseKey(): string {
  const length = GROUPS * GROUP_LENGTH;
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let key = 'HK';
  for (let index = 0; index < length; index += 1) {
    if (index % GROUP_LENGTH === 0) key += '-';
    key += ALPHABET[(pool[used + index] ?? 0) & 31];
  }
  pool.fill(0, used, used + length);
  used += length;
  return key;
}

/** How a key is found again without being kept in clear. Case and spaces do not matter. */
export function licenseKeyHash(key: string): Buffer {
  return sha256(key.trim().toUpperCase());
}

/** The scope that shows whole keys. */
export const READ_KEY = 'panel:read_key';

/** What a token without {@link READ_KEY} sees: the first group and nothing else. */
export function maskLicenseKey(key: string): string {
  return `${key.slice(0, 8)}-*****-*****-*****-*****`;
}
