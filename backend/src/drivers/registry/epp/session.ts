import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { type EppCommand, newTransactionId, writeCommand, writeHello } from './command.ts';
import { loginCommand } from './login.ts';
import { concealed, secretsOf } from './secret.ts';
import { SessionLost, type SessionOptions } from './session-options.ts';
import { readDocument } from './wire/document.ts';
import { encodeFrame, FrameReader } from './wire/frame.ts';
import { type Greeting, offeredBy, readGreeting } from './wire/greeting.ts';
import type { Vocabulary } from './wire/namespace.ts';
import { type EppResponse, readResponse } from './wire/response.ts';

interface Pending {
  readonly name: string;
  readonly clTRID: string | null;
  readonly frame: Buffer;
  readonly secrets: readonly string[];
  readonly begun: number;
  readonly answered: PromiseWithResolvers<EppResponse | Greeting>;
}

/** How long a server has for its answer to a log-out. */
const GOODBYE_MS = 2_000;

/** A connection that is logged in (RFC 5730 §2.9.1, RFC 5734). Answers come in the order of the commands. */
export class EppSession {
  readonly #options: SessionOptions;
  readonly #socket: TLSSocket;
  readonly #waiting: Pending[] = [];
  readonly #sent: Pending[] = [];
  #offered: ReadonlySet<Vocabulary> = new Set();
  #greeting: Greeting | null = null;
  #ended: SessionLost | null = null;
  #deadline: NodeJS.Timeout | undefined;
  #keepAlive: NodeJS.Timeout | undefined;

  /** Connects, waits for the greeting and logs in, unless `signal` says not to. Throws {@link SessionLost}. */
  static async open(options: SessionOptions, signal: AbortSignal): Promise<EppSession> {
    const session = new EppSession(options);
    const giveUp = () => session.#end(new SessionLost('the session is not needed any more'));
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await session.#begin();
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  async #begin(): Promise<this> {
    const options = this.#options;
    const greeted = this.#expectGreeting();
    this.#listen();
    this.#greeting = await greeted;
    this.#offered = offeredBy(this.#greeting).intersection(options.vocabularies);
    try {
      const { code, message } = await this.command(loginCommand(this.#greeting, options));
      if (code !== 1000)
        throw new SessionLost(`the log-in is answered with ${code} ${message}`, {
          rejected: code === 2200 || code === 2501,
        });
    } catch (error) {
      const lost =
        error instanceof SessionLost ? error : new SessionLost((error as Error).message, { rejected: true });
      this.#end(lost);
      throw lost;
    }
    this.#rest();
    return this;
  }

  private constructor(options: SessionOptions) {
    this.#options = options;
    const { host, port, tls } = options;
    this.#socket = connect({
      host,
      port,
      ...tls,
      // An address is compared with the certificate as it is; only names are told to the server (RFC 6066 §3).
      ...(tls.servername === undefined && isIP(host) === 0 ? { servername: host } : {}),
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
    });
    this.#socket.setNoDelay(true);
  }

  /** What the server offers and we speak. */
  get offered(): ReadonlySet<Vocabulary> {
    return this.#offered;
  }

  get greeting(): Greeting | null {
    return this.#greeting;
  }

  get ended(): boolean {
    return this.#ended !== null;
  }

  /** Commands without an answer. */
  get load(): number {
    return this.#sent.length + this.#waiting.length;
  }

  /** The answer, whatever its code. Throws {@link SessionLost}; a signal takes back what was not sent yet. */
  async command(command: EppCommand, signal?: AbortSignal): Promise<EppResponse> {
    const clTRID = newTransactionId();
    const pending = { name: command.name, clTRID, secrets: secretsOf(command) };
    const response = await this.#ask(pending, writeCommand(command, clTRID), signal);
    if (!('code' in response)) throw this.#end(new SessionLost('a greeting came in place of an answer'));
    return response;
  }

  /** Says goodbye, waits a little for the answer, and closes. Never rejects. */
  async close(): Promise<void> {
    const over = () => this.#end(new SessionLost('the session was closed'));
    const patience = setTimeout(over, GOODBYE_MS);
    if (this.#ended === null)
      await this.command({ name: 'logout', verb: 'logout', content: [], extensions: [] }).catch(() => {});
    clearTimeout(patience);
    over();
  }

  #ask(of: Pick<Pending, 'name' | 'clTRID' | 'secrets'>, document: string, signal?: AbortSignal) {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const answered = Promise.withResolvers<EppResponse | Greeting>();
    const pending = { ...of, frame: encodeFrame(document), begun: performance.now(), answered };
    this.#waiting.push(pending);
    const takeBack = () => {
      const at = this.#waiting.indexOf(pending);
      if (at >= 0) this.#waiting.splice(at, 1);
      answered.reject(signal?.reason);
    };
    signal?.addEventListener('abort', takeBack, { once: true });
    this.#send();
    return answered.promise.finally(() => signal?.removeEventListener('abort', takeBack));
  }

