import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** What may wait for a viewer who reads more slowly than their machine draws; below the second, it draws on. */
const MOST_WAITING = 1024 * 1024;
const FEW_WAITING = 256 * 1024;

/** Counts what passes. */
export interface Passed {
  fromMachine: number;
  toMachine: number;
}

/**
 * Passes on what machine and viewer say, beginning with what they said already, each as fast as the other takes it: what
 * waits here is bounded, and the rest waits at who says it. The streams' ends are somebody else's.
 */
export function relay(
  { viewer, machine }: { readonly viewer: WebSocket; readonly machine: Duplex },
  said: { readonly byViewer: Buffer; readonly byMachine: Buffer },
  passed: Passed,
): void {
  let waiting = 0;
  const toViewer = (chunk: Buffer) => {
    const { length } = chunk;
    passed.fromMachine += length;
    waiting += length;
    viewer.send(chunk, { binary: true }, () => {
      waiting -= length;
      if (waiting <= FEW_WAITING && machine.isPaused()) machine.resume();
    });
    if (waiting >= MOST_WAITING) machine.pause();
  };
  const toMachine = (message: Buffer) => {
    passed.toMachine += message.length;
    if (machine.writable && !machine.write(message)) viewer.pause();
  };
  machine.on('drain', () => viewer.resume());
  machine.on('data', toViewer);
  viewer.on('message', toMachine);
  if (said.byMachine.length > 0) toViewer(said.byMachine);
  if (said.byViewer.length > 0) toMachine(said.byViewer);
}
