import { filterText, noFilterText } from './filter.ts';
import { interfaceOf, type Node, uidOf } from './node.ts';
import type { MachineRecord } from './record.ts';

const NAMESPACE = `[ -e "/run/netns/$1" ] || ip netns add "$1"`;

// The device's mode is udev's: who opens it gets no interface but those that are their own. Not every node has udev.
const BRIDGE = `bridge=$1 uplink=$2; shift 2
chmod 0666 /dev/net/tun
ip link set lo up
ip link show dev "$bridge" >/dev/null 2>&1 || {
  ip link add "$bridge" type bridge stp_state 0 mcast_snooping 0
  made=yes
}
ip link set "$bridge" up
# Addresses are for bridges that nobody else looks after.
for address; do ip address replace "$address" dev "$bridge" $(case $address in *:*) echo nodad;; esac); done
[ -z "$uplink" ] || ip link set "$uplink" master "$bridge" up`;

/** What all machines of a node share: namespace, bridge, and the device of their ports. Changes nothing that is there. */
export async function ensureBridge(node: Node): Promise<void> {
  const { namespace, bridge, uplink = '', addresses } = node.settings.network;
  if (namespace !== undefined) await node.sh(NAMESPACE, namespace);
  await node.command(node.inNetwork(['sh', '-euc', BRIDGE, 'sh', bridge, uplink, ...addresses]));
}

// The filter comes first: an interface that nobody filters never is a port of the bridge.
const PORT = `tap=$1 shaper=$2 owner=$3 bridge=$4 rate=$5 burst=$6; shift 6
nft -f -
ip link show dev "$tap" >/dev/null 2>&1 || ip tuntap add dev "$tap" mode tap user "$owner" vnet_hdr
echo 1 >"/proc/sys/net/ipv6/conf/$tap/disable_ipv6"
tc qdisc replace dev "$tap" root tbf rate "$rate" burst "$burst" latency 50ms
ip link show dev "$shaper" >/dev/null 2>&1 || ip link add "$shaper" type ifb
ip link set "$shaper" up
tc qdisc replace dev "$shaper" root tbf rate "$rate" burst "$burst" latency 50ms
tc qdisc replace dev "$tap" ingress
tc filter replace dev "$tap" parent ffff: protocol all prio 1 handle 800::800 \\
  u32 match u32 0 0 action mirred egress redirect dev "$shaper"
ip link set "$tap" master "$bridge" up
for network; do ip -6 route replace "$network" dev "$bridge"; done`;

const BURST_SECONDS = 0.004;
const LEAST_BURST = 65_536;
const BITS_PER_MBIT = 1_000_000;

/** The machine's port of the bridge: filtered, and limited to its uplink in both directions. */
export async function ensurePort(node: Node, machine: MachineRecord): Promise<void> {
  const { bridge, addresses } = node.settings.network;
  const burst = Math.max(LEAST_BURST, Math.ceil((machine.uplink * BITS_PER_MBIT * BURST_SECONDS) / 8));
  const argv = [
    ...['sh', '-euc', PORT, 'sh'],
    ...[interfaceOf(machine.serverId, 'tap'), interfaceOf(machine.serverId, 'shaper')],
    ...[String(uidOf(machine.serverId)), bridge, `${machine.uplink}mbit`, String(burst)],
    // The node is the router where it has the gateways' addresses.
    ...(addresses.length === 0 ? [] : machine.ipv6.map(({ network }) => network)),
  ];
  await node.command(node.inNetwork(argv), filterText(node.settings, machine));
}

const NO_PORT = `for interface; do
  ! ip link show dev "$interface" >/dev/null 2>&1 || ip link delete "$interface"
done
nft -f -`;

export async function removePort(node: Node, serverId: string): Promise<void> {
  const interfaces = [interfaceOf(serverId, 'tap'), interfaceOf(serverId, 'shaper')];
  const argv = ['sh', '-euc', NO_PORT, 'sh', ...interfaces];
  await node.command(node.inNetwork(argv), noFilterText(node.settings, serverId));
}