  #send(): void {
    while (this.#sent.length < this.#options.pipelining) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#sent.push(next);
      this.#socket.write(next.frame);
      if (this.#sent.length === 1) this.#awaitAnswer(this.#options.answerMs, `no answer to ${next.name}`);
    }
  }

  #awaitAnswer(ms: number, what: string): void {
    clearTimeout(this.#keepAlive);
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#end(new SessionLost(`${what} within ${ms} ms`)), ms);
  }

  /** Nothing is asked: keeps the session open by asking for the greeting now and then. */
  #rest(): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#keepAlive);
    this.#keepAlive = setTimeout(() => {
      const hello = { name: 'hello', clTRID: null, secrets: [] };
      this.#ask(hello, writeHello()).catch(() => {}); // its failure ends the session, which is noticed there
    }, this.#options.keepAliveMs);
    this.#keepAlive.unref();
  }

  async #expectGreeting(): Promise<Greeting> {
    const answered = Promise.withResolvers<EppResponse | Greeting>();
    const frame = Buffer.alloc(0);
    this.#sent.push({
      name: 'greeting',
      clTRID: null,
      secrets: [],
      frame,
      begun: performance.now(),
      answered,
    });
    this.#awaitAnswer(this.#options.greetingMs, 'no greeting');
    const greeting = await answered.promise;
    if ('code' in greeting) throw new SessionLost('an answer came in place of the greeting');
    return greeting;
  }

  #listen(): void {
    const reader = new FrameReader(this.#options.frameLimit);
    this.#socket.on('data', (chunk: Buffer) => {
      try {
        for (const document of reader.read(chunk)) if (this.#ended === null) this.#take(document);
      } catch (error) {
        this.#end(new SessionLost(`what came cannot be read: ${(error as Error).message}`, { cause: error }));
      }
    });
    this.#socket.on('error', (error) => {
      this.#end(new SessionLost(`the connection failed: ${error.message}`, { cause: error }));
    });
    this.#socket.on('close', () => this.#end(new SessionLost('the connection was closed')));
  }

  #take(document: string): void {
    const root = readDocument(document);
    const oldest = this.#sent[0];
    if (oldest === undefined) throw new Error('nothing was asked');
    const response =
      oldest.clTRID === null ? readGreeting(root) : concealed(readResponse(root), oldest.secrets);
    if ('code' in response && !answers(response, oldest))
      throw new Error('an answer has the transaction id of another command');
    this.#sent.shift();
    if ('code' in response && oldest.clTRID !== null) {
      const { code, message, svTRID } = response;
      const ms = performance.now() - oldest.begun;
      this.#options.onExchange({ command: oldest.name, clTRID: oldest.clTRID, svTRID, code, message, ms });
    }
    oldest.answered.resolve(response);
    if ('code' in response && closes(response.code))
      this.#end(new SessionLost(`the server ends the session: ${response.code} ${response.message}`));
    else if (this.#sent.length > 0)
      this.#awaitAnswer(this.#options.answerMs, `no answer to ${this.#sent[0]?.name}`);
    else this.#rest();
    this.#send();
  }

  /** Ends it once, for one reason, and tells all who wait. */
  #end(reason: SessionLost): SessionLost {
    if (this.#ended !== null) return this.#ended;
    this.#ended = reason;
    clearTimeout(this.#deadline);
    clearTimeout(this.#keepAlive);
    this.#socket.destroy();
    for (const { answered } of [...this.#sent.splice(0), ...this.#waiting.splice(0)]) answered.reject(reason);
    return reason;
  }
}

/** RFC 5730 §2.5: the id comes back. Only a server that could not read the command may not know it. */
function answers({ clTRID, code }: EppResponse, { clTRID: asked }: Pending): boolean {
  return clTRID === asked || (clTRID === null && (code === 2000 || code === 2001 || code >= 2400));
}

/** RFC 5730 §3: the server closes the connection after these. */
function closes(code: number): boolean {
  return code === 1500 || code >= 2500;
}
