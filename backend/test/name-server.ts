import { createSocket } from 'node:dgram';
import { after } from 'node:test';

/** Records by `name TYPE`; `null`: the server says nothing, 'SERVFAIL': that it cannot say. */
export type Records = Readonly<Record<string, readonly string[] | null | 'SERVFAIL'>>;

const TYPES: Readonly<Record<number, 'A' | 'AAAA' | 'NS' | 'PTR' | 'TXT'>> = {
  1: 'A',
  2: 'NS',
  12: 'PTR',
  16: 'TXT',
  28: 'AAAA',
};
const SERVFAIL = 2;
const NXDOMAIN = 3;
const HEADER_LENGTH = 12;

/** A name server on loopback with these records and no others; its address and port as resolvers take them. */
export async function openNameServer(records: Records): Promise<{ server: string; asked: string[] }> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = readQuestion(query);
    const question = `${name} ${TYPES[type]}`;
    asked.push(question);
    const found = records[question];
    if (found === null) return;
    const known = Object.keys(records).some((key) => key.startsWith(`${name} `));
    const code = found === 'SERVFAIL' ? SERVFAIL : known ? 0 : NXDOMAIN;
    const answers =
      found === undefined || found === 'SERVFAIL' ? [] : found.map((text) => record(type, text));
    const header = Buffer.alloc(HEADER_LENGTH);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([header, query.subarray(HEADER_LENGTH, end), ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  after(() => void socket.close());
  return { server: `127.0.0.1:${socket.address().port}`, asked };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_LENGTH;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Named by a pointer to the question (RFC 1035 §4.1.4), for a minute. */
function record(type: number, text: string): Buffer {
  const head = Buffer.from([0xc0, HEADER_LENGTH, 0, type, 0, 1, 0, 0, 0, 60, 0, 0]);
  const body = content(type, text);
  head.writeUInt16BE(body.length, 10);
  return Buffer.concat([head, body]);
}

function content(type: number, text: string): Buffer {
  switch (TYPES[type]) {
    case 'A':
      return Buffer.from(text.split('.').map(Number));
    case 'AAAA':
      return Buffer.from(text.replaceAll(':', ''), 'hex');
    case 'NS':
    case 'PTR':
      return Buffer.concat([...text.split('.').map(counted), Buffer.alloc(1)]);
    default:
      return Buffer.concat((text.match(/.{1,200}/g) ?? []).map(counted));
  }
}

function counted(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
}
