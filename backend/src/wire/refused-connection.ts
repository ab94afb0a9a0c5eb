import { randomUUIDv7 } from 'node:crypto';
import { ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Refusal } from '../errors.ts';
import { errorAnswer } from './answer.ts';
import { localeOf } from './request.ts';

/** For the other side to read the answer and close. */
const FAREWELL_MS = 2_000;

/**
 * Refuses what no route can answer, with the same body as every other refusal, and closes the connection. Where another
 * answer has begun already there is no place for it: then the connection is only closed. What was answered is for the log.
 */
export function refuseConnection(
  socket: Duplex,
  refusal: Refusal,
  publicUrl: string,
): { status: number; request_id: string; bytes: number } | null {
  if (!socket.writable) return null;
  const begun = answerOn(socket);
  if (begun?.headersSent) {
    socket.destroy();
    return null;
  }
  const requestId = randomUUIDv7();
  const { status, headers, body } = errorAnswer(refusal, {
    requestId,
    locale: localeOf(begun?.req.headers['accept-language']),
    publicUrl,
  });
  const bytes = Buffer.byteLength(body);
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json',
    'content-length': String(bytes),
    'cache-control': 'no-store',
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  const late = setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  socket.once('close', () => clearTimeout(late));
  return { status, request_id: requestId, bytes };
}

/** The answer that the server is about to give on a connection, if any. Node's own handler looks at the same member. */
function answerOn(socket: Duplex): ServerResponse | null {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return answer instanceof ServerResponse ? answer : null;
}
