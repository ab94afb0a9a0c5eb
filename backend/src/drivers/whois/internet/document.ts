import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  type OutboundAnswer,
  OutboundFailure,
  type OutboundOptions,
  openOutbound,
} from '../../../base/outbound.ts';
import { WhoisFailure } from '../port.ts';
import type { Deadline } from './deadline.ts';

/** The longest answer that is read, packed or unpacked. */
export const MOST_BYTES = 256 * 1024;
const MOST_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const unpack = promisify(gunzip);

export interface Document {
  /** The host that it came from. */
  readonly server: string;
  readonly status: number;
  readonly text: string;
}

/**
 * GETs a document over https. Each redirect is a new request, checked like the first: it may lead to no other place
 * than the outbound guard allows. Throws {@link WhoisFailure}.
 */
export async function fetchDocument(
  address: string,
  accept: string,
  deadline: Deadline,
  outbound: OutboundOptions,
): Promise<Document> {
  let url = new URL(address);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const server = url.hostname;
    const answer = await get(url, accept, deadline, outbound);
    if (!REDIRECTS.has(answer.status)) {
      return { server, status: answer.status, text: (await unpacked(server, answer)).toString('utf8') };
    }
    const next = URL.parse(answer.headers.location ?? '', url);
    if (next === null) throw new WhoisFailure(server, 'it leads elsewhere without saying where');
    url = next;
  }
  throw new WhoisFailure(url.hostname, `it led elsewhere more than ${MOST_REDIRECTS} times`);
}

async function get(
  url: URL,
  accept: string,
  deadline: Deadline,
  outbound: OutboundOptions,
): Promise<OutboundAnswer> {
  const server = url.hostname;
  const send = openOutbound({ ...outbound, timeoutMs: deadline.leftFor(server) });
  try {
    return await send({
      url: url.href,
      method: 'GET',
      headers: { accept, 'accept-encoding': 'identity', 'user-agent': 'Hostkeep' },
      mostBytes: MOST_BYTES + 1,
    });
  } catch (error) {
    throw error instanceof OutboundFailure ? new WhoisFailure(server, error.message, error) : error;
  }
}

/** Some servers pack what they were asked not to. */
async function unpacked(server: string, { headers, body }: OutboundAnswer): Promise<Buffer> {
  const tooLong = () => new WhoisFailure(server, `the answer is longer than ${MOST_BYTES / 1024} KiB`);
  if (body.length > MOST_BYTES) throw tooLong();
  switch (headers['content-encoding'] ?? 'identity') {
    case 'identity':
      return body;
    case 'gzip':
      try {
        return await unpack(body, { maxOutputLength: MOST_BYTES });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLong();
        throw new WhoisFailure(server, 'the answer cannot be unpacked', error);
      }
    default:
      throw new WhoisFailure(server, 'the answer is packed in a way that nobody asked for');
  }
}
