// Needs: servers

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { greetMachine, NotRfb } from './handshake.ts';
import { Octets } from './octets.ts';

// Longer than what VNC authentication takes notice of.
const PASSWORD = 'correct horse';

const directory = await mkdtemp(join(tmpdir(), 'vnc-'));
const path = join(directory, 'vnc.sock');
const qemu = spawn(
  'qemu-system-x86_64',
  [
    ...['-machine', 'none', '-nodefaults', '-S', '-display', 'none', '-monitor', 'none', '-serial', 'none'],
    ...['-object', `secret,id=password,data=${PASSWORD.slice(0, 8)}`],
    ...['-vnc', `unix:${path},password-secret=password`],
  ],
  { stdio: 'inherit' },
);
after(async () => {
  qemu.kill('SIGKILL');
  await once(qemu, 'exit');
  await rm(directory, { recursive: true });
});
while (!existsSync(path) && qemu.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));

async function greet(password: string | null): Promise<void> {
  const socket = connect(path);
  const said = new Octets(4096);
  socket.on('data', (piece: Buffer) => said.push(piece));
  socket.on('close', () => said.fail(new Error('closed')));
  await once(socket, 'connect');
  try {
    await greetMachine({ said, say: (octets) => socket.write(octets) }, password);
  } finally {
    socket.destroy();
  }
}

test("QEMU's own VNC server takes our answer to its challenge", async () => {
  await greet(PASSWORD);
});

test('and no other; without a password nothing is tried', async () => {
  await assert.rejects(greet('wrong'), NotRfb);
  await assert.rejects(greet(null), /security types 2/);
});
