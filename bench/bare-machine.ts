import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface BareMachine {
  readonly image: string;
  /** The overlay that the image is booted on, made anew. */
  readonly disk: string;
  /** MiB. */
  readonly memory: number;
}

const PROMPT = 'login:';

/** Boots an image with nothing but QEMU, and ends it; the seconds from the first command to the prompt on its serial line. */
export async function bootBare({ image, disk, memory }: BareMachine): Promise<number> {
  const begun = performance.now();
  const made = spawn('qemu-img', ['create', '-q', '-f', 'qcow2', '-F', 'qcow2', '-b', image, disk], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = await once(made, 'exit');
  if (status !== 0) throw new Error('the overlay could not be made');
  const qemu = spawn(
    'qemu-system-x86_64',
    [
      ...['-nodefaults', '-no-user-config', '-display', 'none', '-serial', 'stdio'],
      ...['-machine', 'q35', '-accel', 'tcg,tb-size=128,thread=multi', '-cpu', 'max'],
      ...['-smp', '1', '-m', String(memory)],
      ...['-drive', `file=${disk},format=qcow2,if=virtio`],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const gone = once(qemu, 'exit');
  try {
    let said = '';
    for await (const text of qemu.stdout.setEncoding('utf8')) {
      said += text;
      if (said.includes(PROMPT)) return (performance.now() - begun) / 1000;
    }
    throw new Error(`no prompt: ${said.slice(-2000)}`);
  } finally {
    qemu.kill('SIGKILL');
    await gone;
  }
}
