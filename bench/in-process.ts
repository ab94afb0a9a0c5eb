import { pino } from 'pino';
import { Sealer } from '../backend/src/base/seal.ts';
import { generateSigningKey, signerOf } from '../backend/src/base/sign.ts';
import { issueToken, newTokenSecret } from '../backend/src/business/core/access/token.ts';
import { CatalogStore } from '../backend/src/business/core/catalog/versions.ts';
import { APPLICATION_ROLE } from '../backend/src/db/migrate.ts';
import { Pool } from '../backend/src/db/pool.ts';
import { transaction } from '../backend/src/db/transaction.ts';
import type { QueryPorts } from '../backend/src/drivers/ports.ts';
import type { Operation } from '../backend/src/operation.ts';
import { Metrics } from '../backend/src/wire/metrics.ts';
import { Runner } from '../backend/src/wire/run.ts';
import { TaskWaiter } from '../backend/src/wire/task-waiter.ts';
import type { BenchDatabase } from './databases.ts';

/** Hostkeep's path of a request in this process: everything but HTTP. */
export interface InProcess {
  readonly pool: Pool;
  readonly catalogs: CatalogStore;
  /** A token of a person's; of an operator's, when there is no account. */
  tokenOf(accountId: string | null, userId: string): Promise<string>;
  /** The data of one request, which must succeed. */
  ask(operation: Operation, token: string, input: object): Promise<unknown>;
  close(): Promise<void>;
}

export interface InProcessOptions {
  /** Connections. */
  readonly size: number;
  readonly ports: (pool: Pool) => Partial<QueryPorts>;
  readonly now: () => Temporal.Instant;
}

export async function openInProcess(
  { url }: BenchDatabase,
  { size, ports, now }: InProcessOptions,
): Promise<InProcess> {
  const pool = new Pool({ url, size, name: 'bench', role: APPLICATION_ROLE });
  const counters = new Pool({
    url,
    size: 1,
    name: 'bench-counter',
    role: APPLICATION_ROLE,
    synchronousCommit: false,
  });
  const catalogs = await new CatalogStore(pool).open();
  const runner = new Runner({
    clock: { now },
    readPool: pool,
    writePool: pool,
    counterPool: counters,
    catalogs,
    ports: ports(pool) as never,
    sealer: new Sealer('bench', new Map([['bench', Buffer.alloc(32)]])),
    signer: signerOf('bench', generateSigningKey().privateKeyPkcs8),
    publicUrl: 'https://hosting.example',
    registration: 'open',
    limits: { perToken: 1_000_000_000, perAddress: 1_000_000_000 },
    log: pino({ level: 'silent' }),
    metrics: new Metrics(),
    taskWaiter: new TaskWaiter(pool),
  });
  return {
    pool,
    catalogs,
    async tokenOf(accountId, userId) {
      const secret = newTokenSecret();
      const draft = {
        accountId,
        userId,
        kind: 'api',
        name: 'bench',
        scopes: ['*'],
        expiresAt: null,
      } as const;
      await transaction(pool, (tx) => issueToken(tx, draft, secret, now()));
      return secret;
    },
    async ask(operation, token, input) {
      const answer = await runner.run({
        operation,
        ip: '127.0.0.1',
        query: '',
        body: Buffer.from(JSON.stringify(input)),
        header: (name) => (name === 'authorization' ? `Bearer ${token}` : undefined),
      });
      if (answer.status !== 200) throw new Error(answer.body);
      return JSON.parse(answer.body).data;
    },
    async close() {
      await runner.close();
      await Promise.all([pool.end(), counters.end()]);
    },
  };
}
