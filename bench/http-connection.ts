import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * One keep-alive HTTP/1.1 connection that has at most one request under way. It understands just enough of an
 * answer (status and Content-Length) to know where it ends: the client shares the machine with what it measures,
 * so it must cost little.
 */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #answered: (status: number, body: () => string) => void;
  readonly #lost: (reason: Error) => void;
  #pending: Buffer | null = null;

  constructor(
    port: number,
    answered: (status: number, body: () => string) => void,
    lost: (reason: Error) => void,
  ) {
    this.#answered = answered;
    this.#lost = lost;
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(64 * 1024),
        callback: (length, buffer) => {
          this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          return true;
        },
      },
    });
    this.#socket.on('error', lost);
    this.#socket.on('end', () => lost(new Error('the server closed the connection')));
  }

  /** `request` is a whole request, in Latin-1. */
  send(request: string): void {
    this.#socket.write(request, 'latin1');
  }

  close(): void {
    this.#socket.removeAllListeners('end');
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const bytes = this.#pending === null ? chunk : Buffer.concat([this.#pending, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    const head = headEnd < 0 ? '' : bytes.toString('latin1', 0, headEnd + 2);
    const length = headEnd < 0 ? null : (/\r\ncontent-length: (\d+)\r/i.exec(head)?.[1] ?? null);
    if (headEnd >= 0 && length === null) {
      this.#lost(new Error(`an answer without Content-Length: ${head}`));
      return;
    }
    const bodyAt = headEnd + HEAD_END.length;
    if (headEnd < 0 || bytes.length < bodyAt + Number(length)) {
      this.#pending = Buffer.from(bytes);
      return;
    }
    this.#pending = null;
    this.#answered(Number(head.slice(9, 12)), () => bytes.toString('utf8', bodyAt, bodyAt + Number(length)));
  }
}
