import { macAddress } from '../../../base/mac-address.ts';
import { script } from '../../host/executor.ts';
import { interfaceOf, type Node, uidOf } from './node.ts';
import type { MachineRecord } from './record.ts';
import { seedDirectory } from './seed-medium.ts';
import type { NodeSettings } from './settings.ts';

/** Above what the guest has: for QEMU itself and what it emulates with. */
const OVERHEAD_MIB = 512;
const MOST_TASKS = 128;
const MIB = 1024 * 1024;
const CPU_PERIOD = 100_000;

// Into a control group of its own where there are any, then out of every right, then QEMU.
const START = `mark=$1 id=$2 run=$3 owner=$4 namespace=$5 memory=$6 tasks=$7 quota=$8; shift 8
groups=--clear-groups
if [ "$1" = kvm ]; then groups=--groups=$(stat -c %g /dev/kvm); fi
shift
install -d -m 0700 -o "$owner" -g "$owner" "$run"
rm -f "$run"/*.sock "$run"/pid
cat /proc/sys/kernel/random/boot_id >"$run/boot"
for root in /sys/fs/cgroup /sys/fs/cgroup/unified; do
  grep -qw memory "$root/cgroup.controllers" 2>/dev/null || continue
  mkdir -p "$root/$mark"
  echo '+memory +pids +cpu' >"$root/cgroup.subtree_control" 2>/dev/null || true
  echo '+memory +pids +cpu' >"$root/$mark/cgroup.subtree_control" 2>/dev/null || true
  mkdir -p "$root/$mark/$id"
  echo "$memory" >"$root/$mark/$id/memory.max" || true
  echo "$tasks" >"$root/$mark/$id/pids.max" || true
  echo "$quota ${CPU_PERIOD}" >"$root/$mark/$id/cpu.max" || true
  echo $$ >"$root/$mark/$id/cgroup.procs" || true
done
limit() {
  [ -f "/sys/fs/cgroup/$1/cgroup.procs" ] || return 0
  mkdir -p "/sys/fs/cgroup/$1/$mark/$id"
  echo "$3" >"/sys/fs/cgroup/$1/$mark/$id/$2"
  echo $$ >"/sys/fs/cgroup/$1/$mark/$id/cgroup.procs"
}
limit memory memory.limit_in_bytes "$memory"
limit pids pids.max "$tasks"
limit cpu cpu.cfs_quota_us "$quota"
set -- setpriv --reuid="$owner" --regid="$owner" "$groups" --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
# It hides the control groups, so it comes last.
[ -z "$namespace" ] || set -- ip netns exec "$namespace" "$@"
# QEMU cannot leave the session by itself: its own filter forbids it. What it has to say goes to a file that it appends to.
: >"$run/log"
setsid --fork "$@" </dev/null >>"$run/log" 2>&1
for wait in $(seq 1 500); do
  [ ! -S "$run/vnc.sock" ] || [ ! -s "$run/pid" ] || exit 0
  [ ! -s "$run/log" ] || grep -q warning: "$run/log" || break
  sleep 0.02
done
cat "$run/log" >&2
exit 1`;

/** What a machine starts from: the lower number comes first, and no two are the same. */
export const BOOT_INDEX = { rescue: 0, mediumFirst: 1, disk: 2, medium: 3 };

export interface StartOptions {
  /** It waits to be let go. */
  readonly paused: boolean;
  /** Whether there is one for it to read. */
  readonly seed: boolean;
}

/** Starts a machine's process, with the network that it is to have there already; its monitors answer afterwards. */
export async function startProcess(
  node: Node,
  machine: MachineRecord,
  { paused, seed }: StartOptions,
): Promise<void> {
  const { serverId, memory, cores } = machine;
  const { settings } = node;
  const given = [
    ...[
      settings.mark,
      serverId,
      node.run(serverId),
      String(uidOf(serverId)),
      settings.network.namespace ?? '',
    ],
    ...[String((memory + OVERHEAD_MIB) * MIB), String(MOST_TASKS), String((cores + 1) * CPU_PERIOD)],
    settings.accelerator,
    ...qemuArguments(node, machine, { paused, seed }),
  ];
  await node.command(script(START, ...given));
}

