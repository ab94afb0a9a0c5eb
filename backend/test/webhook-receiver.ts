import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { openOutbound } from '../src/base/outbound.ts';
import { selfSigned } from './certificate.ts';

/** A request as a receiver of webhooks gets it. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: {
    readonly uuid: string;
    readonly type: string;
    readonly sequence: number;
    readonly data: Readonly<Record<string, unknown>>;
  };
  readonly path: string;
}

const HOST = 'hooks.example.com';

/**
 * A customer's server for webhooks, over TLS on a free port; it answers with the status that `answer` gives, when it
 * gives it. `outbound` is the way there: everything is as in the world but where the name leads.
 */
export async function openReceiver() {
  const certificate = selfSigned(HOST);
  const requests: Received[] = [];
  let answer: (received: Received) => number | Promise<number> = () => 204;
  const sockets = new Set<Socket>();
  const server = createServer(certificate, async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const headers = request.headers as Record<string, string>;
    const received = { headers, body, event: JSON.parse(body), path: request.url ?? '' };
    requests.push(received);
    const status = await answer(received);
    response.writeHead(status).end(status < 300 ? undefined : `answered ${status}`);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${HOST}:${port}/in`,
    requests,
    /** The events that came, in that order, by sequence. */
    sequences: () => requests.map(({ event }) => event.sequence),
    answerWith(by: typeof answer) {
      answer = by;
    },
    outbound: openOutbound({
      resolve: async () => ['127.0.0.1'],
      permits: (address) => address === '127.0.0.1',
      ca: certificate.cert,
    }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
