// Slow: 10 s

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { openFrames } from '../../../../test/frames.ts';
import {
  arp,
  behindOptions,
  fragment4,
  fragment6,
  frame,
  icmp6,
  ip4,
  ip6,
  tagged,
  tcp,
  udp,
} from '../../../../test/packets.ts';
import { openQemuNode } from '../../../../test/qemu-node.ts';
import { OPEN } from '../../../base/firewall.ts';
import { linkLocalAddress, macAddress } from '../../../base/mac-address.ts';
import { ensureBridge, ensurePort, removePort } from './network.ts';
import { interfaceOf } from './node.ts';
import type { MachineRecord } from './record.ts';

const ALL = 'ff:ff:ff:ff:ff:ff';
const OTHER_MAC = '02:00:00:00:00:99';
const GATEWAY = '198.18.0.1';
const SOMEBODY = '198.51.100.7';
const SOMEBODY6 = '2001:db8:ffff::7';

const host = await openQemuNode({ network: { closed: ['10.0.0.0/8', 'fd00::/8'] } });
const serverId = randomUUID();
const mac = macAddress(serverId);
const own = '198.18.0.7';
const network = '2001:db8:1000:7::/64';
const own6 = '2001:db8:1000:7::1';
const local = linkLocalAddress(mac);
const machine: MachineRecord = {
  ...{
    serverId,
    host: 'fra-epyc',
    generation: 1,
    hostname: 'web',
    image: '',
    power: 'running',
    poweredOff: false,
  },
  ...{ cores: 1, memory: 128, disk: 1, uplink: 1000 },
  ipv4: [{ address: own, gateway: GATEWAY }],
  ipv6: [{ network, gateway: 'fe80::1' }],
  ...{ medium: null, rescue: null, firewall: OPEN },
  ...{ mail: false, nullRouted: [], reboots: 0, rebooting: null, passwordRevision: 0, restores: [] },
};
await ensureBridge(host.node);
await ensurePort(host.node, machine);
// Twice, because a start after a crash does so, too.
await ensurePort(host.node, machine);
const frames = await openFrames(host, interfaceOf(serverId, 'tap'));
after(async () => {
  await frames.close();
  await removePort(host.node, serverId);
  await host.close();
});

let count = 0;
/** A question that is always allowed, and is like no other. */
function sentinel(): Buffer {
  count += 1;
  return frame(mac, ALL, 'arp', arp(1, { mac, ip: own }, `198.18.${200 + (count >> 8)}.${count & 0xff}`));
}

type Frame = readonly [name: string, frame: Buffer];

const v4 = (to: string, port: number, from = 1000) =>
  frame(mac, ALL, 'ip', ip4(own, to, 'udp', udp(from, port)));
const v6 = (from: number, port: number) =>
  frame(mac, ALL, 'ip6', ip6(local, 'ff02::1', 'udp', udp(from, port)));
type Protocol = Parameters<typeof fragment6>[0];
const part = (
  protocol: Protocol,
  offset: number,
  payload: Buffer,
  { more = offset === 0, from = own6 } = {},
) => frame(mac, ALL, 'ip6', ip6(from, SOMEBODY6, 'fragment', fragment6(protocol, offset, more, payload)));
const FILLER = Buffer.alloc(16);
/** Sixteen bytes of options, so that what they are in front of begins in the second fragment. */
const OPTIONS_16 = (protocol: number) => Buffer.from([protocol, 1, 1, 12, ...Buffer.alloc(12)]);
const behindRouting = (payload: Buffer) => Buffer.concat([Buffer.from([44, 0, 4, 0, 0, 0, 0, 0]), payload]);

