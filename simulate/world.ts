import { pino } from 'pino';
import { SetClock } from '../backend/src/base/clock.ts';
import { openOutbound } from '../backend/src/base/outbound.ts';
import { Sealer } from '../backend/src/base/seal.ts';
import { CatalogStore } from '../backend/src/business/core/catalog/versions.ts';
import { openSigner } from '../backend/src/business/core/signing.ts';
import { parseCommandLine } from '../backend/src/config.ts';
import { APPLICATION_ROLE } from '../backend/src/db/migrate.ts';
import { Pool } from '../backend/src/db/pool.ts';
import type { Installation } from '../backend/src/installation.ts';
import { openPorts } from '../backend/src/ports.ts';

/** Everything that the program is made of, on a database of its own, with a clock that is set. */
export async function openWorld(url: string, name: string, start: Temporal.Instant) {
  const clock = new SetClock(start);
  const log = pino({ level: process.env.SIMULATE_LOG ?? 'silent' });
  const sealer = new Sealer('simulation', new Map([['simulation', Buffer.alloc(32, 7)]]));
  const pool = new Pool({ url, size: 6, name, role: APPLICATION_ROLE });
  const { config } = parseCommandLine([], { HOSTKEEP_SANDBOX_DNS: 'off' });
  const installation: Installation = {
    config,
    log,
    sealer,
    keyFile: '',
    machineAhead: () => 0,
    clock,
    outbound: openOutbound({ resolve: async () => [] }),
    url,
    directUrl: url,
    ownerUrl: url,
    readPool: pool,
    writePool: pool,
    counterPool: pool,
    jobPool: pool,
    close: () => pool.end(),
  };
  const catalogs = await new CatalogStore(pool).open();
  const signer = await openSigner(pool, sealer, start);
  const ports = await openPorts(installation, catalogs);
  return {
    clock,
    log,
    sealer,
    pool,
    catalogs,
    signer,
    ports,
    async close() {
      await ports.close();
      await pool.end();
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
