import { OutboundFailure, type OutboundOptions } from '../../../base/outbound.ts';
import { connectOutbound } from '../../../base/outbound-connection.ts';
import { WhoisFailure } from '../port.ts';
import type { Deadline } from './deadline.ts';
import { MOST_BYTES } from './document.ts';

export const WHOIS_PORT = 43;

/**
 * One question to one WHOIS server (RFC 3912): a line goes out, text comes back until the server closes. The
 * connection goes where the outbound guard allows. Throws {@link WhoisFailure}.
 */
export async function askWhois(
  { host, port }: { host: string; port: number },
  line: string,
  deadline: Deadline,
  outbound: OutboundOptions,
): Promise<string> {
  const signal = AbortSignal.timeout(deadline.leftFor(host));
  try {
    const socket = await connectOutbound({ host, port }, signal, outbound);
    // Not end(): to some servers, who has nothing more to say has left.
    socket.write(`${line}\r\n`);
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of socket) {
      parts.push(part);
      length += part.length;
      // Leaving the loop ends the connection.
      if (length > MOST_BYTES)
        throw new WhoisFailure(host, `the answer is longer than ${MOST_BYTES / 1024} KiB`);
    }
    if (signal.aborted) throw new WhoisFailure(host, 'it did not answer in time');
    return decode(Buffer.concat(parts));
  } catch (error) {
    if (error instanceof WhoisFailure) throw error;
    if (signal.aborted) throw new WhoisFailure(host, 'it did not answer in time', error);
    const reason = error instanceof OutboundFailure ? error.message : 'the connection broke';
    throw new WhoisFailure(host, reason, error);
  }
}

/** The protocol knows no encoding: UTF-8, or what every byte is a character of. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
