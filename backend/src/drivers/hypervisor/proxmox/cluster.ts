import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { type Method, type Parameters, type ProxmoxApi, unavailable } from './api.ts';
import { type Mark, readMark } from './mark.ts';
import { meaningOf, PveRefusal, UnderWay } from './refusal.ts';
import type { ClusterSettings } from './settings.ts';

/** Where commands can be stopped by tests: before each step that changes the cluster. */
export type FaultPoint =
  | 'clone'
  | 'disk'
  | 'seed'
  | 'firewall'
  | 'commit'
  | 'stop'
  | 'destroy'
  | 'unseed'
  | 'start';

export interface Waiting {
  /** How long a command waits for a task of the cluster before it is asked again. */
  readonly patienceMs: number;
  readonly lookMs: number;
}

const numeric = z.coerce.number();

/** A virtual machine as `cluster/resources` lists it: its place, lock and tags are of this moment, the rest is up to ten seconds old. */
const Listed = z.object({
  type: z.string(),
  vmid: numeric,
  node: z.string(),
  status: z.string().optional(),
  lock: z.string().optional(),
  tags: z.string().optional(),
  template: numeric.optional(),
  uptime: numeric.optional(),
  cpu: numeric.optional(),
  maxmem: numeric.optional(),
  mem: numeric.optional(),
  netin: numeric.optional(),
  netout: numeric.optional(),
  diskread: numeric.optional(),
  diskwrite: numeric.optional(),
});

export interface Vm extends z.output<typeof Listed> {
  /** Of a machine of this installation that was finished. */
  readonly mark: Mark | null;
}

const Node = z.object({ node: z.string(), status: z.string().optional() });

const TaskStatus = z.object({ status: z.enum(['running', 'stopped']), exitstatus: z.string().optional() });

/** A cluster as one command or question sees it: until `signal`, everything is asked through here. */
export class Cluster {
  readonly settings: ClusterSettings;
  readonly reached: (point: FaultPoint) => void;
  readonly clock: Clock;
  readonly #api: ProxmoxApi;
  readonly #signal: AbortSignal;
  readonly #waiting: Waiting;

  constructor(
    api: ProxmoxApi,
    settings: ClusterSettings,
    options: {
      readonly signal: AbortSignal;
      readonly clock: Clock;
      readonly waiting: Waiting;
      reached?: (point: FaultPoint) => void;
    },
  ) {
    this.#api = api;
    this.clock = options.clock;
    this.settings = settings;
    this.#signal = options.signal;
    this.#waiting = options.waiting;
    this.reached = options.reached ?? (() => {});
  }

  get<T>(path: string, shape: z.ZodType<T>, parameters: Parameters = {}): Promise<T> {
    return this.#api.call('GET', path, shape, parameters, this.#signal);
  }

  /** A change that is made at once. */
  async change(method: Exclude<Method, 'GET'>, path: string, parameters: Parameters = {}): Promise<void> {
    await this.#api.call(method, path, z.unknown(), parameters, this.#signal);
  }

  /** A change that the cluster makes in a task, which is waited for. */
  async task(method: Exclude<Method, 'GET'>, path: string, parameters: Parameters = {}): Promise<void> {
    const upid = await this.#api.call(method, path, z.string().nullable(), parameters, this.#signal);
    // A volume may be gone before there was a task.
    if (upid !== null) await this.follow(upid);
  }

  async upload(path: string, ...given: UploadOf<ProxmoxApi['upload']>): Promise<void> {
    await this.follow(await this.#api.upload(path, ...given, this.#signal));
  }

  stream(path: string, parameters: Parameters): ReturnType<ProxmoxApi['stream']> {
    return this.#api.stream(path, parameters, this.#signal);
  }

  post<T>(path: string, shape: z.ZodType<T>, parameters: Parameters = {}): Promise<T> {
    return this.#api.call('POST', path, shape, parameters, this.#signal);
  }

  /** Waits for a task, a while. It goes on in the cluster, whoever waits: a later command finds what it did. */
  async follow(upid: string): Promise<void> {
    const [, node = '', , , , type = 'task'] = upid.split(':');
    const path = `/nodes/${node}/tasks/${encodeURIComponent(upid)}/status`;
    const until = performance.now() + this.#waiting.patienceMs;
    for (let pauseMs = this.#waiting.lookMs; ; pauseMs = Math.min(1000, pauseMs * 1.5)) {
      const { status, exitstatus = '' } = await this.get(path, TaskStatus);
      if (status === 'stopped') return ended(exitstatus);
      if (performance.now() + pauseMs > until) throw new UnderWay(type);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  /** Every virtual machine of the cluster. */
  async vms(): Promise<Vm[]> {
    const listed = await this.get('/cluster/resources', z.array(z.looseObject({ type: z.string() })), {
      type: 'vm',
    });
    return listed
      .filter(({ type }) => type === 'qemu')
      .map((one) => {
        const vm = Listed.parse(one);
        return { ...vm, mark: readMark(vm.tags ?? '', this.settings.installation) };
      });
  }

  /** Nodes that do not answer, and those that the cluster does not know. */
  async offline(): Promise<{ has(node: string): boolean }> {
    const nodes = await this.get('/cluster/resources', z.array(Node), { type: 'node' });
    const online = new Set(nodes.flatMap(({ node, status }) => (status === 'online' ? [node] : [])));
    return { has: (node) => !online.has(node) };
  }

  nodesOf(host: string): readonly string[] {
    const nodes = this.settings.hosts[host];
    if (nodes === undefined) throw unavailable(new Error(`no nodes of ${host} are configured`));
    return nodes;
  }
}

type UploadOf<F> = F extends (path: string, ...given: [...infer Given, AbortSignal]) => unknown
  ? Given
  : never;

/** Warnings are for whoever reads the task's log. */
function ended(exitstatus: string): void {
  if (exitstatus === 'OK' || /^WARNINGS: \d+$/.test(exitstatus)) return;
  const meaning = meaningOf(exitstatus);
  if (meaning === 'passing') throw new UnderWay(exitstatus);
  if (meaning === 'lasting') throw new PveRefusal(exitstatus);
  throw unavailable(new Error(exitstatus));
}
