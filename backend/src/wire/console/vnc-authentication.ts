import { createCipheriv } from 'node:crypto';

const KEY_OCTETS = 8;

/**
 * What a client answers to a challenge of "VNC Authentication" (RFC 6143, section 7.2.2): the challenge encrypted by DES
 * with the first eight octets of the password, each with its bits in reverse, which is how all programs read that section.
 */
export function vncResponse(password: string, challenge: Buffer): Buffer {
  const key = Buffer.alloc(KEY_OCTETS);
  Buffer.from(password).copy(key);
  const reversed = key.map(reverseBits);
  // OpenSSL keeps single DES out of reach, and triple DES with one key three times is the same.
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([reversed, reversed, reversed]), null);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(challenge), cipher.final()]);
}

function reverseBits(octet: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit += 1) reversed |= ((octet >> bit) & 1) << (7 - bit);
  return reversed;
}
