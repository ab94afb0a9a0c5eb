import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LossyHttp {
  readonly url: string;
  /** Requests seen, as `METHOD path`. */
  readonly seen: readonly string[];
  /** Cuts the connection around the next request that fits: before it goes on, or after it was answered. */
  lose(fits: (method: string, path: string, body: string) => boolean, when: 'before' | 'after'): void;
  close(): void;
}

/** An HTTP proxy in front of one server, which can lose requests and answers. */
export async function lossyHttp(target: string): Promise<LossyHttp> {
  const seen: string[] = [];
  let losing: { fits: Parameters<LossyHttp['lose']>[0]; when: 'before' | 'after' } | null = null;
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '' } = incoming;
    const body = Buffer.concat(await incoming.toArray());
    seen.push(`${method} ${url}`);
    const lost = losing?.fits(method, url, body.toString()) === true ? losing.when : null;
    if (lost !== null) losing = null;
    if (lost === 'before') return void incoming.socket.destroy();
    const headers = { ...incoming.headers, host: new URL(target).host, connection: 'close' };
    const onward = request(new URL(url, target), { method, headers }, async (answer) => {
      const answered = Buffer.concat(await answer.toArray());
      if (lost === 'after') return void incoming.socket.destroy();
      response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' }).end(answered);
    });
    onward.on('error', () => incoming.socket.destroy()).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    lose(fits, when) {
      losing = { fits, when };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
