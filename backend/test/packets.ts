import { readAddress } from '../src/base/network.ts';

const ETHERTYPE = { arp: 0x0806, ip: 0x0800, ip6: 0x86dd, vlan: 0x8100 } as const;
const PROTOCOL = {
  icmp: 1,
  udp: 17,
  tcp: 6,
  icmp6: 58,
  esp: 50,
  hopByHop: 0,
  routing: 43,
  fragment: 44,
  options: 60,
} as const;

const mac = (text: string) => Buffer.from(text.replaceAll(':', ''), 'hex');
const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);

/** An address in the order of the wire. */
function bytes(address: string): Buffer {
  const read = readAddress(address);
  if (read === null) throw new RangeError(address);
  const digits = read.family === 4 ? 8 : 32;
  return Buffer.from(read.value.toString(16).padStart(digits, '0'), 'hex');
}

/** An Ethernet frame. Checksums of transports are left out: nobody looks at them on the way. */
export function frame(from: string, to: string, type: keyof typeof ETHERTYPE, payload: Buffer): Buffer {
  return Buffer.concat([mac(to), mac(from), u16(ETHERTYPE[type]), payload]);
}

/** A question (1) or an answer (2) of ARP (RFC 826). */
export function arp(operation: 1 | 2, sender: { mac: string; ip: string }, target: string): Buffer {
  const header = Buffer.from([0, 1, 8, 0, 6, 4, 0, operation]);
  return Buffer.concat([header, mac(sender.mac), bytes(sender.ip), Buffer.alloc(6), bytes(target)]);
}

export function ip4(from: string, to: string, protocol: keyof typeof PROTOCOL, payload: Buffer): Buffer {
  const header = Buffer.alloc(12);
  header[0] = 0x45;
  header.writeUInt16BE(20 + payload.length, 2);
  header[8] = 64;
  header[9] = PROTOCOL[protocol];
  const whole = Buffer.concat([header, bytes(from), bytes(to)]);
  whole.writeUInt16BE(headerChecksum(whole), 10);
  return Buffer.concat([whole, payload]);
}

/** Of IPv4 (RFC 1071): without it, packets are dropped for another reason than the one that is tested. */
function headerChecksum(header: Buffer): number {
  let sum = 0;
  for (let at = 0; at < header.length; at += 2) sum += header.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff;
}

export function ip6(from: string, to: string, protocol: keyof typeof PROTOCOL, payload: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header[0] = 0x60;
  header.writeUInt16BE(payload.length, 4);
  header[6] = PROTOCOL[protocol];
  header[7] = 255;
  return Buffer.concat([header, bytes(from), bytes(to), payload]);
}

export function udp(from: number, to: number): Buffer {
  return Buffer.concat([u16(from), u16(to), u16(8), u16(0)]);
}

/** A segment, without other flags the first one of a connection. */
export function tcp(from: number, to: number, flags = 0x02): Buffer {
  const rest = Buffer.alloc(16);
  rest[8] = 0x50;
  rest[9] = flags;
  return Buffer.concat([u16(from), u16(to), rest]);
}

/** Of ICMP (RFC 792): its type. */
export function icmp4(type: number): Buffer {
  return Buffer.from([type, 0, 0, 0, 0, 0, 0, 0]);
}

/** Of neighbour discovery (RFC 4861): its type, and the target of solicitations and advertisements. */
export function icmp6(type: number, target = '::'): Buffer {
  return Buffer.concat([Buffer.from([type, 0, 0, 0, 0, 0, 0, 0]), bytes(target)]);
}

/** Options that hide what comes behind them from who looks at the first header only (RFC 8200, section 4.3). */
export function behindOptions(protocol: keyof typeof PROTOCOL, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([PROTOCOL[protocol], 0, 1, 4, 0, 0, 0, 0]), payload]);
}

/** A fragment (RFC 8200, section 4.5) of what begins with such a header, from this byte on; more follow, or it is the last. */
export function fragment6(
  protocol: keyof typeof PROTOCOL,
  offset: number,
  more: boolean,
  payload: Buffer,
): Buffer {
  return Buffer.concat([
    Buffer.from([PROTOCOL[protocol], 0]),
    u16(offset | (more ? 1 : 0)),
    Buffer.from([0, 0, 0x47, 0x11]),
    payload,
  ]);
}

/** A fragment of an IPv4 packet (RFC 791), from this byte on. */
export function fragment4(
  from: string,
  to: string,
  protocol: keyof typeof PROTOCOL,
  { offset, more }: { offset: number; more: boolean },
  payload: Buffer,
): Buffer {
  const whole = ip4(from, to, protocol, payload);
  whole.writeUInt16BE((more ? 0x2000 : 0) | (offset / 8), 6);
  whole.writeUInt16BE(0, 10);
  whole.writeUInt16BE(headerChecksum(whole.subarray(0, 20)), 10);
  return whole;
}

/** The same in a virtual network, which machines have none of (IEEE 802.1Q). */
export function tagged(type: 'arp' | 'ip' | 'ip6', payload: Buffer): Buffer {
  return Buffer.concat([u16(7), u16(ETHERTYPE[type]), payload]);
}
