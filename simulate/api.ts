import { operations } from '../backend/src/operations.generated.ts';
import { Metrics } from '../backend/src/wire/metrics.ts';
import { Runner } from '../backend/src/wire/run.ts';
import { TaskWaiter } from '../backend/src/wire/task-waiter.ts';
import type { World } from './world.ts';

/** What came back of a request: its data, or the error's name. */
export type Reply =
  // biome-ignore lint/suspicious/noExplicitAny: answers of every operation are looked into here
  { readonly data: any; readonly error: null } | { readonly data: null; readonly error: string };

/** Asks the program as HTTP would, without HTTP. What it could not answer is remembered as a fault. */
export class Api {
  readonly faults: string[] = [];
  readonly refusals = new Map<string, number>();
  answered = 0;
  readonly #runner: Runner;

  constructor(world: World) {
    const { pool, clock, catalogs, ports, sealer, signer, log } = world;
    this.#runner = new Runner({
      clock,
      readPool: pool,
      writePool: pool,
      counterPool: pool,
      catalogs,
      ports,
      sealer,
      signer,
      publicUrl: 'https://hosting.example',
      registration: 'open',
      limits: { perToken: 10_000_000, perAddress: 10_000_000 },
      log,
      metrics: new Metrics(),
      taskWaiter: new TaskWaiter(pool),
    });
  }

  async call(path: string, token: string, input: object = {}, key?: string): Promise<Reply> {
    const operation = operations.find((one) => one.path === path);
    if (operation === undefined) throw new Error(`there is no operation ${path}`);
    const headers: Readonly<Record<string, string | undefined>> = {
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
    };
    const answer = await this.#runner.run({
      operation,
      ip: '192.0.2.1',
      query: '',
      body: Buffer.from(JSON.stringify(input)),
      header: (name) => headers[name],
    });
    const body = JSON.parse(answer.body);
    if (answer.status < 300) {
      this.answered += 1;
      return { data: body.data, error: null };
    }
    const refusal = `${path} ${body.error}`;
    this.refusals.set(refusal, (this.refusals.get(refusal) ?? 0) + 1);
    if (answer.status >= 500 || body.error === 'validation_failed')
      this.faults.push(`${refusal}: ${answer.body}`);
    return { data: null, error: body.error };
  }
}
