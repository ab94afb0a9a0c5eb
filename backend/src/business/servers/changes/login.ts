import { randomInt } from 'node:crypto';

export const PASSWORD_PURPOSE = 'server-password';
export const USER_DATA_PURPOSE = 'server-user-data';

// Without characters that look alike, so that a password can be typed on a console.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 20;

/** A fresh password of 20 characters with 115 random bits. */
export function newPassword(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
