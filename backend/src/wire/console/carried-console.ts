import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { EndReason } from '../../business/servers/consoles/console-state.ts';
import type { ConsoleSession } from '../../business/servers/consoles/session.ts';
import type { Console, HypervisorQueries } from '../../drivers/hypervisor/port.ts';
import { greetMachine, greetViewer, type Party } from './handshake.ts';
import { Octets } from './octets.ts';
import { type Passed, relay } from './relay.ts';

/** For the hypervisor to show the machine's screen, and for both sides to introduce themselves. */
const BEGIN_MS = 10_000;
/** For the hypervisor to say why a machine is silent. */
const STATUS_MS = 3_000;
/** For a viewer to take note that it is over. */
const FAREWELL_MS = 2_000;
/** An introduction is not longer. */
const LONGEST_GREETING = 4096;

/** How the WebSocket is closed; the reason itself goes with it (RFC 6455, section 7.4, and 4000 to 4999 for our own). */
const CLOSE_CODES: Readonly<Record<EndReason, number>> = {
  closed: 1000,
  machine_off: 4001,
  machine_closed: 4007,
  time_over: 4002,
  access_ended: 4003,
  suspended: 4004,
  service_ended: 4005,
  viewer_lost: 4006,
  not_rfb: 1002,
  backend_unavailable: 1014,
  restart: 1012,
  unsupervised: 1013,
  lost: 1013,
};

/** What a hypervisor is asked for about consoles. */
export type Screens = Pick<HypervisorQueries, 'console' | 'status'>;

export interface CarriedOptions {
  readonly session: ConsoleSession;
  readonly viewer: WebSocket;
  readonly hypervisor: Screens;
  /** What the hypervisor did that it should not. */
  readonly onFault: (error: unknown) => void;
}

/** One console that this process carries, from when its viewer has come until both sides are gone. */
export class CarriedConsole {
  readonly session: ConsoleSession;
  readonly passed: Passed = { fromMachine: 0, toMachine: 0 };
  /** Why it ended, when it has. */
  readonly ended: Promise<EndReason>;
  readonly #options: CarriedOptions;
  readonly #end: (reason: EndReason) => void;
  #machine: Duplex | null = null;
  #hasLeft = false;
  #isOver = false;
  #answers = true;

  constructor(options: CarriedOptions) {
    this.#options = options;
    this.session = options.session;
    const { promise, resolve } = Promise.withResolvers<EndReason>();
    this.ended = promise;
    this.#end = resolve;
    const { viewer } = options;
    viewer.on('close', () => this.end('closed'));
    // Such as a frame that is none: closed by the one who reads them.
    viewer.on('error', () => this.end('not_rfb'));
    viewer.on('message', (_, isBinary) => {
      if (!isBinary) this.end('not_rfb');
    });
    viewer.on('pong', () => {
      this.#answers = true;
    });
  }

  /** Connects the two sides; when that fails, it has ended. */
  async begin(): Promise<void> {
    const { viewer, hypervisor, session, onFault } = this.#options;
    const said = listen(viewer);
    let console: Console | null;
    try {
      console = await hypervisor.console(session.machine, BEGIN_MS);
    } catch (error) {
      onFault(error);
      return this.end('backend_unavailable');
    }
    if (console === null) return this.end('machine_off');
    const machine = console.stream;
    // It may have ended while the hypervisor was asked.
    if (this.#isOver) return void machine.on('error', () => {}).destroy();
    this.#machine = machine;
    const machineSaid = new Octets(LONGEST_GREETING);
    const hear = (piece: Buffer) => machineSaid.push(piece);
    machine.on('data', hear);
    // Whatever comes first of them; a stream that ends need not close.
    for (const event of ['error', 'end', 'close']) machine.once(event, () => void this.#machineLeft());
    const late = setTimeout(() => {
      const failure = new Error('nothing was said in time');
      machineSaid.fail(failure);
      said.octets.fail(failure);
    }, BEGIN_MS);
    this.ended.then(() => {
      machineSaid.fail(new Error('it is over'));
      said.octets.fail(new Error('it is over'));
    });
    try {
      await greetMachine({ said: machineSaid, say: (octets) => machine.write(octets) }, console.password);
    } catch (error) {
      clearTimeout(late);
      if (!this.#isOver) onFault(error);
      return this.#hasLeft ? undefined : this.end('backend_unavailable');
    }
    try {
      await greetViewer(this.#party(said.octets));
    } catch {
      return this.end('not_rfb');
    } finally {
      clearTimeout(late);
    }
    said.stop();
    machine.off('data', hear);
    const already = { byViewer: said.octets.rest(), byMachine: machineSaid.rest() };
    relay({ viewer, machine }, already, this.passed);
  }

  /** Asks the viewer whether they are there; one who has not answered since the last time is not. */
  ask(): void {
    if (this.#answers) this.#options.viewer.ping();
    else this.end('viewer_lost');
    this.#answers = false;
  }

  /** Ends it, unless it has ended: the first reason counts. */
  end(reason: EndReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { viewer } = this.#options;
    this.#machine?.destroy();
    viewer.resume();
    viewer.close(CLOSE_CODES[reason], reason);
    // Who does not read does not read this either.
    const farewell = setTimeout(() => viewer.terminate(), FAREWELL_MS);
    viewer.once('close', () => clearTimeout(farewell));
    this.#end(reason);
  }

  /** A machine that is off ends its console; one that runs may do so too, such as when it does not like what is said. */
  async #machineLeft(): Promise<void> {
    if (this.#hasLeft || this.#isOver) return;
    this.#hasLeft = true;
    const { hypervisor, session } = this.#options;
    const status = await hypervisor.status(session.machine, STATUS_MS).catch(() => undefined);
    if (status === undefined) this.end('backend_unavailable');
    else this.end(status === null || status.power === 'stopped' ? 'machine_off' : 'machine_closed');
  }

  #party(said: Octets): Party {
    return { said, say: (octets) => this.#options.viewer.send(octets) };
  }
}

function listen(viewer: WebSocket): { octets: Octets; stop(): void } {
  const octets = new Octets(LONGEST_GREETING);
  const hear = (message: Buffer) => octets.push(message);
  viewer.on('message', hear);
  return { octets, stop: () => void viewer.off('message', hear) };
}