const ALLOWED: readonly Frame[] = [
  ['a question of ARP from the own address', frame(mac, ALL, 'arp', arp(1, { mac, ip: own }, GATEWAY))],
  ['an answer of ARP for the own address', frame(mac, ALL, 'arp', arp(2, { mac, ip: own }, GATEWAY))],
  ['a question whether the own address is free', frame(mac, ALL, 'arp', arp(1, { mac, ip: '0.0.0.0' }, own))],
  ['IPv4 from the own address', frame(mac, ALL, 'ip', ip4(own, SOMEBODY, 'udp', udp(1000, 53)))],
  ['IPv4 to a web server', frame(mac, ALL, 'ip', ip4(own, SOMEBODY, 'tcp', tcp(1000, 443)))],
  ['IPv6 from the own network', frame(mac, ALL, 'ip6', ip6(own6, SOMEBODY6, 'udp', udp(1000, 53)))],
  [
    'a neighbour solicitation from the link-local address',
    frame(mac, ALL, 'ip6', ip6(local, 'ff02::1', 'icmp6', icmp6(135, 'fe80::1'))),
  ],
  [
    'a solicitation for an own address, without one (RFC 4862)',
    frame(mac, ALL, 'ip6', ip6('::', 'ff02::1', 'icmp6', icmp6(135, own6))),
  ],
  [
    'a neighbour advertisement for an own address',
    frame(mac, ALL, 'ip6', ip6(own6, 'ff02::1', 'icmp6', icmp6(136, own6))),
  ],
  [
    'a neighbour advertisement for the link-local address',
    frame(mac, ALL, 'ip6', ip6(local, 'ff02::1', 'icmp6', icmp6(136, local))),
  ],
  ['a question to a DHCP server', v4('255.255.255.255', 67, 68)],
  ['a question to a DHCPv6 server', v6(546, 547)],
  ['the first fragment of UDP', part('udp', 0, Buffer.concat([udp(1000, 53), FILLER]))],
  ['the last fragment of UDP', part('udp', 24, FILLER)],
  ['the first fragment of TCP', part('tcp', 0, Buffer.concat([tcp(1000, 443), Buffer.alloc(4)]))],
  ['the last fragment of TCP', part('tcp', 24, FILLER)],
  ['a fragment of ESP', part('esp', 0, FILLER)],
  ['the last fragment of ESP', part('esp', 16, FILLER)],
  ['the first fragment of a long ping', part('icmp6', 0, icmp6(128))],
  ['the last fragment of a long ping', part('icmp6', 24, FILLER)],
  ['a packet that is its only fragment', part('udp', 0, udp(1000, 53), { more: false })],
  [
    'the first fragment of IPv4 to a web server',
    frame(
      mac,
      ALL,
      'ip',
      fragment4(own, SOMEBODY, 'tcp', { offset: 0, more: true }, tcp(1000, 443).subarray(0, 16)),
    ),
  ],
  [
    'the last fragment of IPv4',
    frame(mac, ALL, 'ip', fragment4(own, SOMEBODY, 'tcp', { offset: 16, more: false }, FILLER)),
  ],
  ['a router solicitation', frame(mac, ALL, 'ip6', ip6(local, 'ff02::2', 'icmp6', icmp6(133)))],
];

