import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import packet from 'dns-packet';
import type { ServerAddress } from '../../base/name-server.ts';

export interface AskedQuestion {
  /** Without the root's dot. */
  readonly name: string;
  readonly type: packet.RecordType;
}

interface Heard {
  readonly answer: packet.DecodedPacket;
  readonly message: Buffer;
}

const PAYLOAD = 1_232;
const AGAIN_AFTER_MS = 500;

/**
 * Asks one name server, not recursively, by UDP, and by TCP where the answer does not fit. Only an answer to this
 * very question counts. Rejects when there is none until the signal.
 */
export async function askServer(
  server: ServerAddress,
  question: AskedQuestion,
  signal: AbortSignal,
): Promise<packet.DecodedPacket> {
  return (await heardFrom(server, question, signal)).answer;
}

/** The same as it came, for whoever reads all of its records. */
export async function askForMessage(
  server: ServerAddress,
  question: AskedQuestion,
  signal: AbortSignal,
): Promise<Buffer> {
  return (await heardFrom(server, question, signal)).message;
}

async function heardFrom(
  server: ServerAddress,
  question: AskedQuestion,
  signal: AbortSignal,
): Promise<Heard> {
  const heard = await hearByUdp(server, question, signal);
  return heard.answer.flag_tc ? await hearByTcp(server, question, signal) : heard;
}

/** The response code of an answer. */
export function rcodeOf(answer: packet.DecodedPacket): number {
  return (answer.flags ?? 0) & 0xf;
}

export async function askByTcp(
  server: ServerAddress,
  question: AskedQuestion,
  signal: AbortSignal,
): Promise<packet.DecodedPacket> {
  return (await hearByTcp(server, question, signal)).answer;
}

async function hearByTcp(
  { address, port }: ServerAddress,
  question: AskedQuestion,
  signal: AbortSignal,
): Promise<Heard> {
  const { id, query } = written(question);
  const socket = connect({ host: address, port, signal });
  try {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.length);
    socket.write(Buffer.concat([length, query]));
    let received = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) continue;
      const message = received.subarray(2, 2 + received.readUInt16BE(0));
      const answer = readAnswer(message, id, question);
      if (answer === null) break;
      return { answer, message };
    }
    throw new Error(`${address} port ${port} closed the connection without an answer`);
  } finally {
    socket.destroy();
  }
}

/** One answer by UDP, which may be truncated; the question is repeated, since either may get lost. */
export async function askByUdp(
  server: ServerAddress,
  question: AskedQuestion,
  signal: AbortSignal,
): Promise<packet.DecodedPacket> {
  return (await hearByUdp(server, question, signal)).answer;
}

async function hearByUdp(
  { address, port }: ServerAddress,
  question: AskedQuestion,
  signal: AbortSignal,
): Promise<Heard> {
  const { id, query } = written(question);
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  // Connected: the kernel lets nobody else answer, and says when nobody listens.
  socket.connect(port, address);
  const failed = Promise.withResolvers<never>();
  const answered = Promise.withResolvers<Heard>();
  socket.on('error', failed.reject).on('message', (message) => {
    const answer = readAnswer(message, id, question);
    if (answer !== null) answered.resolve({ answer, message });
  });
  const onAbort = () => failed.reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([once(socket, 'connect', { signal }), failed.promise]);
    const send = () => socket.send(query);
    send();
    timer = setInterval(send, AGAIN_AFTER_MS);
    return await Promise.race([answered.promise, failed.promise]);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', onAbort);
    socket.close();
  }
}

function written({ name, type }: AskedQuestion): { id: number; query: Buffer } {
  const id = randomInt(0x1_0000);
  const edns: packet.OptAnswer = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: PAYLOAD,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
  return {
    id,
    query: packet.encode({ type: 'query', id, flags: 0, questions: [{ type, name }], additionals: [edns] }),
  };
}

/** null: not an answer to this. */
function readAnswer(message: Buffer, id: number, question: AskedQuestion): packet.DecodedPacket | null {
  try {
    const answer = packet.decode(message);
    const [asked] = answer.questions ?? [];
    const isOurs =
      answer.flag_qr &&
      answer.id === id &&
      asked?.type === question.type &&
      asked.name.toLowerCase() === question.name.toLowerCase();
    return isOurs ? answer : null;
  } catch {
    return null;
  }
}
