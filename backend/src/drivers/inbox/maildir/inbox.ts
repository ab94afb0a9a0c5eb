import { mkdir, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { authenticatedDomain, type Trust } from '../authentication.ts';
import { headerLines } from '../header.ts';
import { type Inbox, LARGEST_MAIL, type ReceivedMail, type TakeMail } from '../port.ts';

export interface MaildirOptions {
  readonly directory: string;
  readonly trust: Trust;
  readonly onFailure: (failure: unknown) => void;
  readonly everyMs?: number;
}

const EVERY_MS = 10_000;

/**
 * A Maildir that a mail server delivers to. What is in `new` is handed over and then moved to `cur`, seen: who dies
 * in between finds it again, and the same mail is known by its content.
 */
export class MaildirInbox implements Inbox {
  readonly #options: MaildirOptions;
  #timer: ReturnType<typeof setInterval> | null = null;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: MaildirOptions) {
    this.#options = options;
  }

  async open(take: TakeMail): Promise<void> {
    const { directory, everyMs = EVERY_MS } = this.#options;
    for (const folder of ['new', 'cur', 'tmp'])
      await mkdir(join(directory, folder), { recursive: true, mode: 0o700 });
    let under = false;
    const look = () => {
      if (under) return;
      under = true;
      this.#looking = this.look(take)
        .catch(this.#options.onFailure)
        .finally(() => {
          under = false;
        });
    };
    this.#timer = setInterval(look, everyMs);
    look();
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#looking;
  }

  /** Hands over everything that is there, the oldest first as far as names tell. */
  async look(take: TakeMail): Promise<void> {
    const { directory, onFailure } = this.#options;
    const names = (await readdir(join(directory, 'new'))).filter((name) => !name.startsWith('.')).sort();
    for (const name of names) {
      const path = join(directory, 'new', name);
      try {
        await take(await this.#read(path));
        await rename(path, join(directory, 'cur', `${name}:2,S`));
      } catch (error) {
        // Another process has moved it, or it could not be kept: the others are not in its way.
        if ((error as { code?: unknown }).code !== 'ENOENT') onFailure(error);
      }
    }
  }

  async #read(path: string): Promise<ReceivedMail> {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const content = Buffer.alloc(Math.min(size, LARGEST_MAIL));
      await file.read(content, 0, content.length, 0);
      const lines = headerLines(content);
      // As the delivering program wrote them (RFC 5321 §4.4); those that came with the mail stand below.
      const first = (...names: string[]) => lines.find(({ name }) => names.includes(name))?.value ?? '';
      return {
        content,
        size,
        // Nobody wrote it down: that is not the same as an empty one.
        sender: lines.some(({ name }) => name === 'return-path')
          ? first('return-path').replace(/^<|>$/g, '')
          : 'unknown',
        recipient: first('delivered-to', 'x-original-to', 'envelope-to').replace(/^<|>$/g, ''),
        authenticatedDomain: authenticatedDomain(lines, this.#options.trust),
      };
    } finally {
      await file.close();
    }
  }
}
