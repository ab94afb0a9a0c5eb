import { Duplex } from 'node:stream';
import { createWebSocketStream, type WebSocket } from 'ws';

/** PVE ends a connection that brings a longer frame than 128 KiB, or one in fragments. */
const LONGEST_FRAME = 64 * 1024;

/** The bytes that go over a WebSocket, in frames that PVE takes; each side waits for the other. */
export function webSocketStream(socket: WebSocket): Duplex {
  const inner = createWebSocketStream(socket);
  const outer: Duplex = new Duplex({
    read: () => void inner.resume(),
    write(chunk: Buffer, _encoding, written) {
      let at = 0;
      for (; at + LONGEST_FRAME < chunk.length; at += LONGEST_FRAME)
        inner.write(chunk.subarray(at, at + LONGEST_FRAME));
      inner.write(chunk.subarray(at), written);
    },
    final: (ended) => void inner.end(ended),
    destroy(error, destroyed) {
      inner.destroy();
      destroyed(error);
    },
  });
  inner.on('data', (chunk: Buffer) => {
    if (!outer.push(chunk)) inner.pause();
  });
  inner.on('end', () => outer.push(null));
  inner.on('error', (error) => outer.destroy(error));
  inner.on('close', () => {
    if (!inner.readableEnded) outer.destroy();
  });
  return outer;
}
