import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../../../base/clock.ts';
import type { ServerAddress } from '../../../base/name-server.ts';
import { Overloaded, Semaphore } from '../../../base/semaphore.ts';
import type { Executor } from '../../../db/pool.ts';
import { answerFrom, refusal, refusedBefore } from './answer.ts';
import { type Query, RCODE, type Response, readQuery, writeResponse } from './message.ts';
import { Zones } from './zones.ts';

export interface SandboxServerOptions {
  readonly db: Executor;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export interface SandboxServer extends ServerAddress {
  close(): Promise<void>;
}

/** Of what asks without EDNS(0), and what gets through everywhere (DNS flag day 2020). */
const UDP_LIMIT = { least: 512, most: 1_232 };
const TCP_LIMIT = 0xffff;
/** Questions looked up at once, and those that wait; beyond, UDP is dropped, as the network may drop it. */
const LOOKUPS = { slots: 16, queue: 512 };
const CONNECTIONS = 64;
const IDLE_MS = 10_000;
/** Nobody's question is longer: TCP connections that announce more are closed. */
const LONGEST_QUERY = 4_096;

/**
 * Answers with authority for the zones in the sandbox's books, by UDP and TCP on one port (0: any free one). Rejects
 * when the port is taken.
 */
export async function startSandboxServer(
  { address, port }: ServerAddress,
  options: SandboxServerOptions,
): Promise<SandboxServer> {
  const respond = responder(options);
  const tcp = await listenTcp({ address, port }, respond, options.onError);
  const bound = tcp.server.address();
  const chosen = bound === null || typeof bound === 'string' ? port : bound.port;
  try {
    const udp = await listenUdp({ address, port: chosen }, respond, options.onError);
    return {
      address,
      port: chosen,
      async close() {
        udp.close();
        await tcp.close();
      },
    };
  } catch (error) {
    await tcp.close();
    // Free for TCP, but somebody's for UDP.
    if (port === 0 && (error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      return await startSandboxServer({ address, port }, options);
    throw error;
  }
}

type Respond = (packet: Buffer, limitOf: (query: Query) => number) => Promise<Buffer | null>;

function responder({ db, clock, onError }: SandboxServerOptions): Respond {
  const zones = new Zones(db);
  const lookups = new Semaphore(LOOKUPS.slots, LOOKUPS.queue);

  async function responseTo(query: Query): Promise<Response> {
    const refused = refusedBefore(query);
    if (refused !== null || query.question === null) return refusal(refused ?? RCODE.FORMERR);
    const { name, type } = query.question;
    const zone = await zones.closest(name, type);
    return zone === null ? refusal(RCODE.REFUSED) : answerFrom(zone, query, clock.now());
  }

  return async (packet, limitOf) => {
    const query = readQuery(packet);
    if (query === null) return null;
    try {
      const response = await lookups.run(() => responseTo(query));
      return writeResponse(query, response, limitOf(query));
    } catch (error) {
      if (error instanceof Overloaded) return null;
      onError(error);
      return writeResponse(query, refusal(RCODE.SERVFAIL), limitOf(query));
    }
  };
}

async function listenUdp(
  { address, port }: ServerAddress,
  respond: Respond,
  onError: (error: unknown) => void,
): Promise<UdpSocket> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', async (packet, asker) => {
    // Nobody's port: an answer could only go round in circles.
    if (asker.port === 0) return;
    const answer = await respond(packet, ({ edns }) =>
      Math.min(Math.max(edns?.payload ?? 0, UDP_LIMIT.least), UDP_LIMIT.most),
    );
    if (answer === null) return;
    try {
      socket.send(answer, asker.port, asker.address, () => {});
    } catch {
      // Closed while it was looked up.
    }
  });
  const listening = once(socket, 'listening');
  try {
    socket.bind(port, address);
    await listening;
  } catch (error) {
    socket.close();
    throw error;
  }
  socket.on('error', onError);
  return socket;
}

async function listenTcp(
  { address, port }: ServerAddress,
  respond: Respond,
  onError: (error: unknown) => void,
): Promise<{ server: Server; close(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket
      .setTimeout(IDLE_MS, () => socket.destroy())
      .on('error', () => socket.destroy())
      .on('close', () => open.delete(socket));
    void converse(socket, respond);
  });
  server.maxConnections = CONNECTIONS;
  const listening = once(server, 'listening');
  server.listen(port, address);
  await listening;
  server.on('error', onError);
  return {
    server,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** Messages with their length before them (RFC 1035 §4.2.2), one after another. */
async function converse(socket: Socket, respond: Respond): Promise<void> {
  let received = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2) {
        const length = received.readUInt16BE(0);
        if (length > LONGEST_QUERY) return;
        if (received.length < 2 + length) break;
        const answer = await respond(received.subarray(2, 2 + length), () => TCP_LIMIT);
        received = received.subarray(2 + length);
        if (answer === null) return;
        const head = Buffer.alloc(2);
        head.writeUInt16BE(answer.length);
        socket.write(Buffer.concat([head, answer]));
      }
    }
  } catch {
    // The asker went away.
  } finally {
    // After what was written is out.
    socket.destroySoon();
  }
}
