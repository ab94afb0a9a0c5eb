import { randomUUID } from 'node:crypto';
import { type ContractSubject, webserverContract } from '../../../../test/contracts/webserver.ts';
import { createTestDatabase } from '../../../../test/database.ts';
import { wantedSite } from '../../../../test/webspaces.ts';
import { SetClock } from '../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import type { SiteRef } from '../port.ts';
import { planFault } from './fault.ts';
import { isLogin } from './login.ts';
import { SandboxWebserver } from './webserver.ts';

async function open(): Promise<ContractSubject> {
  const database = await createTestDatabase();
  const db = new Pool({ url: database.url, size: 4, name: 'test', role: APPLICATION_ROLE });
  const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));
  let made = 0;
  const site = async ({ webspaceId }: SiteRef) => {
    const { rows } = await db.pg.query('SELECT * FROM sandbox.sites WHERE webspace_id = $1', [webspaceId]);
    return rows[0];
  };
  return {
    driver: new SandboxWebserver({ db, clock }),
    wanted() {
      made += 1;
      const username = `user${made}`;
      const hostnames = [{ hostname: `${username}.sites.example`, documentRoot: 'htdocs' }];
      return wantedSite({ webspaceId: randomUUID(), username, uid: 200_000 + made, hostnames });
    },
    otherPhp: '8.3',
    missingPhp: null,
    phpOf: async (of) => (await site(of))?.php_version,
    async writeFile({ webspaceId }, name) {
      await db.pg.query('UPDATE sandbox.sites SET files = array_append(files, $2) WHERE webspace_id = $1', [
        webspaceId,
        name,
      ]);
    },
    hasFile: async (of, name) => (await site(of))?.files.includes(name) === true,
    async seen(of, hostname) {
      const found = await site(of);
      if (found === undefined || !found.hostnames.includes(hostname)) return 'nothing';
      return found.suspended ? 'suspended' : 'site';
    },
    async logsIn(of, password) {
      const found = await site(of);
      return found?.suspended === false && (await isLogin(found.login_hash, of.username, password));
    },
    async databaseLogsIn(of, name, password) {
      const found = await site(of);
      const { rows } = await db.pg.query(
        'SELECT login_hash FROM sandbox.site_databases WHERE webspace_id = $1 AND name = $2',
        [of.webspaceId, name],
      );
      if (found?.suspended !== false || rows[0] === undefined) return false;
      return await isLogin(rows[0].login_hash, name, password);
    },
    fail: ({ webspaceId }, fault) => planFault(db, { command: 'ensure_site', fault, webspaceId }),
    async close() {
      await db.end();
      await database.drop();
    },
  };
}

webserverContract('sandbox', open);
