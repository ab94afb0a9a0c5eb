import { createServer, type Socket } from 'node:net';
import { greetViewer } from '../src/wire/console/handshake.ts';
import { Octets } from '../src/wire/console/octets.ts';

const CLIENT_MESSAGES: Readonly<Record<number, number>> = { 0: 20, 3: 10, 4: 8, 5: 6 };
const SET_ENCODINGS = 2;
const UPDATE_REQUEST = 3;

/** A machine's screen that changes all the time: a server of RFB 3.8 that answers each request with a whole frame. */
export interface RfbSource {
  readonly port: number;
  /** Octets of frames that were handed to the system. */
  readonly sent: () => number;
  close(): Promise<void>;
}

/** Listens on this machine. The frame `n`, from 0, is pixels of the octet `n` modulo 256. */
export async function openRfbSource(width: number, height: number): Promise<RfbSource> {
  let sent = 0;
  const sockets = new Set<Socket>();
  const frames = Array.from({ length: 4 }, () => Buffer.alloc(16 + width * height * 4));

  /** Answers requests in turn, each once the frame before has left. */
  async function serve(socket: Socket): Promise<void> {
    const said = new Octets(1024 * 1024);
    socket.on('data', (piece: Buffer) => said.push(piece));
    socket.on('close', () => said.fail(new Error('closed')));
    await greetViewer({ said, say: (octets) => socket.write(octets) });
    await said.take(1);
    const init = Buffer.alloc(24);
    init.writeUInt16BE(width, 0);
    init.writeUInt16BE(height, 2);
    Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0]).copy(init, 4);
    socket.write(init);
    for (let number = 0; ; ) {
      const [type = 0] = await said.take(1);
      if (type === SET_ENCODINGS) {
        const count = (await said.take(3)).readUInt16BE(1);
        await said.take(4 * count);
        continue;
      }
      await said.take((CLIENT_MESSAGES[type] ?? 1) - 1);
      if (type !== UPDATE_REQUEST) continue;
      const frame = frames[number % frames.length] ?? Buffer.alloc(0);
      draw(frame, number);
      const left = new Promise<void>((resolve, reject) =>
        socket.write(frame, (error) => {
          if (error) return reject(error);
          sent += frame.length;
          resolve();
        }),
      );
      await left;
      number += 1;
    }
  }

  function draw(frame: Buffer, number: number): void {
    frame.fill(number % 256, 16);
    frame.fill(0, 0, 16);
    frame.writeUInt16BE(1, 2);
    frame.writeUInt16BE(width, 8);
    frame.writeUInt16BE(height, 10);
  }

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    // It ends with its connection.
    serve(socket).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return {
    port: address.port,
    sent: () => sent,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
