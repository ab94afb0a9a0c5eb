import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ROUNDS = 5000;
const OCTETS = 64;
const SALT_LENGTH = 16;

/**
 * The hash of a password as crypt(5) calls `sha512crypt`, which cloud-init and guest agents take: "Unix crypt using
 * SHA-256 and SHA-512" (U. Drepper, version 0.6), with the default of 5000 rounds.
 */
export function hashPassword(password: string, salt: string = newSalt()): string {
  const [key, salted] = [Buffer.from(password), Buffer.from(salt.slice(0, SALT_LENGTH))];
  const alternate = digest(key, salted, key);
  const parts = [key, salted, repeated(alternate, key.length)];
  for (let bits = key.length; bits > 0; bits >>= 1) parts.push(bits % 2 === 1 ? alternate : key);
  let result = digest(...parts);
  const p = repeated(digest(...new Array<Buffer>(key.length).fill(key)), key.length);
  const s = repeated(digest(...new Array<Buffer>(16 + (result[0] ?? 0)).fill(salted)), salted.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    const isOdd = round % 2 === 1;
    result = digest(
      isOdd ? p : result,
      ...(round % 3 === 0 ? [] : [s]),
      ...(round % 7 === 0 ? [] : [p]),
      isOdd ? result : p,
    );
  }
  return `$6$${salted}$${encoded(result)}`;
}

function newSalt(): string {
  return [...randomBytes(SALT_LENGTH)].map((octet) => ALPHABET[octet % OCTETS]).join('');
}

function digest(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function repeated(octets: Buffer, length: number): Buffer {
  return Buffer.alloc(length, octets);
}

/** Three octets at a time, 21 apart and turned by one each time, then the last one alone. */
function encoded(octets: Buffer): string {
  const at = (index: number) => octets[index] ?? 0;
  let text = '';
  for (let group = 0; group < 21; group += 1) {
    const order = [group, group + 21, group + 42];
    const turned = [0, 1, 2].map((place) => at(order[(place + group) % 3] ?? 0));
    text += characters(((turned[0] ?? 0) << 16) | ((turned[1] ?? 0) << 8) | (turned[2] ?? 0), 4);
  }
  return text + characters(at(63), 2);
}

function characters(value: number, count: number): string {
  return Array.from({ length: count }, (_, index) => ALPHABET[(value >> (6 * index)) & 63]).join('');
}

/** A line of a file of passwords, or more than one: nothing that a login prompt could take. */
export function isPassword(text: string): boolean {
  return text.length > 0 && text.length <= 128 && !/[\0\r\n]/.test(text);
}
