import { BackendUnavailable } from '../../outcome.ts';
import { interfaceOf, type Node } from './node.ts';
import { MachineRecord } from './record.ts';

/** What is there of a machine on a node. Counters begin with the process. */
export interface FoundState {
  readonly record: MachineRecord;
  /** What its disk and its snapshots take of the node. */
  readonly diskUsedBytes: number;
  readonly seedAgeSeconds: number | null;
  /** Whether its process was started since the node was. */
  readonly startedSinceBoot: boolean;
  readonly process: FoundProcess | null;
}

export interface FoundProcess {
  readonly pid: number;
  readonly uptimeSeconds: number;
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly netInBytes: number | null;
  readonly netOutBytes: number | null;
}

// One line for the node, then for each machine: its names, its record, and its process if there is one. Shell builtins
// where there are any: a node may have hundreds.
const PROBE = `machines=$1; shift
cd "$machines" 2>/dev/null || exit 0
read -r up rest </proc/uptime
read -r boot </proc/sys/kernel/random/boot_id
echo "$up $(getconf CLK_TCK) $(getconf PAGESIZE) $(date +%s)"
[ $# -gt 0 ] || set -- *
for given; do
  id=\${given%%/*} tap=\${given#*/}
  [ -d "$id" ] || continue
  generation=0
  for found in "$id"/[0-9]*; do
    number=\${found#*/}
    case $number in *[!0-9]*) continue ;; esac
    [ "$number" -le "$generation" ] || generation=$number
  done
  [ "$generation" != 0 ] || continue
  seed=- started=- process='- - - - -'
  inside=$id/$generation
  read -r record <"$inside/machine.json"
  case $record in *'"rescue":{'*) inside=$inside/rescue ;; esac
  [ ! -e "$inside/seed.iso" ] || seed=$(stat -c %Y "$inside/seed.iso")
  if [ -r "$id/run/boot" ]; then read -r started <"$id/run/boot"; fi
  [ "$started" != "$boot" ] || started=yes
  if [ -r "$id/run/pid" ] && read -r pid <"$id/run/pid" && grep -qsF -- "guest=$id" "/proc/$pid/cmdline" &&
    read -r line <"/proc/$pid/stat"; then
    set -f
    fields=\${line##*) }
    case $fields in Z*) ;; *) process="$pid $fields" ;; esac
    set +f
  fi
  used=0
  for disk in "$id/$generation"/*.qcow2; do used=$((used + $(stat -c '%b * %B' "$disk" 2>/dev/null || echo 0))); done
  echo "$id $generation $used $seed $started $process"
  cat "$id/$generation/machine.json"
  echo
done`;

// Of interfaces: what the machine received is what its port sent.
const COUNTERS = `for tap; do
  [ -d "/sys/class/net/$tap" ] || continue
  cd "/sys/class/net/$tap/statistics"
  read -r sent <tx_bytes && read -r received <rx_bytes && echo "$tap $sent $received"
done`;

/** Looks at all machines of a node, or at one. Those that are only half made are none. */
export async function probe(node: Node, serverId?: string): Promise<FoundState[]> {
  const printed = await node.sh(PROBE, node.machines, ...(serverId === undefined ? [] : [serverId]));
  const [header = '', ...lines] = printed.split('\n').filter((line) => line !== '');
  const [up = 0, ticks = 1, page = 1, now = 0] = header.split(' ').map(Number);
  const found: FoundState[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [id, , used, seed, started, pid, ...stat] = (lines[at] ?? '').split(' ');
    const record = readRecord(node, lines[at + 1] ?? '');
    if (record.serverId !== id)
      throw new BackendUnavailable(node.name, new Error(`${id} has another's record`));
    // Numbers of proc(5), less the first three, which are the process itself.
    const field = (number: number) => Number(stat[number - 3]);
    found.push({
      record,
      diskUsedBytes: Number(used),
      seedAgeSeconds: seed === '-' ? null : now - Number(seed),
      startedSinceBoot: started === 'yes',
      process:
        pid === '-'
          ? null
          : {
              pid: Number(pid),
              uptimeSeconds: Math.max(0, up - field(22) / ticks),
              cpuSeconds: (field(14) + field(15)) / ticks,
              memoryBytes: field(24) * page,
              netInBytes: null,
              netOutBytes: null,
            },
    });
  }
  return await withCounters(node, found);
}

async function withCounters(node: Node, found: readonly FoundState[]): Promise<FoundState[]> {
  const running = found.filter(({ process }) => process !== null);
  if (running.length === 0) return [...found];
  const taps = running.map(({ record }) => interfaceOf(record.serverId, 'tap'));
  const printed = await node.command(node.inNetwork(['sh', '-euc', COUNTERS, 'sh', ...taps]));
  const counters = new Map(
    printed.split('\n').map((line) => {
      const [tap = '', sent, received] = line.split(' ');
      return [tap, { netInBytes: Number(sent), netOutBytes: Number(received) }] as const;
    }),
  );
  return found.map((state) => {
    const counted = counters.get(interfaceOf(state.record.serverId, 'tap'));
    if (state.process === null || counted === undefined) return state;
    return { ...state, process: { ...state.process, ...counted } };
  });
}

function readRecord(node: Node, line: string): MachineRecord {
  const read = MachineRecord.safeParse(JSON.parse(line));
  if (!read.success) throw new BackendUnavailable(node.name, read.error);
  return read.data;
}
