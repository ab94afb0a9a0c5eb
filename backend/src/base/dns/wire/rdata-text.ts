import { ipv4Text, ipv6Text } from './address.ts';
import { escapeOctets } from './escape.ts';
import { type Field, layoutOf } from './layout.ts';
import { decodeName, nameText } from './name.ts';
import { paramsText } from './params.ts';

const NUMBERS = { u8: 1, u16: 2, u32: 4 } as const;

/**
 * RDATA in the one presentation form that PowerDNS writes too: texts quoted, hexadecimal in lower case, names with
 * the root's dot, nothing between the parts but one space. Throws RangeError for octets that are not of this type.
 */
export function rdataText(type: string, rdata: Buffer): string {
  const layout = layoutOf(type);
  if (layout === undefined) return `\\# ${rdata.length} ${rdata.toString('hex')}`.trimEnd();
  const words: string[] = [];
  let at = 0;
  for (const field of layout) {
    const { text, end } = readField(field, rdata, at);
    if (end > rdata.length) throw new RangeError(`${type} ends early`);
    if (text !== '') words.push(text);
    at = end;
  }
  if (at !== rdata.length) throw new RangeError(`${type} goes on after its end`);
  return words.join(' ');
}

function readField(field: Field, rdata: Buffer, at: number): { text: string; end: number } {
  const rest = rdata.subarray(at);
  const end = rdata.length;
  switch (field) {
    case 'u8':
    case 'u16':
    case 'u32':
      return { text: String(rdata.readUIntBE(at, NUMBERS[field])), end: at + NUMBERS[field] };
    case 'ipv4':
      return { text: ipv4Text(rest.subarray(0, 4)), end: at + 4 };
    case 'ipv6':
      return { text: ipv6Text(rest.subarray(0, 16)), end: at + 16 };
    case 'name': {
      const name = decodeName(rdata, at);
      return { text: nameText(name.labels), end: name.end };
    }
    case 'word':
      return { text: counted(rest).toString('latin1'), end: at + 1 + counted(rest).length };
    case 'string':
      return { text: quoted(counted(rest)), end: at + 1 + counted(rest).length };
    case 'strings':
      return { text: strings(rest).map(quoted).join(' '), end };
    case 'text':
      return { text: quoted(rest), end };
    case 'hex':
      return { text: rest.toString('hex'), end };
    case 'base64':
      return { text: rest.toString('base64'), end };
    case 'params':
      return { text: paramsText(rest), end };
  }
}

function counted(octets: Buffer): Buffer {
  return octets.subarray(1, 1 + (octets[0] ?? 0));
}

function strings(octets: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < octets.length; at += 1 + (octets[at] ?? 0)) found.push(counted(octets.subarray(at)));
  return found;
}

function quoted(octets: Buffer): string {
  return `"${escapeOctets(octets, '"')}"`;
}
