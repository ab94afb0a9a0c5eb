import { decodeName, encodeName, type Labels } from '../../../base/dns/wire/name.ts';
import { keyOf } from './zone.ts';

/** Response codes (RFC 1035 §4.1.1, RFC 6891 §9). */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
} as const;
export type Rcode = (typeof RCODE)[keyof typeof RCODE];

export interface Question {
  /** In the case that it was asked in, which the answer repeats. */
  readonly name: Labels;
  readonly type: number;
  readonly class: number;
}

export interface Query {
  readonly id: number;
  readonly opcode: number;
  readonly recursionDesired: boolean;
  readonly checkingDisabled: boolean;
  readonly question: Question | null;
  /** null: asked without EDNS(0) (RFC 6891). */
  readonly edns: { readonly payload: number; readonly dnssecOk: boolean } | null;
  /** What is wrong with the question already. */
  readonly rcode: Rcode;
}

/** A record as it stands in an answer. */
export interface WireRecord {
  readonly owner: Labels;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Buffer;
}

export interface Response {
  readonly rcode: Rcode;
  readonly authoritative: boolean;
  readonly answer: readonly WireRecord[];
  readonly authority: readonly WireRecord[];
  readonly additional: readonly WireRecord[];
}

const HEADER = 12;
const OPT = 41;
const CLASS_IN = 1;
const FLAG = { QR: 0x8000, AA: 0x0400, TC: 0x0200, RD: 0x0100, CD: 0x0010 };
const DNSSEC_OK = 0x8000;
/** What we take by UDP; the answers' own limit is below it. */
const OWN_PAYLOAD = 1_232;
const MOST_POINTED = 0x3fff;

/** A query, also a broken one as long as it can be answered; null: nothing to answer, a response for instance. */
export function readQuery(packet: Buffer): Query | null {
  if (packet.length < HEADER) return null;
  const flags = packet.readUInt16BE(2);
  if ((flags & FLAG.QR) !== 0) return null;
  const head = {
    id: packet.readUInt16BE(0),
    opcode: (flags >> 11) & 0xf,
    recursionDesired: (flags & FLAG.RD) !== 0,
    checkingDisabled: (flags & FLAG.CD) !== 0,
  };
  if (head.opcode !== 0) return { ...head, question: null, edns: null, rcode: RCODE.NOTIMP };
  try {
    return { ...head, ...readSections(packet) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ...head, question: null, edns: null, rcode: RCODE.FORMERR };
  }
}

/** Throws RangeError for what is not one question with at most one OPT record. */
function readSections(packet: Buffer): Pick<Query, 'question' | 'edns' | 'rcode'> {
  const counts = [4, 6, 8, 10].map((at) => packet.readUInt16BE(at));
  if (counts[0] !== 1 || counts[1] !== 0 || counts[2] !== 0) throw new RangeError('not one question');
  const { labels: name, end } = decodeName(packet, HEADER);
  const question = { name, type: packet.readUInt16BE(end), class: packet.readUInt16BE(end + 2) };
  let edns: Query['edns'] = null;
  let rcode: Rcode = RCODE.NOERROR;
  let at = end + 4;
  for (let left = counts[3] ?? 0; left > 0; left--) {
    const owner = decodeName(packet, at);
    at = owner.end + 10 + packet.readUInt16BE(owner.end + 8);
    if (at > packet.length) throw new RangeError('a record is cut off');
    if (packet.readUInt16BE(owner.end) !== OPT) continue;
    if (edns !== null || owner.labels.length > 0) throw new RangeError('two OPT records, or one with a name');
    edns = {
      payload: packet.readUInt16BE(owner.end + 2),
      dnssecOk: (packet.readUInt16BE(owner.end + 6) & DNSSEC_OK) !== 0,
    };
    if (packet[owner.end + 5] !== 0) rcode = RCODE.BADVERS;
  }
  return { question, edns, rcode };
}

/**
 * The answer in at most `limit` octets: without the additional section where that is enough, else without any and
 * marked as truncated, so that the asker comes again by TCP. Glue of a referral is never left out silently (RFC 9471).
 */
export function writeResponse(query: Query, response: Response, limit: number): Buffer {
  const whole = write(query, response, false);
  if (whole.length <= limit) return whole;
  const isReferral = !response.authoritative && response.authority.length > 0;
  if (!isReferral && response.additional.length > 0) {
    const shorter = write(query, { ...response, additional: [] }, false);
    if (shorter.length <= limit) return shorter;
  }
  return write(query, { ...response, answer: [], authority: [], additional: [] }, true);
}

function write(query: Query, response: Response, truncated: boolean): Buffer {
  const { question, edns } = query;
  const { rcode, answer, authority, additional } = response;
  const flags =
    FLAG.QR |
    (query.opcode << 11) |
    (response.authoritative ? FLAG.AA : 0) |
    (truncated ? FLAG.TC : 0) |
    (query.recursionDesired ? FLAG.RD : 0) |
    (query.checkingDisabled ? FLAG.CD : 0) |
    (rcode & 0xf);
  const counts = [
    question === null ? 0 : 1,
    answer.length,
    authority.length,
    additional.length + (edns === null ? 0 : 1),
  ];
  const parts: Buffer[] = [words(query.id, flags, ...counts)];
  const known = new Map<string, number>();
  let length = HEADER;
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  if (question !== null) {
    add(pointed(question.name, length, known));
    add(words(question.type, question.class));
  }
  for (const { owner, type, ttl, rdata } of [...answer, ...authority, ...additional]) {
    add(pointed(owner, length, known));
    add(words(type, CLASS_IN, ttl >>> 16, ttl & 0xffff, rdata.length));
    add(rdata);
  }
  if (edns !== null) {
    add(Buffer.of(0));
    add(words(OPT, OWN_PAYLOAD, (rcode >> 4) << 8, edns.dnssecOk ? DNSSEC_OK : 0, 0));
  }
  return Buffer.concat(parts);
}

/** The name at `at`, its end by a pointer where it was written before (RFC 1035 §4.1.4). */
function pointed(name: Labels, at: number, known: Map<string, number>): Buffer {
  const written: Buffer[] = [];
  let position = at;
  for (const [depth, label] of name.entries()) {
    const key = keyOf(name.slice(depth));
    const before = known.get(key);
    if (before !== undefined) return Buffer.concat([...written, words(0xc000 | before)]);
    if (position <= MOST_POINTED) known.set(key, position);
    written.push(Buffer.of(label.length), label);
    position += 1 + label.length;
  }
  return Buffer.concat([...written, encodeName([])]);
}

function words(...values: readonly number[]): Buffer {
  const octets = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) octets.writeUInt16BE(value, at * 2);
  return octets;
}
