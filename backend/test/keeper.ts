import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';

// `tac` waits until nobody holds the other end any more. What the test had just begun on the machine gets a moment to
// end when the test did not say that it is over.
const KEEP = `tac | {
  IFS= read -r first
  [ "$first" = ': over' ] || sleep 2
  { printf '%s\\n' "$first"; cat; } | sh
}`;

/**
 * A process that takes back what a test does to the machine, the last first: when the test says that it is over, and
 * also when it was killed, in whichever way. It has a session of its own, so no signal to the tests ends it.
 */
export function openKeeper() {
  const child = spawn('sh', ['-c', KEEP], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' },
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  // The test may end without it.
  child.unref();
  child.stdin.on('error', () => {});
  return {
    /** Notes a line for the shell. Before what it takes back is done, so that nothing is in between. */
    undo(line: string): void {
      assert.ok(!line.includes('\n'), 'one line');
      child.stdin.write(`{ ${line}; } </dev/null\n`);
    },
    /** Resolves when all is taken back; asked again, too. */
    async close(): Promise<void> {
      child.ref();
      child.stdin.end(': over\n');
      await ended;
    },
  };
}
