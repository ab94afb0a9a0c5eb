import { encodeIpv4, encodeIpv6, ipv4Text, ipv6Text } from './address.ts';
import { escapeOctets, unescapeText } from './escape.ts';
import type { Token } from './token.ts';

/** Service parameters by number (RFC 9460 §14.3.2, RFC 9461, RFC 9540). */
const KEYS: Readonly<Record<string, number>> = {
  mandatory: 0,
  alpn: 1,
  'no-default-alpn': 2,
  port: 3,
  ipv4hint: 4,
  ech: 5,
  ipv6hint: 6,
  dohpath: 7,
  ohttp: 8,
};
const NAMES = new Map(Object.entries(KEYS).map(([name, number]) => [number, name]));

/** Parameters of SVCB and HTTPS (RFC 9460 §2.1), in the order of their numbers; throws RangeError for what is none. */
export function encodeParams(words: readonly Token[]): Buffer {
  const params = words.map(readParam).sort(([one], [other]) => one - other);
  return Buffer.concat(
    params.map(([key, value], at) => {
      if (params[at - 1]?.[0] === key) throw new RangeError(`${keyName(key)} is there twice`);
      const head = Buffer.alloc(4);
      head.writeUInt16BE(key, 0);
      head.writeUInt16BE(value.length, 2);
      return Buffer.concat([head, value]);
    }),
  );
}

/** The form that PowerDNS writes too. */
export function paramsText(octets: Buffer): string {
  const words: string[] = [];
  for (let at = 0; at < octets.length; ) {
    const key = octets.readUInt16BE(at);
    const end = at + 4 + octets.readUInt16BE(at + 2);
    words.push(paramText(key, octets.subarray(at + 4, end)));
    at = end;
  }
  return words.join(' ');
}

function readParam({ text }: Token): readonly [number, Buffer] {
  const [, name = '', quoted, plain] = /^([a-z0-9-]+)(?:="([\s\S]*)"|=([\s\S]*))?$/.exec(text) ?? [];
  const key = keyNumber(name);
  return [key, encodeValue(key, quoted ?? plain ?? '')];
}

function keyNumber(name: string): number {
  const key = KEYS[name] ?? Number(/^key(0|[1-9][0-9]{0,4})$/.exec(name)?.[1]);
  if (!(key >= 0 && key < 0xffff)) throw new RangeError(`${name} is no service parameter`);
  return key;
}

function encodeValue(key: number, text: string): Buffer {
  switch (NAMES.get(key)) {
    case 'mandatory':
      return Buffer.concat(
        text
          .split(',')
          .map(keyNumber)
          .sort((one, other) => one - other)
          .map((number) => Buffer.of(number >> 8, number & 0xff)),
      );
    case 'alpn':
      return Buffer.concat(listed(unescapeText(text)).flatMap((id) => [Buffer.of(id.length), id]));
    case 'no-default-alpn':
    case 'ohttp':
      if (text !== '') throw new RangeError(`${NAMES.get(key)} takes no value`);
      return Buffer.alloc(0);
    case 'port':
      if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 0xffff) throw new RangeError(`${text} is no port`);
      return Buffer.of(Number(text) >> 8, Number(text) & 0xff);
    case 'ipv4hint':
      return Buffer.concat(text.split(',').map(encodeIpv4));
    case 'ipv6hint':
      return Buffer.concat(text.split(',').map(encodeIpv6));
    case 'ech':
      return Buffer.from(text, 'base64');
    default:
      return unescapeText(text);
  }
}

/** The items of a value list (RFC 9460 appendix A.1): a backslash takes the comma's meaning away. */
function listed(octets: Buffer): Buffer[] {
  const items = octets.toString('latin1').match(/(?:[^,\\]|\\[\s\S])+/g) ?? [];
  const ids = items.map((item) => Buffer.from(item.replaceAll(/\\([\s\S])/g, '$1'), 'latin1'));
  if (ids.length === 0 || ids.some((id) => id.length > 255)) throw new RangeError('not a list of protocols');
  return ids;
}

function keyName(key: number): string {
  // dohpath and ohttp are younger than many a server, all of which know the number.
  return key > 6 ? `key${key}` : (NAMES.get(key) ?? `key${key}`);
}

function paramText(key: number, value: Buffer): string {
  const name = keyName(key);
  switch (NAMES.get(key)) {
    case 'mandatory':
      return `${name}=${(value.toString('hex').match(/.{4}/g) ?? []).map((number) => keyName(Number.parseInt(number, 16))).join(',')}`;
    case 'alpn':
      return `${name}=${alpnText(value)}`;
    case 'port':
      return `${name}=${value.readUInt16BE(0)}`;
    case 'ipv4hint':
      return `${name}=${slices(value, 4).map(ipv4Text).join(',')}`;
    case 'ipv6hint':
      return `${name}=${slices(value, 16).map(ipv6Text).join(',')}`;
    case 'ech':
      return `${name}="${value.toString('base64')}"`;
    default:
      return value.length === 0 ? name : `${name}="${escapeOctets(value, '"')}"`;
  }
}

function alpnText(value: Buffer): string {
  const ids: string[] = [];
  for (let at = 0; at < value.length; at += 1 + (value[at] ?? 0)) {
    const id = value.subarray(at + 1, at + 1 + (value[at] ?? 0));
    const item = id.toString('latin1').replaceAll(/[\\,]/g, '\\$&');
    ids.push(escapeOctets(Buffer.from(item, 'latin1'), '" ;()'));
  }
  return ids.join(',');
}

function slices(octets: Buffer, length: number): Buffer[] {
  return Array.from({ length: octets.length / length }, (_, at) =>
    octets.subarray(at * length, (at + 1) * length),
  );
}
