import { Books } from './books.ts';
import { Chains } from './chains.ts';
import { Api, type Customer, openCustomers, readOffers } from './customers.ts';
import { DATABASE, DATABASE_USER, DatabaseCluster } from './database-cluster.ts';
import { POSTGRES_PORT } from './database-node.ts';
import { FAULTS, type FaultName } from './faults.ts';
import { Network, removeLeftNamespaces } from './network.ts';
import { Orders } from './orders.ts';
import type { OsProcess } from './os-process.ts';
import { PRIMARY_PORT, PUBLIC_PORT, startProxy } from './proxy.ts';
import { Random } from './random.ts';
import { Site } from './site.ts';
import { removeLeftWorkspaces, Workspace } from './workspace.ts';

export interface ProofOptions {
  readonly seed: number;
  /** Machines that hold a copy of the database. */
  readonly databases: number;
  /** Machines that vote on the primary; at least the databases. */
  readonly voters: number;
  /** Hostkeep finds the primary through HAProxy, or by itself among the hosts of `DATABASE_URL`. */
  readonly findsPrimary: 'by-proxy' | 'by-hosts';
  readonly customers: number;
  readonly clients: number;
  readonly perSecond: number;
  readonly serverEvery: number;
  readonly outageMs: number;
  readonly print: (line: string) => void;
}

export interface Round {
  readonly fault: FaultName;
  /** Another machine has the primary than before. */
  readonly failedOver: boolean;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly undecided: number;
  readonly problems: readonly string[];
  /** The longest time without a success from the fault on: until customers were served again. */
  readonly silenceSeconds: number;
  readonly answers: ReadonlyMap<string, number>;
}

const APP = 'app';
const DISK_MEGABYTES = 3072;
/** How many orders of a round are asked for once more when all is over. */
const REPEATED = 40;
const ALLOWED_REFUSALS = new Set(['409 out_of_stock']);

/** A cluster of databases, and Hostkeep on it; orders are placed while things break. */
export class Proof {
  readonly #options: ProofOptions;
  readonly #random: Random;
  readonly #workspace: Workspace;
  readonly #network: Network;
  readonly #database: DatabaseCluster;
  readonly #site: Site;
  readonly #api: Api;
  readonly #books: Books;
  readonly #chains: Chains;
  #proxy: OsProcess | null = null;
  #customers: readonly Customer[] = [];
  #orders: Orders | null = null;
  readonly #known = new Set<string>();

