import type { Duplex } from 'node:stream';
import { z } from 'zod';
import { BackendUnavailable } from '../../outcome.ts';

const Message = z.object({
  QMP: z.unknown().optional(),
  return: z.unknown().optional(),
  error: z.object({ class: z.string(), desc: z.string() }).optional(),
});
// The other end is a process that a guest may have taken over: what it says is bounded and checked.
const MOST_LINE = 1024 * 1024;

/** QEMU said no to a command. */
export class QmpError extends Error {
  override readonly name = 'QmpError';
}

/**
 * The QEMU Machine Protocol: lines of JSON, one answer after the other, events in between. Throws BackendUnavailable
 * when the deadline passes or the connection ends.
 */
export class Qmp {
  readonly #stream: Duplex;
  readonly #deadlineMs: number;
  readonly #lines: string[] = [];
  #rest = '';
  #ended: Error | null = null;
  #wake: () => void = () => {};

  private constructor(stream: Duplex, deadlineMs: number) {
    this.#stream = stream;
    this.#deadlineMs = deadlineMs;
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => this.#read(text));
    stream.on('error', (error) => this.#end(error));
    stream.on('close', () => this.#end(new Error('the monitor closed the connection')));
  }

  /** Connects, does the work and closes: a monitor talks with one at a time. */
  static async during<T>(stream: Duplex, deadlineMs: number, work: (qmp: Qmp) => Promise<T>): Promise<T> {
    const qmp = new Qmp(stream, deadlineMs);
    try {
      await qmp.#answer((message) => message.QMP !== undefined);
      await qmp.execute('qmp_capabilities');
      return await work(qmp);
    } finally {
      stream.destroy();
    }
  }

  async execute(command: string, given: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    this.#stream.write(`${JSON.stringify({ execute: command, arguments: given })}\n`);
    const message = await this.#answer(
      ({ return: result, error }) => result !== undefined || error !== undefined,
    );
    if (message.error !== undefined) throw new QmpError(`${command}: ${message.error.desc}`);
    return message.return;
  }

  async #answer(isIt: (message: z.output<typeof Message>) => boolean): Promise<z.output<typeof Message>> {
    const until = performance.now() + this.#deadlineMs;
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) {
        const message = Message.safeParse(parsed(line));
        if (message.success && isIt(message.data)) return message.data;
        continue;
      }
      if (this.#ended !== null) throw new BackendUnavailable('qemu', this.#ended);
      await this.#more(until - performance.now());
    }
  }

  async #more(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = setTimeout(() => this.#end(new Error('the monitor does not answer')), Math.max(0, ms));
    this.#wake = resolve;
    await promise;
    clearTimeout(late);
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MOST_LINE) this.#end(new Error('the monitor says too much'));
    this.#lines.push(...lines);
    this.#wake();
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#wake();
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
