import { layoutOf } from './layout.ts';
import { encodeName, foldLabels, type Labels, nameText } from './name.ts';
import { rdataText } from './rdata-text.ts';
import { typeName } from './type.ts';

/** A record of an answer. */
export interface AnsweredRecord {
  /** Absolute, in lower case, without the root's dot. */
  readonly owner: string;
  readonly type: string;
  /** Seconds. */
  readonly ttl: number;
  /** In presentation form, names absolute with the root's dot; null: its octets are not of this type. */
  readonly rdata: string | null;
}

/** A response with the records of its answer section. */
export interface Answer {
  readonly authoritative: boolean;
  readonly rcode: number;
  readonly records: readonly AnsweredRecord[];
}

const HEADER = 12;
const CLASS_IN = 1;
const POINTER = 0xc0;
const MOST_LABEL_OCTETS = 63;
const MOST_NAME_OCTETS = 255;
const AUTHORITATIVE = 0x0400;
const FIXED = { u8: 1, u16: 2, u32: 4, ipv4: 4, ipv6: 16 } as const;

/** Reads a response (RFC 1035 §4.1) as whoever asked the question may have it; throws RangeError for what is none. */
export function readAnswer(message: Buffer): Answer {
  const flags = message.readUInt16BE(2);
  let at = HEADER;
  for (let left = message.readUInt16BE(4); left > 0; left -= 1) at = readName(message, at).end + 4;
  const records: AnsweredRecord[] = [];
  for (let left = message.readUInt16BE(6); left > 0; left -= 1) {
    const owner = readName(message, at);
    const type = typeName(message.readUInt16BE(owner.end));
    const begin = owner.end + 10;
    const end = begin + message.readUInt16BE(owner.end + 8);
    if (end > message.length) throw new RangeError('a record ends after its message');
    // The last of 32 bits is a sign that means nothing (RFC 2181 §8).
    const ttl = message.readInt32BE(owner.end + 4);
    if (message.readUInt16BE(owner.end + 2) === CLASS_IN) {
      const rdata = textOf(type, message, begin, end);
      records.push({ owner: plain(owner.labels), type, ttl: Math.max(0, ttl), rdata });
    }
    at = end;
  }
  return { authoritative: (flags & AUTHORITATIVE) !== 0, rcode: flags & 0xf, records };
}

function plain(labels: Labels): string {
  return nameText(foldLabels(labels)).slice(0, -1);
}

function textOf(type: string, message: Buffer, begin: number, end: number): string | null {
  try {
    return rdataText(type, uncompressed(type, message, begin, end));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** RDATA with its names written out: what points into the message means nothing outside of it. */
function uncompressed(type: string, message: Buffer, begin: number, end: number): Buffer {
  const parts: Buffer[] = [];
  let at = begin;
  const take = (length: number) => {
    parts.push(message.subarray(at, at + length));
    at += length;
  };
  for (const field of layoutOf(type) ?? []) {
    if (field === 'name') {
      const name = readName(message, at);
      parts.push(encodeName(foldLabels(name.labels)));
      at = name.end;
    } else if (field === 'string') take(1 + message.readUInt8(at));
    else if (field in FIXED) take(FIXED[field as keyof typeof FIXED]);
    else break;
    if (at > end) throw new RangeError(`${type} ends early`);
  }
  take(end - at);
  return Buffer.concat(parts);
}

/** A name, maybe compressed (RFC 1035 §4.1.4), and where it ends here. Pointers lead backwards only, so there is an end. */
function readName(message: Buffer, begin: number): { readonly labels: Labels; readonly end: number } {
  const labels: Buffer[] = [];
  let octets = 1;
  let end: number | null = null;
  let before = begin;
  for (let at = begin; ; ) {
    const length = message.readUInt8(at);
    if (length >= POINTER) {
      end ??= at + 2;
      const target = message.readUInt16BE(at) & 0x3fff;
      if (target >= before) throw new RangeError('a name points forwards');
      before = target;
      at = target;
      continue;
    }
    if (length > MOST_LABEL_OCTETS) throw new RangeError('a label of an unknown kind');
    at += 1 + length;
    octets += 1 + length;
    if (at > message.length || octets > MOST_NAME_OCTETS) throw new RangeError('not a name');
    if (length === 0) return { labels, end: end ?? at };
    labels.push(message.subarray(at - length, at));
  }
}