  private constructor(options: ProofOptions, workspace: Workspace, network: Network) {
    const nodes = Array.from({ length: options.voters }, (_, index) => `db${index + 1}`);
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#workspace = workspace;
    this.#network = network;
    this.#database = new DatabaseCluster(nodes.slice(0, options.databases), {
      network,
      workspace,
      voters: nodes,
      diskMegabytes: DISK_MEGABYTES,
    });
    const proxy = network.addressOf(APP);
    const publicUrl = `http://${proxy}:${PUBLIC_PORT}`;
    this.#site = new Site({
      network,
      workspace,
      machine: APP,
      publicUrl,
      databaseUrl:
        options.findsPrimary === 'by-proxy'
          ? `postgres://${DATABASE_USER}@127.0.0.1:${PRIMARY_PORT}/${DATABASE}`
          : `postgres://${DATABASE_USER}@${this.#databaseHosts().join(',')}/${DATABASE}?target_session_attrs=read-write`,
    });
    this.#api = new Api(publicUrl);
    this.#books = new Books(`postgres://postgres@${proxy}:${PRIMARY_PORT}/${DATABASE}`);
    this.#chains = new Chains(this.#api);
  }

  static async prepare(options: ProofOptions): Promise<Proof> {
    await removeLeftNamespaces();
    await removeLeftWorkspaces();
    const workspace = await Workspace.create();
    const network = await Network.create();
    for (let number = 1; number <= options.voters; number += 1) await network.addMachine(`db${number}`);
    await network.addMachine(APP);
    return new Proof(options, workspace, network);
  }

  async start(): Promise<void> {
    await this.#database.start();
    this.#proxy = await startProxy({
      network: this.#network,
      workspace: this.#workspace,
      machine: APP,
      databaseAddresses: this.#database.nodes.map(({ address }) => address),
      apiPorts: this.#site.apis.map(({ port }) => port),
    });
    await this.#site.start();
    const { customers, clients, perSecond, serverEvery, seed } = this.#options;
    this.#customers = await openCustomers(this.#site, customers);
    const [first] = this.#customers;
    if (first === undefined) throw new Error('no customers');
    const offers = await readOffers(this.#api, first);
    this.#orders = new Orders(
      {
        api: this.#api,
        customers: this.#customers,
        offers,
        random: new Random(seed + 1),
        clients,
        perSecond,
        serverEvery,
      },
      `ha-${seed}`,
    );
  }

  /** At least `count` orders, in whose midst a fault happens; then everything is held against the books. */
  async round(name: FaultName, count: number): Promise<Round> {
    const orders = this.#placed();
    const fault = FAULTS[name];
    const problems: string[] = [];
    const former = await this.#database.primary();
    const before = orders.all.length;
    let begun = Number.POSITIVE_INFINITY;
    let faultOver = false;
    const decided = () => orders.all.length - before;
    const placing = orders.place(() => faultOver && decided() >= count);
    const happening = (async () => {
      // In the midst of them, and not at the first one.
      await orders.reached(before + Math.ceil(count / 4));
      await fault.happen({
        database: this.#database,
        site: this.#site,
        workspace: this.#workspace,
        random: this.#random,
        outageMs: this.#options.outageMs,
        begun: () => {
          begun = performance.now();
        },
      });
    })()
      .catch((error: unknown) => problems.push(`the fault did not happen: ${String(error)}`))
      .finally(() => {
        faultOver = true;
      });
    await Promise.all([placing, happening]);
    problems.push(...(await this.#healed()));
    const own = orders.all.slice(before);
    for (const order of own.filter((one) => one.acknowledged === null && one.refused === null)) {
      await orders.decide(order);
    }
    const stuck = await this.#books.settled();
    if (stuck !== null) problems.push(stuck);
    problems.push(...(await this.#unrepeatable(own)));
    const refused = own.flatMap(({ key, refused: reason }) =>
      reason === null || ALLOWED_REFUSALS.has(reason) ? [] : [`${key} was refused: ${reason}`],
    );
    const verdict = await this.#books.judge(
      this.#customers.map(({ account }) => account),
      orders.all,
    );
    const [lost, doubled] = [this.#news(verdict.lost), this.#news(verdict.doubled)];
    problems.push(...orders.strangeAnswers, ...refused, ...lost, ...doubled, ...this.#news(verdict.problems));
    problems.push(...(await this.#chains.problems(this.#customers)), ...this.#deaths());
    const successes = own.flatMap(({ acknowledged }) => acknowledged?.at ?? []);
    const round: Round = {
      fault: name,
      failedOver: former !== (await this.#database.primary()),
      acknowledged: successes.length,
      lost: lost.length,
      doubled: doubled.length,
      undecided: own.filter((one) => one.acknowledged === null && one.refused === null).length,
      problems,
      silenceSeconds: silenceAfter(begun, successes),
      answers: orders.takeAnswers(),
    };
    this.#report(round, verdict.deadJobs);
    return round;
  }

  /** Ends everything that was started, whatever state it is in. Gives where the logs are if they are to be kept. */
  async stop(keepLogs: boolean): Promise<string | null> {
    this.#api.close();
    await Promise.all(this.#site.members.map((member) => this.#site.kill(member)));
    await this.#proxy?.kill();
    await Promise.all(this.#database.nodes.map((node) => node.end()));
    await this.#network.remove();
    const kept = keepLogs ? await this.#workspace.keepLogs() : null;
    await this.#workspace.remove();
    return kept;
  }

  /** What Hostkeep's processes said last. */
  async endsOfLogs(): Promise<string> {
    const names = this.#site.members.map(({ name }) => name);
    const ends = await Promise.all(names.map((name) => this.#workspace.endOfLog(name)));
    return names.map((name, index) => `${name} printed:\n${ends[index]}`).join('\n');
  }

  #databaseHosts(): string[] {
    return this.#database.nodes.map(({ address }) => `${address}:${POSTGRES_PORT}`);
  }

  #placed(): Orders {
    if (this.#orders === null) throw new Error('not started');
    return this.#orders;
  }

  /** Waits for the cluster, and starts again what did not live through the fault. */
  async #healed(): Promise<string[]> {
    const problems: string[] = [];
    const complain = (error: unknown) => problems.push(String(error));
    await this.#database.healed().catch(complain);
    await this.#site.revive().catch(complain);
    return problems;
  }

  #deaths(): string[] {
    return this.#site.takeDeaths().map(({ name, end }) => `${name} died (${end})`);
  }

  /** What was not found in a round before. */
  #news(found: readonly string[]): string[] {
    const news = found.filter((line) => !this.#known.has(line));
    for (const line of news) this.#known.add(line);
    return news;
  }

  /** Orders whose key is no longer answered as it was; of all that were hard to get, and of some others. */
  async #unrepeatable(own: Orders['all']): Promise<string[]> {
    const acknowledged = own.filter((order) => order.acknowledged !== null);
    const hard = acknowledged.filter((order) => order.attempts > 0);
    const some = this.#random.shuffled(acknowledged).slice(0, REPEATED);
    const problems: string[] = [];
    for (const order of new Set([...this.#random.shuffled(hard).slice(0, REPEATED), ...some])) {
      if (!(await this.#placed().repeatsItself(order)))
        problems.push(`${order.key}: repeated with its key, it is answered otherwise`);
    }
    return problems;
  }

  #report(round: Round, deadJobs: readonly string[]): void {
    const { print } = this.#options;
    const answers = [...round.answers]
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => `${count} × ${name}`);
    print(
      `${round.fault}: ${round.acknowledged} acknowledged, ${round.lost} lost, ${round.doubled} doubled, ` +
        `${round.undecided} undecided; served again after ${round.silenceSeconds.toFixed(1)} s`,
    );
    print(`  answers: ${answers.join(', ')}`);
    for (const problem of round.problems.slice(0, SHOWN)) print(`  WRONG ${problem}`);
    if (round.problems.length > SHOWN) print(`  WRONG and ${round.problems.length - SHOWN} more`);
    for (const job of deadJobs) print(`  dead jobs: ${job}`);
  }
}

const SHOWN = 12;

function silenceAfter(begun: number, successes: readonly number[]): number {
  const later = successes.filter((at) => at > begun).toSorted((a, b) => a - b);
  let longest = 0;
  for (const [index, at] of later.entries()) longest = Math.max(longest, at - (later[index - 1] ?? begun));
  return longest / 1000;
}