const FORGED: readonly Frame[] = [
  ['a foreign MAC address', frame(OTHER_MAC, ALL, 'ip', ip4(own, SOMEBODY, 'udp', udp(1000, 53)))],
  [
    'ARP with a foreign MAC address inside',
    frame(mac, ALL, 'arp', arp(2, { mac: OTHER_MAC, ip: own }, GATEWAY)),
  ],
  ['ARP for the gateway', frame(mac, ALL, 'arp', arp(2, { mac, ip: GATEWAY }, SOMEBODY))],
  ['ARP for a neighbour', frame(mac, ALL, 'arp', arp(1, { mac, ip: '198.18.0.8' }, GATEWAY))],
  [
    "a question whether a neighbour's address is free",
    frame(mac, ALL, 'arp', arp(1, { mac, ip: '0.0.0.0' }, '198.18.0.8')),
  ],
  ['IPv4 from a neighbour', frame(mac, ALL, 'ip', ip4('198.18.0.8', SOMEBODY, 'udp', udp(1000, 53)))],
  ['IPv4 without an address', frame(mac, ALL, 'ip', ip4('0.0.0.0', '255.255.255.255', 'udp', udp(68, 67)))],
  ['an answer of a DHCP server', frame(mac, ALL, 'ip', ip4(own, '255.255.255.255', 'udp', udp(67, 68)))],
  ['an answer of a DHCPv6 server', frame(mac, ALL, 'ip6', ip6(local, 'ff02::1', 'udp', udp(547, 546)))],
  ['an answer of a DHCP server from another port', v4('255.255.255.255', 68)],
  [
    'the first fragment of an answer of a DHCP server',
    frame(mac, ALL, 'ip', fragment4(own, '255.255.255.255', 'udp', { offset: 0, more: true }, udp(1000, 68))),
  ],
  ['an answer of a DHCPv6 server from another port', v6(1000, 546)],
  [
    'the first fragment of an answer of a DHCPv6 server',
    part('udp', 0, Buffer.concat([udp(1000, 546), FILLER]), { from: local }),
  ],
  [
    'the first fragment of options before a router advertisement',
    part('options', 0, OPTIONS_16(58), { from: local }),
  ],
  ['the second fragment, with a router advertisement', part('options', 16, icmp6(134), { from: local })],
  ['the second fragment, with TCP to a mail server', part('options', 16, tcp(1000, 25))],
  ['the first fragment of hop-by-hop options', part('hopByHop', 0, OPTIONS_16(6))],
  ['the first fragment of a routing header', part('routing', 0, OPTIONS_16(6))],
  ['a fragment of a fragment', part('fragment', 0, fragment6('icmp6', 0, true, icmp6(134)))],
  [
    'such a fragment behind a routing header',
    frame(
      mac,
      ALL,
      'ip6',
      ip6(own6, SOMEBODY6, 'routing', behindRouting(fragment6('options', 16, false, icmp6(134)))),
    ),
  ],
  ...[133, 134, 135, 136, 137].map(
    (type): Frame => [
      `neighbour discovery of type ${type} in fragments`,
      part('icmp6', 0, icmp6(type, local), { from: local }),
    ],
  ),
  [
    'neighbour discovery that is its only fragment',
    part('icmp6', 0, icmp6(136, local), { from: local, more: false }),
  ],
  ['the first fragment to a mail server', part('tcp', 0, tcp(1000, 25).subarray(0, 8))],
  [
    'the first fragment of IPv4 to a mail server',
    frame(
      mac,
      ALL,
      'ip',
      fragment4(own, SOMEBODY, 'tcp', { offset: 0, more: true }, tcp(1000, 25).subarray(0, 8)),
    ),
  ],
  ['IPv6 from a neighbour', frame(mac, ALL, 'ip6', ip6('2001:db8:1000:8::1', SOMEBODY6, 'udp', udp(9, 53)))],
  [
    "IPv6 from the gateway's link-local address",
    frame(mac, ALL, 'ip6', ip6('fe80::1', own6, 'udp', udp(9, 53))),
  ],
  [
    'a neighbour advertisement for the gateway',
    frame(mac, ALL, 'ip6', ip6(local, 'ff02::1', 'icmp6', icmp6(136, 'fe80::1'))),
  ],
  [
    'a neighbour advertisement for a neighbour',
    frame(mac, ALL, 'ip6', ip6(own6, 'ff02::1', 'icmp6', icmp6(136, '2001:db8:1000:8::1'))),
  ],
  [
    'a neighbour advertisement for the gateway behind options',
    frame(mac, ALL, 'ip6', ip6(local, 'ff02::1', 'hopByHop', behindOptions('icmp6', icmp6(136, 'fe80::1')))),
  ],
  [
    "a solicitation for a neighbour's address, without one",
    frame(mac, ALL, 'ip6', ip6('::', 'ff02::1', 'icmp6', icmp6(135, '2001:db8:1000:8::1'))),
  ],
  ['a router advertisement', frame(mac, ALL, 'ip6', ip6(local, 'ff02::1', 'icmp6', icmp6(134)))],
  [
    'a router advertisement behind options',
    frame(mac, ALL, 'ip6', ip6(local, 'ff02::1', 'hopByHop', behindOptions('icmp6', icmp6(134)))),
  ],
  ['a redirect', frame(mac, ALL, 'ip6', ip6(local, 'ff02::1', 'icmp6', icmp6(137, own6)))],
  ['IPv4 to a management network', frame(mac, ALL, 'ip', ip4(own, '10.1.2.3', 'tcp', tcp(1000, 22)))],
  ['IPv6 to a management network', frame(mac, ALL, 'ip6', ip6(own6, 'fd00::3', 'tcp', tcp(1000, 22)))],
  ['IPv4 to a mail server', frame(mac, ALL, 'ip', ip4(own, SOMEBODY, 'tcp', tcp(1000, 25)))],
  ['IPv6 to a mail server', frame(mac, ALL, 'ip6', ip6(own6, SOMEBODY6, 'tcp', tcp(1000, 25)))],
  [
    'IPv4 of a neighbour in a virtual network',
    frame(mac, ALL, 'vlan', tagged('ip', ip4('198.18.0.8', SOMEBODY, 'udp', udp(1000, 53)))),
  ],
];

