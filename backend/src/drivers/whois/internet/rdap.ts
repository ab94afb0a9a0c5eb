import type { OutboundOptions } from '../../../base/outbound.ts';
import { WhoisFailure, type WhoisQuestion, type WhoisRecord } from '../port.ts';
import type { Bootstrap } from './bootstrap.ts';
import type { Deadline } from './deadline.ts';
import { fetchDocument } from './document.ts';
import { readRdap } from './rdap-record.ts';
import { TOLD_NOTHING } from './told.ts';

export type Answered = Omit<WhoisRecord, 'fetchedAt' | 'cached'>;

const MEDIA_TYPE = 'application/rdap+json';

/**
 * Asks whom IANA names by RDAP (RFC 7480, RFC 9082). null: nobody is named. 404 is the registry's word for "not
 * registered" and an answer; all else but 200 is none. Throws {@link WhoisFailure}.
 */
export async function lookupByRdap(
  question: WhoisQuestion,
  deadline: Deadline,
  { bootstrap, outbound }: { bootstrap: Bootstrap; outbound: OutboundOptions },
): Promise<Answered | null> {
  const base = await bootstrap.serverOf(question, deadline);
  if (base === null) return null;
  const { server, status, text } = await fetchDocument(
    base + pathOf(question),
    MEDIA_TYPE,
    deadline,
    outbound,
  );
  const answered = { source: 'rdap', server, raw: text } as const;
  if (status === 404) return { ...answered, ...TOLD_NOTHING, registered: false };
  if (status === 429) throw new WhoisFailure(server, 'it is asked too often');
  if (status !== 200) throw new WhoisFailure(server, `it answers with status ${status}`);
  const told = readRdap(text, question);
  if (told === null) throw new WhoisFailure(server, 'the answer is not what RDAP says it is');
  return { ...answered, ...told, registered: true };
}

function pathOf(question: WhoisQuestion): string {
  switch (question.type) {
    case 'domain':
      return `domain/${question.name}`;
    case 'asn':
      return `autnum/${question.number}`;
    default:
      return `ip/${question.address}`;
  }
}
