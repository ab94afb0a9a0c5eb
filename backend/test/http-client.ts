import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Sent {
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** HTTP as programs speak it, GET with a body too, which `fetch` refuses to send. Connections are kept. */
export class HttpClient {
  readonly address: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(address: string) {
    this.address = new URL(address);
  }

  send({ method, path, headers, body }: Sent): Promise<Received> {
    const { promise, resolve, reject } = Promise.withResolvers<Received>();
    const { hostname, port } = this.address;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sending = request({
      hostname,
      port,
      agent: this.#agent,
      method,
      path,
      headers: { ...length, ...headers },
    });
    sending.on('error', reject);
    sending.on('response', (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(parts).toString(),
        });
      });
    });
    sending.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}
