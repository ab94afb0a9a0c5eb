import { createCipheriv, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';

const VERSION = 'RFB 003.008\n';
const VNC_AUTHENTICATION = 2;

/** A password's answer to a challenge (RFC 6143, 7.2.2): DES, with each octet of the key mirrored. */
export function vncAnswer(password: string, challenge: Buffer): Buffer {
  const key = Buffer.alloc(8);
  key.write(password.slice(0, 8), 'latin1');
  const mirrored = key.map((octet) =>
    Number.parseInt(octet.toString(2).padStart(8, '0').split('').reverse().join(''), 2),
  );
  // Three times the same key is DES itself.
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([mirrored, mirrored, mirrored]), null);
  return cipher.setAutoPadding(false).update(challenge);
}

/** Takes so many octets of what arrives, and no more; without a number what is there, or comes next. */
export function reader(stream: Duplex): (length?: number) => Promise<Buffer> {
  let waiting = Buffer.alloc(0);
  const arrived = stream[Symbol.asyncIterator]();
  return async (wanted) => {
    while (waiting.length < (wanted ?? 1)) {
      const { value, done } = await arrived.next();
      if (done === true) throw new Error('the connection ended');
      waiting = Buffer.concat([waiting, value]);
    }
    const length = wanted ?? waiting.length;
    const taken = waiting.subarray(0, length);
    waiting = waiting.subarray(length);
    return taken;
  };
}

/** The screen's side of RFB 3.8 until it knows who is there; then it sends back what it is sent. */
export async function serveRfb(stream: Duplex, password: string): Promise<void> {
  const take = reader(stream);
  stream.write(VERSION);
  await take(VERSION.length);
  stream.write(Buffer.from([1, VNC_AUTHENTICATION]));
  await take(1);
  const challenge = randomBytes(16);
  stream.write(challenge);
  const isRight = vncAnswer(password, challenge).equals(await take(16));
  stream.write(Buffer.from([0, 0, 0, isRight ? 0 : 1]));
  if (!isRight) return void stream.end();
  while (true) stream.write(await take());
}
