import { connect } from 'node:net';
import Fastify from 'fastify';
import { pino } from 'pino';
import { APPLICATION_ROLE } from '../backend/src/db/migrate.ts';
import { Pool } from '../backend/src/db/pool.ts';
import type { Screens } from '../backend/src/wire/console/carried-console.ts';
import { Consoles } from '../backend/src/wire/console/consoles.ts';
import { addConsoleSocket, isConsoleUpgrade } from '../backend/src/wire/console/socket-route.ts';
import type { ScreenAddress } from './console-source.ts';
import { answerCalls } from './process.ts';

/** A process that carries consoles of a machine whose screen is somewhere; it answers with its own address. */
answerCalls(async ({ url, screen }: { url: string; screen: ScreenAddress }) => {
  const hypervisor: Screens = {
    status: async () => null,
    console: async () => ({ stream: connect(screen), password: null }),
  };
  const consoles = new Consoles({
    pool: new Pool({ url, size: 2, name: 'hostkeep-bench', role: APPLICATION_ROLE }),
    hypervisor,
    clock: { now: () => Temporal.Now.instant() },
    log: pino({ level: 'warn' }),
  });
  const app = Fastify({ http: { shouldUpgradeCallback: isConsoleUpgrade } });
  const options = { consoles, publicUrl: () => 'http://127.0.0.1', origins: [] };
  addConsoleSocket(app, { ...options, countStranger: async () => {} });
  return await app.listen({ host: '127.0.0.1', port: 0 });
});
