import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { openRfbSource } from '../backend/test/rfb-source.ts';
import { answerCalls } from './process.ts';

/** A screen: QEMU's own, or one that does nothing but send. */
export type Screen =
  | { readonly kind: 'qemu'; readonly path: string }
  | { readonly kind: 'sender'; readonly width: number; readonly height: number };

/** Where a screen listens, as `net.connect` takes it. */
export type ScreenAddress = { readonly path: string } | { readonly port: number; readonly host: string };

// A process that is a machine's screen; told which, it answers where.
answerCalls(async (screen: Screen): Promise<ScreenAddress> => {
  if (screen.kind === 'sender') {
    const { port } = await openRfbSource(screen.width, screen.height);
    return { port, host: '127.0.0.1' };
  }
  const { path } = screen;
  const silent = ['-display', 'none', '-monitor', 'none', '-serial', 'none'];
  const qemu = spawn(
    'qemu-system-x86_64',
    ['-machine', 'none', '-nodefaults', '-S', ...silent, '-vnc', `unix:${path}`],
    { stdio: 'inherit' },
  );
  process.on('exit', () => qemu.kill('SIGKILL'));
  while (!existsSync(path)) {
    if (qemu.exitCode !== null) throw new Error('QEMU does not start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { path };
});
