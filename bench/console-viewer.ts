import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { greetMachine } from '../backend/src/wire/console/handshake.ts';
import { Octets } from '../backend/src/wire/console/octets.ts';
import type { ScreenAddress } from './console-source.ts';

const INIT_OCTETS = 24;
const HEADER_OCTETS = 16;
/** What it asks for before it has come, as viewers over a long way do. */
const AHEAD = 2;

/** A way to a machine's screen. */
interface Way {
  say(octets: Buffer): void;
  hear(listener: (piece: Buffer) => void): void;
  close(): void;
}

async function overSocket(screen: ScreenAddress): Promise<Way> {
  const socket = connect(screen);
  await once(socket, 'connect');
  return {
    say: (octets) => void socket.write(octets),
    hear: (listener) => void socket.removeAllListeners('data').on('data', listener),
    close: () => socket.destroy(),
  };
}

/**
 * Without a library, as the bare socket is read: what a browser's WebSocket costs is not what is measured. Messages to the
 * console are short; a mask of zeros leaves them as they are.
 */
async function overConsole(url: string, protocols: readonly string[]): Promise<Way> {
  const asking = request(url.replace('ws:', 'http:'), {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      'sec-websocket-protocol': protocols.join(', '),
    },
  });
  asking.end();
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  asking.on('error', reject);
  asking.on('response', ({ statusCode }) => reject(new Error(`the console answers ${statusCode}`)));
  asking.on('upgrade', (_answer, upgraded, head) => {
    if (head.length > 0) upgraded.unshift(head);
    resolve(upgraded);
  });
  const socket = await promise;
  return {
    say: (octets) =>
      void socket.write(Buffer.concat([Buffer.from([0x82, 0x80 | octets.length, 0, 0, 0, 0]), octets])),
    hear(listener) {
      socket.removeAllListeners('data').on('data', contentsOfFrames(listener));
    },
    close: () => socket.destroy(),
  };
}

/** What a server's frames hold (RFC 6455, section 5.2), in whatever pieces they come. */
function contentsOfFrames(listener: (piece: Buffer) => void): (piece: Buffer) => void {
  let header = Buffer.alloc(0);
  let left = 0;
  return (piece) => {
    for (let rest = piece; rest.length > 0; ) {
      if (left === 0) {
        const started = header.length;
        header = Buffer.concat([header, rest.subarray(0, 10 - started)]);
        const short = (header[1] ?? 0) & 0x7f;
        const length = short < 126 ? 2 : short === 126 ? 4 : 10;
        if (header.length < length) return;
        left =
          short < 126 ? short : short === 126 ? header.readUInt16BE(2) : Number(header.readBigUInt64BE(2));
        rest = rest.subarray(length - started);
        header = Buffer.alloc(0);
      }
      const content = rest.subarray(0, left);
      left -= content.length;
      rest = rest.subarray(content.length);
      if (content.length > 0) listener(content);
    }
  };
}

/** Octets of pixels that come in a second, each of which is copied to where a viewer shows it. */
async function rate(way: Way, seconds: number): Promise<number> {
  const said = new Octets(1024);
  way.hear((piece) => said.push(piece));
  await greetMachine({ said, say: way.say }, null);
  way.say(Buffer.from([1]));
  const init = await said.take(INIT_OCTETS);
  const [width, height] = [init.readUInt16BE(0), init.readUInt16BE(2)];
  const shown = Buffer.alloc(width * height * 4);
  const asking = Buffer.alloc(10);
  asking.writeUInt8(3, 0);
  asking.writeUInt16BE(width, 6);
  asking.writeUInt16BE(height, 8);
  const frame = HEADER_OCTETS + shown.length;
  let [octets, at] = [0, 0];
  const done = Promise.withResolvers<void>();
  const begun = performance.now();
  way.hear((piece) => {
    octets += piece.length;
    for (let from = 0; from < piece.length; ) {
      const length = Math.min(piece.length - from, frame - at);
      piece.copy(shown, Math.max(0, at - HEADER_OCTETS), from, from + length);
      from += length;
      at += length;
      if (at < frame) continue;
      at = 0;
      way.say(asking);
    }
    if (performance.now() - begun >= seconds * 1000) done.resolve();
  });
  for (let asked = 0; asked < AHEAD; asked += 1) way.say(asking);
  await done.promise;
  const took = (performance.now() - begun) / 1000;
  way.close();
  return octets / took;
}

/** Octets a second straight from the screen's socket. */
export async function bareRate(screen: ScreenAddress, seconds: number): Promise<number> {
  return await rate(await overSocket(screen), seconds);
}

/** Octets a second through a console. */
export async function consoleRate(
  url: string,
  protocols: readonly string[],
  seconds: number,
): Promise<number> {
  return await rate(await overConsole(url, protocols), seconds);
}
