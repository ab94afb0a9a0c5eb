import { readAddress, writeAddress } from '../network.ts';
import { fail } from './fault.ts';
import { readIpv4, readIpv6, readUnsigned } from './field.ts';

/** The values of service parameters (RFC 9460 §7), as they are written and as they are sent. */

/** What application protocols are called (IANA), without what would need two kinds of escapes in lists. */
const PROTOCOL = /^[!#-'*+\-./0-:<-[\]-~]{1,255}$/;

/** RFC 9460 §A.1: commas divide, but for those that are escaped; none of our values holds any of these. */
export function list(written: Buffer): string[] {
  return written.toString('latin1').split(',');
}

export function encodeProtocols(written: Buffer): Buffer {
  return Buffer.concat(
    list(written).map((protocol) => {
      if (!PROTOCOL.test(protocol)) failProtocols();
      return Buffer.concat([Buffer.of(protocol.length), Buffer.from(protocol, 'latin1')]);
    }),
  );
}

export function protocols(value: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at < value.length; ) {
    const length = value[at] ?? 0;
    const protocol = value.toString('latin1', at + 1, at + 1 + length);
    if (protocol.length !== length || !PROTOCOL.test(protocol)) return failProtocols();
    found.push(protocol);
    at += 1 + length;
  }
  return found.length === 0 ? failProtocols() : found;
}

function failProtocols(): never {
  return fail('invalid_format', 'alpn must be a list of protocols such as h2,h3.');
}

export function encodePort(written: Buffer): Buffer {
  const value = Buffer.alloc(2);
  value.writeUInt16BE(readUnsigned(written.toString('latin1'), 'port', 2));
  return value;
}

export function encodeIpv4(written: Buffer): Buffer {
  return Buffer.concat(list(written).map((text) => Buffer.from(readIpv4(text).split('.').map(Number))));
}

export function encodeIpv6(written: Buffer): Buffer {
  return Buffer.concat(
    list(written).map((text) => {
      const value = readAddress(readIpv6(text))?.value ?? 0n;
      return Buffer.from(value.toString(16).padStart(32, '0'), 'hex');
    }),
  );
}

export function addresses(value: Buffer, family: 4 | 6): string[] {
  const octets = family === 4 ? 4 : 16;
  if (value.length === 0 || value.length % octets !== 0) {
    fail('invalid_format', `ipv${family}hint must be a list of addresses.`);
  }
  return Array.from({ length: value.length / octets }, (_, at) => {
    const number = BigInt(`0x${value.toString('hex', at * octets, (at + 1) * octets)}`);
    if (family === 6 && embedsIpv4(number)) fail('not_allowed', 'ipv6hint cannot hold IPv4 addresses.');
    return writeAddress({ family, value: number });
  });
}

/** Mapped or compatible (RFC 4291 §2.5.5), which name servers write in different ways. */
function embedsIpv4(address: bigint): boolean {
  const above = address >> 32n;
  return above === 0xffffn || (above === 0n && address >> 16n !== 0n);
}

export function encodeBase64(written: Buffer): Buffer {
  const text = written.toString('latin1');
  const value = Buffer.from(text, 'base64');
  if (value.toString('base64') !== text) fail('invalid_format', 'ech must be in base64.');
  return value;
}

export function requireEmpty(value: Buffer): Buffer {
  return value.length === 0 ? value : fail('not_allowed', 'This parameter takes no value.');
}

export function requireSome(value: Buffer): Buffer {
  return value.length > 0 ? value : fail('required', 'This parameter needs a value.');
}

export function requireLength(value: Buffer, octets: number): Buffer {
  return value.length === octets ? value : fail('invalid_format', `This parameter takes ${octets} octets.`);
}