function qemuArguments(node: Node, machine: MachineRecord, { paused, seed }: StartOptions): string[] {
  const { serverId, generation } = machine;
  const [directory, run] = [`${node.directory(serverId)}/${generation}`, node.run(serverId)];
  const mac = macAddress(serverId);
  return [
    'qemu-system-x86_64',
    ...['-name', `guest=${serverId}`, '-uuid', serverId, '-pidfile', `${run}/pid`],
    ...['-nodefaults', '-no-user-config', '-display', 'none', '-vga', 'std'],
    ...['-sandbox', 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny'],
    ...['-machine', 'q35', '-accel', accelerator(node.settings), '-cpu', processor(node.settings)],
    // It stands still when the system in it switches it off, so that this can be told from a crash, which leaves nothing.
    ...['-action', 'shutdown=pause'],
    ...['-smp', String(machine.cores), '-m', String(machine.memory)],
    ...['-chardev', `socket,id=commands,path=${run}/commands.sock,server=on,wait=off`],
    ...['-mon', 'chardev=commands,mode=control'],
    // A monitor talks with one at a time: who looks at a machine does not wait for who changes it.
    ...['-chardev', `socket,id=questions,path=${run}/questions.sock,server=on,wait=off`],
    ...['-mon', 'chardev=questions,mode=control'],
    // Nobody but root can reach the socket, so that there is no password to be known.
    ...['-vnc', `unix:${run}/vnc.sock,share=ignore`],
    // The last 64 KiB, in memory: a machine cannot fill its node's disk with what it prints.
    ...['-chardev', 'ringbuf,id=serial,size=65536', '-serial', 'chardev:serial'],
    ...['-device', 'virtio-rng-pci', '-device', 'virtio-balloon-pci', '-device', 'virtio-serial-pci'],
    ...['-chardev', `socket,id=agent,path=${run}/agent.sock,server=on,wait=off`],
    ...['-device', 'virtserialport,chardev=agent,name=org.qemu.guest_agent.0'],
    ...['-chardev', 'ringbuf,id=boot,size=64', '-device', 'virtserialport,chardev=boot,name=hostkeep.boot'],
    // The system that is started has the first disk.
    ...(machine.rescue === null ? [] : diskDevice('rescue', `${directory}/rescue/disk.qcow2`)),
    ...diskDevice('disk', `${directory}/disk.qcow2`),
    ...['-device', 'virtio-scsi-pci'],
    ...drive('seed', seed ? `${seedDirectory(node, machine)}/seed.iso` : null),
    ...drive(
      'medium',
      machine.medium === null ? null : node.medium(machine.medium.sha256),
      machine.medium?.first === true ? BOOT_INDEX.mediumFirst : BOOT_INDEX.medium,
    ),
    ...['-netdev', `tap,id=net,ifname=${interfaceOf(serverId, 'tap')},script=no,downscript=no`],
    ...['-device', `virtio-net-pci,netdev=net,mac=${mac},romfile=`],
    ...(paused ? ['-S'] : []),
  ];
}

function diskDevice(name: 'disk' | 'rescue', filename: string): string[] {
  const blocks = {
    driver: 'qcow2',
    'node-name': name,
    discard: 'unmap',
    file: { driver: 'file', filename, aio: 'threads', discard: 'unmap' },
  };
  const device = `virtio-blk-pci,drive=${name},bootindex=${BOOT_INDEX[name]}`;
  return ['-blockdev', JSON.stringify(blocks), '-device', device];
}

/** A drive with a medium, or without one (null); from one without a number nothing starts. */
function drive(name: 'seed' | 'medium', file: string | null, bootIndex?: number): string[] {
  const index = bootIndex === undefined ? '' : `,bootindex=${bootIndex}`;
  if (file === null) return ['-device', `scsi-cd,id=${name}${index}`];
  const blocks = `if=none,id=${name}-file,format=raw,readonly=on,file=${file}`;
  return ['-drive', blocks, '-device', `scsi-cd,id=${name},drive=${name}-file${index}`];
}

/** The cache of translated code would else take up to a gigabyte. */
function accelerator({ accelerator: name }: NodeSettings): string {
  return name === 'tcg' ? 'tcg,tb-size=128,thread=multi' : name;
}

export function processor({ accelerator: name, processor: wanted }: NodeSettings): string {
  return wanted ?? (name === 'kvm' ? 'host' : 'max');
}

// A process of another program may have got the number since; one that ended and was not waited for is gone.
const STOP = `pid=$(cat "$1/pid" 2>/dev/null) || exit 0
alive() {
  grep -qF -- "guest=$2" "/proc/$pid/cmdline" 2>/dev/null || return 1
  read -r line <"/proc/$pid/stat" || return 1
  case \${line##*) } in Z*) return 1 ;; esac
}
for wait in $(seq 1 200); do
  alive "$@" || exit 0
  [ "$wait" != 1 ] || kill -TERM "$pid" 2>/dev/null || true
  [ "$wait" != 100 ] || kill -KILL "$pid" 2>/dev/null || true
  sleep 0.05
done
exit 1`;

/** Cuts the power: nothing of the machine runs when this returns. */
export async function stopProcess(node: Node, serverId: string): Promise<void> {
  await node.sh(STOP, node.run(serverId), serverId);
}
