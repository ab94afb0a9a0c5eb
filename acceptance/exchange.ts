import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Json } from './json.ts';

export interface Message {
  method: string;
  headers: Record<string, string>;
  body: Uint8Array | null;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The parsed text; null where the answer is not JSON. */
  body: Json;
  text: string;
}

/** No answer of an installation may take longer than this. */
const ANSWER_LIMIT_MS = 120_000;

/**
 * One HTTP exchange on its own connection, with exactly the given bytes: a GET may carry a body, and a body
 * may be anything. `fetch` refuses the first and rewrites headers; a connection kept alive could be closed
 * by the server just as it is used again, which would look like a lost answer.
 */
export function exchange(url: URL, message: Message): Promise<Answer> {
  const send = url.protocol === 'https:' ? secureRequest : request;
  return new Promise((resolve, reject) => {
    let answered = false;
    const outgoing = send(url, {
      method: message.method,
      headers: {
        ...message.headers,
        ...(message.body ? { 'content-length': String(message.body.byteLength) } : {}),
      },
      agent: false,
      timeout: ANSWER_LIMIT_MS,
    });
    outgoing.on('response', (incoming) => {
      answered = true;
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        outgoing.destroy();
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: parsed(incoming.headers, text),
          text,
        });
      });
    });
    outgoing.on('timeout', () =>
      outgoing.destroy(new Error(`no answer from ${url} within ${ANSWER_LIMIT_MS} ms`)),
    );
    // A server that refuses a body before it has read all of it closes the connection under our writing.
    outgoing.on('error', (error) => (answered ? undefined : reject(error)));
    write(outgoing, message.body ?? new Uint8Array(), () => answered);
  });
}

const PIECE = 64 * 1024;
const LARGE = 1024 * 1024;
const PATIENCE_MS = 1_000;

/**
 * Piece by piece, and no more once the answer is there. After the first piece of a large body the server gets
 * a moment to refuse its length, as curl gives it: writing on to a connection that the server has closed would
 * throw its answer away.
 */
function write(outgoing: ClientRequest, body: Uint8Array, answered: () => boolean, from = 0): void {
  if (outgoing.destroyed) return;
  if (answered() || from + PIECE >= body.byteLength) {
    outgoing.end(body.subarray(from, from + PIECE));
    return;
  }
  const next = () => write(outgoing, body, answered, from + PIECE);
  const patience = from === 0 && body.byteLength > LARGE ? PATIENCE_MS : 0;
  outgoing.write(body.subarray(from, from + PIECE), () => setTimeout(next, patience));
}

function parsed(headers: IncomingHttpHeaders, text: string): Json {
  if (text === '' || !/^application\/(?:[a-z.-]+\+)?json\b/.test(headers['content-type'] ?? '')) return null;
  const value: Json = JSON.parse(text);
  return value;
}
