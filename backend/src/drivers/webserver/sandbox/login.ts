import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const SALT_BYTES = 16;
const HASH_BYTES = 32;
// Low for scrypt, because a thousand sites are made within seconds here.
const PARAMETERS = { N: 1024, r: 8, p: 1 };

/** What a site keeps of a password: enough to tell whether another is the same. Salt, then hash. */
export async function hashLogin(username: string, password: string): Promise<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  return Buffer.concat([salt, await derive(username, password, salt)]);
}

export async function isLogin(stored: Buffer | null, username: string, password: string): Promise<boolean> {
  if (stored === null) return false;
  const expected = stored.subarray(SALT_BYTES);
  return timingSafeEqual(await derive(username, password, stored.subarray(0, SALT_BYTES)), expected);
}

function derive(username: string, password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(`${username}\n${password}`, salt, HASH_BYTES, PARAMETERS, (error, key) =>
      error === null ? resolve(key) : reject(error),
    ),
  );
}
