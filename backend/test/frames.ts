import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { QemuNode } from './qemu-node.ts';

const PROGRAM = fileURLToPath(new URL('frames.pl', import.meta.url));
const SEEN_MS = 60_000;

/** The guest's end of a machine's interface. */
export interface Frames {
  /** Whether a frame that the guest sends gets past the filter. `sentinel` must: it says when to stop waiting. */
  passes(frame: Buffer, sentinel: Buffer): Promise<boolean>;
  close(): Promise<void>;
}

/** Takes the place of the machine behind a tap, in the network namespace of its node. */
export async function openFrames(
  { node }: QemuNode,
  tap: string,
  /** The interface where frames are to arrive. */
  seenAt = node.settings.network.bridge,
): Promise<Frames> {
  const [file = '', ...given] = node.inNetwork(['perl', PROGRAM, tap, seenAt]);
  const child = spawn(file, given, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  if ((await lines.next()).value !== 'ready') throw new Error('the tap cannot be opened');
  return {
    async passes(frame, sentinel) {
      const late = setTimeout(() => child.kill(), SEEN_MS);
      child.stdin.write(`${frame.toString('hex')}\n${sentinel.toString('hex')}\n`);
      try {
        for (let passed = false; ; ) {
          const { value, done } = await lines.next();
          if (done === true) throw new Error('the sentinel did not arrive');
          if (value === sentinel.toString('hex')) return passed;
          passed ||= value === frame.toString('hex');
        }
      } finally {
        clearTimeout(late);
      }
    },
    async close() {
      const ended = new Promise((resolve) => child.on('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
}
