import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../acceptance/eventually.ts';
import type { Network } from './network.ts';
import { OsProcess, tool } from './os-process.ts';
import type { Workspace } from './workspace.ts';

const MAIN = fileURLToPath(new URL('../backend/src/main.ts', import.meta.url));
/** The preloaded library of Debian's `faketime`, wherever this processor's libraries are. */
const FAKE_TIME = '/usr/$LIB/faketime/libfaketime.so.1';

export interface SiteOptions {
  readonly network: Network;
  readonly workspace: Workspace;
  readonly machine: string;
  readonly databaseUrl: string;
  readonly publicUrl: string;
}

export type Role = 'api' | 'worker';

/** A process of Hostkeep as its supervisor knows it: it is started again under the same name and port. */
export interface Member {
  readonly role: Role;
  readonly name: string;
  readonly port: number;
}

/** An end that was not asked for. */
export interface Death {
  readonly name: string;
  readonly end: string;
}

/** The processes of Hostkeep, on one machine. */
export class Site {
  readonly apis: readonly Member[];
  readonly workers: readonly Member[];
  readonly #options: SiteOptions;
  readonly #running = new Map<string, OsProcess>();
  readonly #asked = new WeakSet<OsProcess>();
  #deaths: Death[] = [];

  constructor(options: SiteOptions) {
    this.#options = options;
    this.apis = [1, 2].map((number) => ({ role: 'api', name: `api${number}`, port: 8080 + number }));
    this.workers = [1, 2].map((number) => ({ role: 'worker', name: `worker${number}`, port: 8090 + number }));
  }

  get members(): readonly Member[] {
    return [...this.apis, ...this.workers];
  }

  /** The first process fills the database, so the others wait for it. */
  async start(): Promise<void> {
    const [first, ...others] = this.members;
    if (first === undefined) throw new Error('a site without processes');
    await this.launch(first);
    await Promise.all(others.map((member) => this.launch(member)));
  }

  /**
   * Starts a process and waits until it does its work; as a supervisor, starts it again when the database goes away in the
   * midst of that. `clock` is a file that says how far off its clock is.
   */
  async launch(member: Member, clock?: string): Promise<void> {
    await eventually(`the start of ${member.name}`, async () => {
      const { started, printedBefore } = await this.#spawn(member, clock);
      const isUp = () =>
        member.role === 'api'
          ? this.#isReady(member)
          : this.#hasPrinted(member, 'Hostkeep is working', printedBefore);
      const came = await eventually(`${member.name} being ready`, async () => {
        if (started.end !== null) return 'ended';
        return (await isUp()) ? 'ready' : undefined;
      });
      if (came === 'ended') return undefined;
      this.#watch(member, started);
      return true;
    });
  }

  /** As kill -9 does. */
  async kill(member: Member): Promise<void> {
    const running = this.#expectEnd(member);
    await running?.kill();
  }

  /** As a supervisor does, which first asks. */
  async stop(member: Member): Promise<void> {
    const running = this.#expectEnd(member);
    await running?.stop();
  }

  /** What ended without being told to since this was last asked. */
  takeDeaths(): Death[] {
    const deaths = this.#deaths;
    this.#deaths = [];
    return deaths;
  }

  /** Starts again what has died. */
  async revive(): Promise<void> {
    const dead = this.members.filter(({ name }) => {
      const running = this.#running.get(name);
      return running === undefined || running.end !== null;
    });
    await Promise.all(dead.map((member) => this.launch(member)));
  }

  /** Runs an operator's command and gives what it printed. */
  async command(...args: readonly string[]): Promise<string> {
    const { network, machine } = this.#options;
    const environment = Object.entries(this.#settings()).map(([name, value]) => `${name}=${value}`);
    return await tool(
      ...(['nsenter', `--net=/run/netns/${network.namespace(machine)}`, 'env'] as const),
      ...environment,
      process.execPath,
      MAIN,
      ...args,
    );
  }

  async #spawn({ role, name, port }: Member, clock?: string) {
    const { network, workspace, machine } = this.#options;
    const command = role === 'api' ? ['serve', '--no-worker'] : ['worker'];
    const faked =
      clock === undefined
        ? {}
        : {
            LD_PRELOAD: FAKE_TIME,
            FAKETIME_TIMESTAMP_FILE: clock,
            FAKETIME_CACHE_DURATION: '1',
            // Waiting goes on as ever: only the time of day is wrong.
            FAKETIME_DONT_FAKE_MONOTONIC: '1',
          };
    const printedBefore = await this.#printed(name);
    const started = new OsProcess({
      name,
      namespace: network.namespace(machine),
      program: process.execPath,
      args: [MAIN, ...command],
      environment: { ...inherited(), ...this.#settings(), ...faked, HOSTKEEP_PORT: String(port) },
      log: workspace.log(name),
    });
    this.#running.set(name, started);
    return { started, printedBefore: printedBefore.length };
  }

  /** From now on, its end is a death unless it is asked for. */
  #watch({ name }: Member, started: OsProcess): void {
    void started.ended().then((end) => {
      if (!this.#asked.has(started)) this.#deaths.push({ name, end });
    });
  }

  #printed(name: string): Promise<string> {
    return readFile(this.#options.workspace.log(name), 'utf8').catch(() => '');
  }

  async #hasPrinted({ name }: Member, words: string, from: number): Promise<boolean> {
    return (await this.#printed(name)).slice(from).includes(words);
  }

  #expectEnd({ name }: Member): OsProcess | undefined {
    const running = this.#running.get(name);
    if (running !== undefined) this.#asked.add(running);
    return running;
  }

  /** The answer of the process itself; the proxy hears the same. */
  async #isReady({ port }: Member): Promise<boolean> {
    const { network, machine } = this.#options;
    return await fetch(`http://${network.addressOf(machine)}:${port}/readyz`, {
      signal: AbortSignal.timeout(5_000),
    }).then(
      (answer) => answer.ok,
      () => false,
    );
  }

  #settings(): Record<string, string> {
    const { workspace, databaseUrl, publicUrl } = this.#options;
    return {
      DATABASE_URL: databaseUrl,
      HOSTKEEP_DATA: join(workspace.directory, 'data'),
      HOSTKEEP_KEY_FILE: join(workspace.directory, 'key'),
      HOSTKEEP_LISTEN: '0.0.0.0',
      HOSTKEEP_PUBLIC_URL: publicUrl,
      HOSTKEEP_PUBLIC_PLAYGROUND: 'yes',
      HOSTKEEP_SANDBOX_DNS: 'off',
      HOSTKEEP_RATE_TOKEN: '10000000',
      HOSTKEEP_RATE_ACCOUNT: '10000000',
      HOSTKEEP_RATE_ADDRESS: '10000000',
    };
  }
}

/** Without the settings of the shell that the proof runs in, which belong to another installation. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !name.startsWith('HOSTKEEP_') && !name.startsWith('DATABASE_') && !name.startsWith('NODE_TEST'),
    ),
  );
}
