import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { Octets } from '../src/wire/console/octets.ts';

/** What `server/vnc` answers with. */
export interface OpenConsole {
  readonly websocket_url: string;
  readonly subprotocols: readonly string[];
}

/** How a WebSocket ended. */
export interface Closed {
  readonly code: number;
  readonly reason: string;
}

const VERSION = 'RFB 003.008\n';

/** A screen as a viewer sees it who asks for raw pixels, four octets each. */
export interface Seen {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

/** A program that looks at a console: RFB 3.8 (RFC 6143) over a WebSocket. */
export class Viewer {
  readonly socket: WebSocket;
  readonly closed: Promise<Closed>;
  readonly #said = new Octets(256 * 1024 * 1024);
  #width = 0;
  #height = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
    );
    this.closed.then(({ reason }) => this.#said.fail(new Error(`closed: ${reason}`)));
    socket.on('message', (message: Buffer) => this.#said.push(message));
  }

  /** Introduces itself, and gives the name of the machine. */
  async greet(): Promise<string> {
    assert.equal(String(await this.#said.take(VERSION.length)), VERSION);
    this.socket.send(Buffer.from(VERSION));
    assert.deepEqual([...(await this.#said.take(2))], [1, 1], 'only "None" is offered');
    this.socket.send(Buffer.from([1]));
    assert.equal((await this.#said.take(4)).readUInt32BE(), 0);
    this.socket.send(Buffer.from([1]));
    const init = await this.#said.take(24);
    [this.#width, this.#height] = [init.readUInt16BE(0), init.readUInt16BE(2)];
    return String(await this.#said.take(init.readUInt32BE(20)));
  }

  /** The screen as it is; with `incremental`, once something of it has changed. */
  async see(incremental: boolean): Promise<Seen> {
    this.request(incremental);
    return await this.frame();
  }

  /** Asks for the screen, which {@link frame} then gives. */
  request(incremental: boolean): void {
    const asking = Buffer.alloc(10);
    asking.writeUInt8(3, 0);
    asking.writeUInt8(incremental ? 1 : 0, 1);
    asking.writeUInt16BE(this.#width, 6);
    asking.writeUInt16BE(this.#height, 8);
    this.socket.send(asking);
  }

  /** The next update that comes, of one rectangle of raw pixels. */
  async frame(): Promise<Seen> {
    const header = await this.#said.take(16);
    assert.deepEqual([header.readUInt8(0), header.readUInt16BE(2), header.readInt32BE(12)], [0, 1, 0]);
    const [width, height] = [header.readUInt16BE(8), header.readUInt16BE(10)];
    return { width, height, pixels: await this.#said.take(width * height * 4) };
  }

  press(keysym: number): void {
    for (const down of [1, 0]) {
      const event = Buffer.alloc(8);
      event.writeUInt8(4, 0);
      event.writeUInt8(down, 1);
      event.writeUInt32BE(keysym, 4);
      this.socket.send(event);
    }
  }
}

/** Opens a console; rejects with the HTTP answer's status and body when it is refused. */
export async function openViewer(
  { websocket_url, subprotocols }: OpenConsole,
  options: { readonly origin?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Viewer> {
  const socket = new WebSocket(websocket_url, [...subprotocols], options);
  const viewer = new Viewer(socket);
  const refused = new Promise<never>((_, reject) => {
    socket.on('error', reject);
    socket.on('unexpected-response', async (_request, response) => {
      let text = '';
      for await (const part of response) text += part;
      reject(new RefusedConsole(response.statusCode ?? 0, JSON.parse(text).error));
    });
  });
  refused.catch(() => {});
  await Promise.race([once(socket, 'open'), refused]);
  assert.equal(socket.protocol, 'binary');
  return viewer;
}

/** The answer to a WebSocket that was not opened. */
export class RefusedConsole extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}
