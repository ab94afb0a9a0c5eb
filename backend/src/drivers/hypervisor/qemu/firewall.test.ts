import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, test } from 'node:test';
import { openFrames } from '../../../../test/frames.ts';
import { arp, frame, icmp4, icmp6, ip4, ip6, tcp, udp } from '../../../../test/packets.ts';
import { openQemuNode } from '../../../../test/qemu-node.ts';
import { type FirewallRule, OPEN, type WantedFirewall } from '../../../base/firewall.ts';
import { macAddress } from '../../../base/mac-address.ts';
import { ensureBridge, ensurePort, removePort } from './network.ts';
import { interfaceOf } from './node.ts';
import type { MachineRecord } from './record.ts';

const ALL = 'ff:ff:ff:ff:ff:ff';
const OTHER_MAC = '02:00:00:00:00:99';
const SOMEBODY = '198.51.100.7';
const ELSEWHERE = '203.0.113.7';
const SOMEBODY6 = '2001:db8:ffff::7';
const OUTSIDE = 'outside0';

const host = await openQemuNode();
const serverId = randomUUID();
const mac = macAddress(serverId);
const own = '198.18.0.7';
const own6 = '2001:db8:1000:7::1';
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
  ipv4: [{ address: own, gateway: '198.18.0.1' }],
  ipv6: [{ network: '2001:db8:1000:7::/64', gateway: 'fe80::1' }],
  ...{ mail: false, nullRouted: [], firewall: OPEN, medium: null, rescue: null },
  ...{ reboots: 0, rebooting: null, passwordRevision: 0, restores: [] },
};
const tap = interfaceOf(serverId, 'tap');
await ensureBridge(host.node);
await ensurePort(host.node, machine);
host.inNetwork(['ip', 'tuntap', 'add', 'dev', OUTSIDE, 'mode', 'tap']);
host.inNetwork(['ip', 'link', 'set', OUTSIDE, 'master', 'hkbr0', 'up']);
const guest = await openFrames(host, tap);
const outside = await openFrames(host, OUTSIDE, tap);
afterEach(() => ensurePort(host.node, machine));
after(async () => {
  await guest.close();
  await outside.close();
  await removePort(host.node, serverId);
  await host.close();
});

let count = 0;
function question(from: string, ip: string): Buffer {
  count += 1;
  return frame(from, ALL, 'arp', arp(1, { mac: from, ip }, `198.18.${200 + (count >> 8)}.${count & 0xff}`));
}

type Payload = readonly [protocol: 'tcp' | 'udp' | 'icmp' | 'icmp6', payload: Buffer];

/** Whether it gets to the machine from somebody. */
function comesIn([protocol, payload]: Payload, from = SOMEBODY): Promise<boolean> {
  const packet = from.includes(':') ? ip6(from, own6, protocol, payload) : ip4(from, own, protocol, payload);
  const one = frame(OTHER_MAC, mac, from.includes(':') ? 'ip6' : 'ip', packet);
  return outside.passes(one, question(OTHER_MAC, '198.18.0.9'));
}

/** Whether it gets from the machine to somebody. */
function goesOut([protocol, payload]: Payload, to = SOMEBODY): Promise<boolean> {
  const packet = to.includes(':') ? ip6(own6, to, protocol, payload) : ip4(own, to, protocol, payload);
  return guest.passes(frame(mac, ALL, to.includes(':') ? 'ip6' : 'ip', packet), question(mac, own));
}

const SYN = 0x02;
const ACK = 0x10;
const opening = (port: number): Payload => ['tcp', tcp(4000, port, SYN)];
const answering = (port: number): Payload => ['tcp', tcp(port, 4000, SYN | ACK)];
const later = (port: number): Payload => ['tcp', tcp(4000, port, ACK)];

function rule(change: Partial<FirewallRule>): FirewallRule {
  return { direction: 'in', protocol: 'tcp', ports: null, cidr: null, action: 'accept', ...change };
}

const filtered = (change: Partial<WantedFirewall>) =>
  ensurePort(host.node, { ...machine, firewall: { ...OPEN, ...change } });

test('without rules everything comes and goes', async () => {
  for (const from of [SOMEBODY, SOMEBODY6]) {
    assert.equal(await comesIn(opening(22), from), true);
    assert.equal(await goesOut(opening(22), from), true);
  }
});

test('under a policy of drop only the ports that a rule names are opened from outside, in both families', async () => {
  await filtered({ policyIn: 'drop', rules: [rule({ ports: { from: 80, to: 81 } })] });
  for (const from of [SOMEBODY, SOMEBODY6]) {
    assert.equal(await comesIn(opening(80), from), true);
    assert.equal(await comesIn(opening(81), from), true);
    assert.equal(await comesIn(opening(82), from), false);
    assert.equal(await comesIn(['udp', udp(4000, 80)], from), false);
    // Of connections that the machine has opened.
    assert.equal(await goesOut(opening(443), from), true);
    assert.equal(await comesIn(answering(443), from), true);
    assert.equal(await comesIn(later(82), from), true);
  }
});

