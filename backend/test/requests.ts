import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { sessionCookieName } from '../src/business/core/access/session.ts';
import { issueToken, newTokenSecret } from '../src/business/core/access/token.ts';
import { createStaff } from '../src/business/core/accounts/customer.ts';
import { transaction } from '../src/db/transaction.ts';
import type { Operation } from '../src/operation.ts';
import { Metrics } from '../src/wire/metrics.ts';
import { Runner, type RunnerOptions } from '../src/wire/run.ts';
import { TaskWaiter } from '../src/wire/task-waiter.ts';
import type { openFixture } from './fixture.ts';
import { assertWorded } from './worded.ts';

/** A parsed answer: tests look into JSON of every shape, and fail where there is not what they look for. */
export type Received = Awaited<ReturnType<ReturnType<typeof openRequests>['call']>>;

type Fixture = Awaited<ReturnType<typeof openFixture>>;

/** What comes with a request beside its input. */
export interface Sent {
  readonly token?: string;
  readonly cookie?: string;
  readonly csrf?: string;
  readonly key?: string;
  readonly ip?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A runner of its own, which is what a process is, and requests to it as HTTP would hand them over. */
export function openRequests(fixture: Fixture, options: Partial<RunnerOptions> = {}) {
  const runnerOptions: RunnerOptions = {
    clock: fixture.clock,
    readPool: fixture.pool,
    writePool: fixture.pool,
    counterPool: fixture.pool,
    catalogs: fixture.catalogs,
    ports: { hypervisor: unreachable, registry: unreachable } as never,
    sealer: fixture.sealer,
    signer: fixture.signer,
    publicUrl: 'https://hostkeep.example',
    registration: 'open',
    limits: { perToken: 1_000_000, perAddress: 1_000_000 },
    log: pino({ level: 'silent' }),
    metrics: new Metrics(),
    taskWaiter: new TaskWaiter(fixture.pool),
    ...options,
  };
  const runner = new Runner(runnerOptions);

  async function call(path: string, input: object = {}, sent: Sent = {}) {
    const operation = await operationAt(path);
    const headers: Record<string, string | undefined> = {
      authorization: sent.token === undefined ? undefined : `Bearer ${sent.token}`,
      cookie:
        sent.cookie === undefined
          ? undefined
          : `${sessionCookieName(runnerOptions.publicUrl)}=${sent.cookie}`,
      'x-csrf-token': sent.csrf,
      'idempotency-key': sent.key,
      ...sent.headers,
    };
    const answer = await runner.run({
      operation,
      ip: sent.ip ?? '192.0.2.1',
      query: '',
      body: Buffer.from(JSON.stringify(input)),
      header: (name) => headers[name],
    });
    assertWorded(JSON.parse(answer.body));
    return {
      status: answer.status,
      // As HTTP hands them over: each cookie in a line of its own.
      headers: Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join('\n')]),
      ) as Readonly<Record<string, string | undefined>>,
      text: answer.body,
      body: JSON.parse(answer.body),
    };
  }

  /** The data of a call that must succeed. */
  async function data(path: string, input: object = {}, sent: Sent = {}) {
    const received = await call(path, input, sent);
    assert.equal(received.status, 200, received.text);
    return received.body.data;
  }

  /** The body of a call that must be refused so. */
  async function refused(error: string, path: string, input: object = {}, sent: Sent = {}) {
    const received = await call(path, input, sent);
    assert.equal(received.body.error, error, received.text);
    return received.body;
  }

  return { runner, call, data, refused };
}

/** Loads the one, by its path: all of them are seven hundred modules, half of a short file's time. */
async function operationAt(path: string): Promise<Operation> {
  const file = new URL(`../src/operations/${path}.ts`, import.meta.url);
  if (!existsSync(file)) throw new Error(`there is no operation ${path}`);
  const module: { default: Operation } = await import(file.href);
  return module.default;
}

/** An operator's token. */
export async function staffToken(fixture: Fixture, scopes: readonly string[] = ['*']): Promise<string> {
  const secret = newTokenSecret();
  await transaction(fixture.pool, async (tx) => {
    const created = await createStaff(
      tx,
      {
        email: `staff-${randomBytes(6).toString('hex')}@example.com`,
        passwordHash: null,
        firstName: 'Test',
        lastName: 'Operator',
        locale: 'en',
        timezone: 'UTC',
        staffRole: 'admin',
      },
      fixture.clock.now(),
    );
    if (created.kind !== 'created') throw new Error('the address is taken');
    const draft = {
      accountId: null,
      userId: created.userId,
      kind: 'api',
      name: 'staff',
      scopes,
      expiresAt: null,
    };
    await issueToken(tx, { ...draft, kind: 'api' }, secret, fixture.clock.now());
  });
  return secret;
}

const unreachable = new Proxy(
  {},
  {
    get: () => () => {
      throw new Error('no port is reached here');
    },
  },
);