for (const [name, one] of ALLOWED) {
  test(`a machine may send ${name}`, async () => {
    assert.equal(await frames.passes(one, sentinel()), true);
  });
}

for (const [name, one] of FORGED) {
  test(`a machine cannot send ${name} (rule G2)`, async () => {
    assert.equal(await frames.passes(one, sentinel()), false);
  });
}

test('once an operator allows it a machine may connect to mail servers, until that ends (rule G2)', async () => {
  const mail = frame(mac, ALL, 'ip', ip4(own, SOMEBODY, 'tcp', tcp(1000, 25)));
  for (const open of [true, false]) {
    await ensurePort(host.node, { ...machine, mail: open });
    assert.equal(await frames.passes(mail, sentinel()), open);
  }
});

/** Whether what the node sends to an address of the machine comes to its interface. */
function isReached(address: string, version: 4 | 6): boolean {
  const tap = interfaceOf(serverId, 'tap');
  // Its own counters wait for the guest to read.
  const counted = () =>
    Number(/ (\d+) pkt /.exec(host.inNetwork(['tc', '-s', 'qdisc', 'show', 'dev', tap, 'root']).stdout)?.[1]);
  const before = counted();
  host.inNetwork(['ip', `-${version}`, 'neigh', 'replace', address, 'lladdr', mac, 'dev', 'hkbr0']);
  // Nobody answers. The interface sees some of the node's own questions to all, too.
  host.inNetwork(['ping', `-${version}`, '-q', '-c', '20', '-i', '0.01', '-W', '1', address]);
  return counted() - before >= 20;
}

test('nothing comes from or to an address that is null-routed, and everything to and from the others', async () => {
  const from4 = frame(mac, ALL, 'ip', ip4(own, SOMEBODY, 'udp', udp(1000, 53)));
  const from6 = frame(mac, ALL, 'ip6', ip6(own6, SOMEBODY6, 'udp', udp(1000, 53)));
  // From the link-local address, which cannot be null-routed.
  const passes = (one: Buffer) => {
    count += 1;
    const always = ip6(local, `ff02::1:${count.toString(16)}`, 'icmp6', icmp6(135, 'fe80::1'));
    return frames.passes(one, frame(mac, ALL, 'ip6', always));
  };
  const states = async () => [
    await passes(from4),
    isReached(own, 4),
    await passes(from6),
    isReached(own6, 6),
  ];
  assert.deepEqual(await states(), [true, true, true, true]);
  await ensurePort(host.node, { ...machine, nullRouted: [own] });
  assert.deepEqual(await states(), [false, false, true, true]);
  await ensurePort(host.node, { ...machine, nullRouted: [network] });
  assert.deepEqual(await states(), [true, true, false, false]);
  await ensurePort(host.node, machine);
  assert.deepEqual(await states(), [true, true, true, true]);
});
