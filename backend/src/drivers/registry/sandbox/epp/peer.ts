import { randomBytes } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { DocumentError, readDocument } from '../../epp/wire/document.ts';
import { childOf, type Element, textOf } from '../../epp/wire/element.ts';
import { encodeFrame, FrameReader } from '../../epp/wire/frame.ts';
import { NS } from '../../epp/wire/namespace.ts';
import type { Caller } from './caller.ts';
import { dispatch } from './dispatch.ts';
import { greetingDocument, responseDocument } from './documents.ts';
import { readLogin } from './login.ts';
import { type Answer, CommandRefused, refused } from './result.ts';
import type { EppServerOptions } from './server.ts';

/** Log-ins that may fail before the server hangs up. */
const MOST_FAILED_LOGINS = 3;
/** From a frame's first octet to its last. */
const FRAME_MS = 10_000;

/** One connection of a client. Commands are carried out one after another, in the order in which they came. */
export class EppPeer {
  readonly #socket: TLSSocket;
  readonly #options: EppServerOptions;
  readonly #reader: FrameReader;
  #caller: Caller | null = null;
  #failedLogins = 0;
  #busy: Promise<void> = Promise.resolve();
  #queued = 0;
  #frameTimer: NodeJS.Timeout | undefined;

  constructor(socket: TLSSocket, options: EppServerOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#reader = new FrameReader(options.frameLimit);
    socket.setNoDelay(true);
    socket.setTimeout(options.idleMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => clearTimeout(this.#frameTimer));
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#send(greetingDocument(options.clock.now()));
  }

  #read(chunk: Buffer): void {
    if (this.#socket.writableEnded) return;
    try {
      for (const document of this.#reader.read(chunk)) this.#enqueue(document);
    } catch (error) {
      // What follows cannot be cut into frames any more.
      this.#hangUp({ code: 2500, details: refusalOf(2500, (error as Error).message).details ?? [] });
    }
    clearTimeout(this.#frameTimer);
    if (this.#reader.open) this.#frameTimer = setTimeout(() => this.#socket.destroy(), FRAME_MS);
  }

  #enqueue(document: string): void {
    this.#queued += 1;
    if (this.#queued > this.#options.pipelining) this.#socket.pause();
    this.#busy = this.#busy.then(async () => {
      try {
        if (!this.#socket.writableEnded && !this.#socket.destroyed) await this.#take(document);
      } finally {
        this.#queued -= 1;
        this.#socket.resume();
      }
    });
  }

  async #take(document: string): Promise<void> {
    let command: Element | null = null;
    let answer: Answer;
    try {
      const root = readDocument(document);
      if (root.namespace !== NS.epp || root.name !== 'epp') throw new DocumentError('it is no EPP');
      if (childOf(root, 'epp', 'hello') !== null) {
        this.#send(greetingDocument(this.#options.clock.now()));
        return;
      }
      command = childOf(root, 'epp', 'command');
      if (command === null) throw new DocumentError('it is neither hello nor a command');
      answer = await this.#carryOut(command);
    } catch (error) {
      if (error instanceof CommandRefused) answer = error.answer;
      else if (error instanceof DocumentError) answer = refusalOf(2001, error.message);
      else {
        this.#options.onError(error);
        answer = { code: 2400 };
      }
    }
    const clTRID = textOf(command, 'epp', 'clTRID');
    if (answer.code === 1500 || answer.code >= 2500) this.#hangUp(answer, clTRID);
    else this.#send(responseDocument(answer, clTRID, newServerId()));
  }

  async #carryOut(command: Element): Promise<Answer> {
    const [verb] = command.children;
    if (verb === undefined || verb.namespace !== NS.epp)
      throw new CommandRefused(2001, 'there is no command in it');
    if (verb.name === 'login') return await this.#login(verb, command);
    if (this.#caller === null) throw new CommandRefused(2002, 'log in first');
    if (verb.name === 'logout') return { code: 1500 };
    return await dispatch(this.#caller, verb, command);
  }

  async #login(login: Element, command: Element): Promise<Answer> {
    if (this.#caller !== null) throw new CommandRefused(2002, 'you are logged in');
    const wanted = readLogin(login, childOf(command, 'epp', 'extension')?.children ?? []);
    const reply =
      this.#socket.getPeerCertificate().subject?.CN === wanted.registrar
        ? await this.#options.registry.login(wanted.registrar, wanted.password)
        : null;
    if (reply?.ok) {
      const { services } = wanted;
      this.#caller = { commands: reply.data, services, currency: this.#options.currency() };
      return { code: reply.code };
    }
    this.#failedLogins += 1;
    if (this.#failedLogins >= MOST_FAILED_LOGINS) return { code: 2501 };
    return reply === null ? refusalOf(2200, 'the certificate is another registrar’s') : refused(reply);
  }

  #send(document: string): void {
    this.#socket.write(encodeFrame(document));
  }

  #hangUp(answer: Answer, clTRID: string | null = null): void {
    // Who does not close their side too is not waited for long.
    this.#socket.setTimeout(FRAME_MS);
    this.#socket.end(encodeFrame(responseDocument(answer, clTRID, newServerId())));
  }
}

function refusalOf(code: number, reason: string): Answer {
  return new CommandRefused(code, reason).answer;
}

/** RFC 5730 §2.6: unique. */
function newServerId(): string {
  return `SANDBOX-${randomBytes(9).toString('hex')}`;
}
