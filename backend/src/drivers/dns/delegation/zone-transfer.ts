import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import packet from 'dns-packet';
import { type AnsweredRecord, readAnswer } from '../../../base/dns/wire/message.ts';
import type { ServerAddress } from '../../../base/name-server.ts';

/** Of a zone that is taken over; a larger one is transferred by whoever knows how. */
const MOST_OCTETS = 8 * 1024 * 1024;
const MOST_RECORDS = 20_000;

/**
 * All records of a zone by a transfer (RFC 5936), the SOA first; null: it is not allowed, not whole, or too large. The
 * server is anybody's: whatever it sends, reading ends with the signal, and with these numbers.
 */
export async function transferZone(
  { address, port }: ServerAddress,
  zone: string,
  signal: AbortSignal,
): Promise<readonly AnsweredRecord[] | null> {
  const id = randomInt(0x1_0000);
  const questions = [{ type: 'AXFR' as const, name: zone }];
  const query = packet.encode({ type: 'query', id, flags: 0, questions });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  const socket = connect({ host: address, port, signal });
  try {
    socket.write(Buffer.concat([length, query]));
    const records: AnsweredRecord[] = [];
    for await (const message of messagesOf(socket)) {
      if (message.length < 12 || message.readUInt16BE(0) !== id) return null;
      const answer = readAnswer(message);
      if (answer.rcode !== 0) return null;
      for (const record of answer.records) {
        const isEnd = record.type === 'SOA' && records.length > 0;
        if (isEnd) return records;
        records.push(record);
      }
      // It begins with the SOA of the zone, whatever its messages are.
      const [first] = records;
      if (first?.type !== 'SOA' || first.owner !== zone || records.length > MOST_RECORDS) return null;
    }
    return null;
  } catch {
    return null;
  } finally {
    socket.destroy();
  }
}

/** The messages of a stream, each after its length. */
async function* messagesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let waiting = 0;
  let octets = 0;
  for await (const chunk of stream) {
    octets += chunk.length;
    if (octets > MOST_OCTETS) return;
    chunks.push(chunk);
    waiting += chunk.length;
    if (waiting < wantedOf(chunks)) continue;
    let received = Buffer.concat(chunks);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      yield received.subarray(2, end);
      received = received.subarray(end);
    }
    chunks = [received];
    waiting = received.length;
  }
}

/** How much has to be there for the first message to be whole: so nothing is put together again for each piece. */
function wantedOf(chunks: readonly Buffer[]): number {
  const [first] = chunks;
  return first === undefined || first.length < 2 ? 2 : 2 + first.readUInt16BE(0);
}