test('the first rule that fits decides, and a rule is about its network only', async () => {
  const rules = [
    rule({ cidr: '198.51.100.0/24', protocol: 'any', action: 'drop' }),
    rule({ ports: { from: 22, to: 22 } }),
    rule({ cidr: '2001:db8:ffff::/48', ports: { from: 25, to: 25 } }),
  ];
  await filtered({ policyIn: 'drop', rules });
  assert.equal(await comesIn(opening(22), SOMEBODY), false);
  assert.equal(await comesIn(opening(22), ELSEWHERE), true);
  assert.equal(await comesIn(opening(22), SOMEBODY6), true);
  assert.equal(await comesIn(opening(25), SOMEBODY6), true);
  assert.equal(await comesIn(opening(25), ELSEWHERE), false);
  await filtered({ policyIn: 'drop', rules: [rule({ cidr: '0.0.0.0/0', protocol: 'any' })] });
  assert.equal(await comesIn(opening(25), ELSEWHERE), true);
  assert.equal(await comesIn(opening(25), SOMEBODY6), false);
});

test('an answer of UDP comes from whom the machine has asked, and nobody else', async () => {
  await filtered({ policyIn: 'drop' });
  for (const from of [SOMEBODY, SOMEBODY6]) {
    assert.equal(await comesIn(['udp', udp(53, 5353)], from), false);
    assert.equal(await goesOut(['udp', udp(5353, 53)], from), true);
    assert.equal(await comesIn(['udp', udp(53, 5353)], from), true);
    assert.equal(await comesIn(['udp', udp(53, 5354)], from), false);
    assert.equal(await comesIn(['udp', udp(54, 5353)], from), false);
  }
  assert.equal(await comesIn(['udp', udp(53, 5353)], ELSEWHERE), false);
});

test('what a machine may open is limited the same way, and its answers go out', async () => {
  const rules = [
    rule({ direction: 'out', ports: { from: 443, to: 443 } }),
    rule({ protocol: 'udp', ports: { from: 53, to: 53 } }),
  ];
  await filtered({ policyOut: 'drop', rules });
  for (const to of [SOMEBODY, SOMEBODY6]) {
    assert.equal(await goesOut(opening(443), to), true);
    assert.equal(await goesOut(opening(80), to), false);
    assert.equal(await goesOut(answering(22), to), true);
    assert.equal(await goesOut(['udp', udp(53, 4001)], to), false);
    assert.equal(await comesIn(['udp', udp(4001, 53)], to), true);
    assert.equal(await goesOut(['udp', udp(53, 4001)], to), true);
  }
});

test('errors of ICMP and neighbours always come, other ICMP by rule', async () => {
  const [echo, unreachable, tooBig] = [8, 3, 2];
  const echo6 = 128;
  await filtered({ policyIn: 'drop', policyOut: 'drop' });
  assert.equal(await comesIn(['icmp', icmp4(echo)]), false);
  assert.equal(await comesIn(['icmp', icmp4(unreachable)]), true);
  assert.equal(await comesIn(['icmp6', icmp6(echo6)], SOMEBODY6), false);
  assert.equal(await comesIn(['icmp6', icmp6(tooBig)], SOMEBODY6), true);
  assert.equal(await comesIn(['icmp6', icmp6(135, own6)], SOMEBODY6), true);
  assert.equal(await goesOut(['icmp6', icmp6(135, SOMEBODY6)], SOMEBODY6), true);
  await filtered({ policyIn: 'drop', rules: [rule({ protocol: 'icmp' })] });
  assert.equal(await comesIn(['icmp', icmp4(echo)]), true);
  assert.equal(await comesIn(['icmp6', icmp6(echo6)], SOMEBODY6), true);
});

test('no rule of a customer opens what everybody is kept from (rule G2)', async () => {
  const rules = [rule({ direction: 'out', protocol: 'any' }), rule({ protocol: 'any' })];
  await ensurePort(host.node, { ...machine, nullRouted: [own], firewall: { ...OPEN, rules } });
  assert.equal(await comesIn(opening(22)), false);
  await filtered({ rules });
  assert.equal(await goesOut(opening(25)), false);
  const forged = frame(mac, ALL, 'ip', ip4('198.18.0.8', SOMEBODY, 'udp', udp(1000, 53)));
  assert.equal(await guest.passes(forged, question(mac, own)), false);
});

test('nothing of it stays when a machine goes', async () => {
  const gone = { ...machine, serverId: randomUUID(), firewall: { ...OPEN, policyIn: 'drop' as const } };
  await ensurePort(host.node, gone);
  await removePort(host.node, gone.serverId);
  await removePort(host.node, gone.serverId);
  const { stdout } = host.inNetwork(['nft', 'list', 'ruleset']);
  assert.equal(stdout.includes(interfaceOf(gone.serverId, 'tap')), false);
});
