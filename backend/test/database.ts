import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../src/db/migrate.ts';

const ADMIN = process.env.HOSTKEEP_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:55432/postgres';
export async function createTestDatabase() {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const c = new pg.Client({ connectionString: ADMIN });
  await c.connect();
  await c.query(`CREATE DATABASE ${name}`);
  await c.end();
  const url = ADMIN.replace(/\/postgres$/, `/${name}`);
  await migrate(url);
  return {
    url,
    drop: async () => {
      const d = new pg.Client({ connectionString: ADMIN });
      await d.connect();
      await d.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await d.end();
    },
  };
}
