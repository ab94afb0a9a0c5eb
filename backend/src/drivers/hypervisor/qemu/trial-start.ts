import { createInterface } from 'node:readline';
import { z } from 'zod';
import { script } from '../../host/executor.ts';
import { type Node, uidOf } from './node.ts';
import { processor } from './process.ts';

/** Beyond which a node is not fit for customers' machines, however loaded it is. */
const PATIENCE_MS = 120_000;
const RUNS_MS = 1_000;
/** Not a server that runs: only its user is taken from it. */
const TRIAL = '00000000-0000-0000-0000-000000000000';

// As a machine's process is started, with its user and its rights. On the node it ends by itself, whatever becomes of the
// connection to it.
const START = `owner=$1 accelerator=$2 processor=$3
groups=--clear-groups
if [ "$accelerator" = kvm ]; then groups=--groups=$(stat -c %g /dev/kvm); fi
exec timeout --kill-after=5 180 setpriv --reuid="$owner" --regid="$owner" "$groups" --no-new-privs --bounding-set=-all \\
  --inh-caps=-all qemu-system-x86_64 -nodefaults -no-user-config -display none -machine q35 -m 64 -smp 1 -S \\
  -sandbox on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny \\
  -accel "$accelerator" -cpu "$processor" -qmp stdio 2>&1`;

const Message = z.looseObject({
  QMP: z.unknown().optional(),
  event: z.string().optional(),
  return: z.looseObject({ status: z.string().optional() }).optional(),
  error: z.looseObject({ desc: z.string() }).optional(),
});

/**
 * Starts a machine without a disk on a node, lets it run for a second, and ends it. Why it did not run, or null: an
 * accelerator that is there may not be fit for guests, which only a guest finds out.
 */
export async function trialStart(node: Node): Promise<string | null> {
  const { accelerator } = node.settings;
  const stream = node.executor.open(
    script(START, String(uidOf(TRIAL)), accelerator, processor(node.settings)),
  );
  const said: string[] = [];
  const tell = (command: string) => void stream.write(`${JSON.stringify({ execute: command })}\n`);
  const late = setTimeout(() => stream.destroy(), PATIENCE_MS);
  let asking: NodeJS.Timeout | undefined;
  let status: string | null = null;
  let failure: string | null = null;
  try {
    for await (const line of createInterface({ input: stream })) {
      const message = readMessage(line);
      if (message === null) said.push(line);
      else if (message.QMP !== undefined) {
        tell('qmp_capabilities');
        tell('cont');
      } else if (message.event === 'RESUME') asking = setTimeout(() => tell('query-status'), RUNS_MS);
      else if (message.return?.status !== undefined) {
        status = message.return.status;
        tell('quit');
        break;
      } else if (message.error !== undefined) said.push(message.error.desc);
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    failure = error.message;
  } finally {
    clearTimeout(late);
    clearTimeout(asking);
    stream.end();
    stream.destroy();
  }
  if (status === 'running') return null;
  const why = said.findLast((line) => line.trim() !== '') ?? failure ?? status ?? 'it ended without a word';
  return `a machine does not run with the accelerator ${accelerator}: ${why.trim().slice(0, 300)}`;
}

/** null: what QEMU says to people. */
function readMessage(line: string): z.output<typeof Message> | null {
  if (!line.startsWith('{')) return null;
  try {
    return Message.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
