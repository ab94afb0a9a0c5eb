import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from './database.ts';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // the one that is left open is ended by the server
  await client.connect();
  return client;
}

test('each test database has the newest schema, and sees nothing of the others', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const [here, there] = await Promise.all([connect(one.url), connect(other.url)]);
  await here.query("INSERT INTO settings (name, value, updated_at) VALUES ('x', 'true', now())");
  assert.equal((await there.query('SELECT FROM settings')).rows.length, 0);
  await Promise.all([here.end(), there.end()]);
  await Promise.all([one.drop(), other.drop()]);
});

test('a connection that a test leaves open fails it, by name', async () => {
  const database = await createTestDatabase();
  const left = await connect(database.url);
  // Patience is for what closes by itself.
  await assert.rejects(database.drop(0), /connections left open:\n\S+ idle/);
  await left.end();
});
