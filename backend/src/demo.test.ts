import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { createTestDatabase } from '../test/database.ts';
import { systemClock } from './base/clock.ts';
import { openOutbound } from './base/outbound.ts';
import { Sealer } from './base/seal.ts';
import { hashPassword } from './business/core/access/password.ts';
import { type Config, parseCommandLine } from './config.ts';
import { APPLICATION_ROLE } from './db/migrate.ts';
import { Pool } from './db/pool.ts';
import { fillDemo } from './demo.ts';
import { closeDemo, isForReal, openDemoLogins, openDemoVouchers, openDoors } from './demo-close.ts';
import type { Installation } from './installation.ts';

const REAL = {
  'a key of Stripe': { stripeKey: 'sk_live_x', stripeWebhookSecret: 'whsec_x' },
  'an address of the world': { publicUrl: 'https://hosting.example' },
  'a listener that others reach': { listen: '0.0.0.0' },
  'an address of another machine': { publicUrl: 'http://192.0.2.1:8080' },
} as const satisfies Record<string, Partial<Config>>;

/** An installation whose database nothing was sold in yet. */
async function opened(settings: Partial<Config>): Promise<Installation> {
  const database = await createTestDatabase();
  const pool = new Pool({ url: database.url, size: 2, name: 'demo', role: APPLICATION_ROLE });
  after(async () => {
    await pool.end();
    await database.drop();
  });
  const { config } = parseCommandLine([], {});
  return {
    config: { ...config, ...settings },
    log: pino({ level: 'silent' }),
    sealer: new Sealer('test', new Map([['test', randomBytes(32)]])),
    keyFile: '',
    machineAhead: () => 0,
    clock: systemClock,
    outbound: openOutbound({ resolve: async () => [] }),
    url: database.url,
    directUrl: database.url,
    ownerUrl: database.url,
    readPool: pool,
    writePool: pool,
    counterPool: pool,
    jobPool: pool,
    close: async () => {},
  };
}

for (const [what, settings] of Object.entries(REAL)) {
  test(`with ${what} there are no log-ins with a public password`, async () => {
    const installation = await opened(settings);
    assert.equal(await fillDemo(installation), null);
    assert.deepEqual((await installation.readPool.pg.query('SELECT email FROM users')).rows, []);
    assert.deepEqual(await openDemoLogins(installation.readPool), []);
  });
}

test('a demo that was filled before is found open, and is closed for good', async () => {
  const installation = await opened({});
  const { readPool, writePool, clock } = installation;
  assert.ok((await fillDemo(installation)) !== null);
  assert.deepEqual(await openDemoLogins(readPool), ['demo@hostkeep.example', 'operator@hostkeep.example']);
  assert.equal(await openDemoVouchers(readPool), 2);
  const now = clock.now();
  await closeDemo(writePool, now);
  assert.deepEqual([await openDemoLogins(readPool), await openDemoVouchers(readPool)], [[], 0]);
  const { rows } = await readPool.pg.query<{ what: string }>(
    `SELECT 'token' AS what FROM tokens WHERE revoked_at IS NULL
     UNION ALL SELECT 'code' FROM discount_codes WHERE valid_until IS NULL OR valid_until > $1`,
    [now.toString()],
  );
  assert.deepEqual(rows, []);
});

test('a demo whose people have chosen passwords of their own is not found open', async () => {
  const installation = await opened({});
  await fillDemo(installation);
  const hash = await hashPassword('incorrect zebra dynamo clip');
  await installation.writePool.pg.query('UPDATE users SET password_hash = $1', [hash]);
  assert.deepEqual(await openDemoLogins(installation.readPool), []);
});

test('what is open to strangers is told, a sentence for each; a playground may be open', async () => {
  const { config: standard } = parseCommandLine([], {});
  const installation = await opened({});
  await fillDemo(installation);
  const [logins, money, vat, ...more] = await openDoors(installation);
  assert.match(logins ?? '', /anybody can log in as demo@hostkeep.example and operator@hostkeep.example/);
  assert.match(money ?? '', /sandbox payment gives money/);
  assert.match(vat ?? '', /sandbox VAT check confirms any number/);
  assert.deepEqual(more, []);
  await closeDemo(installation.writePool, installation.clock.now());
  const closed = { ...installation, config: { ...installation.config, vatRegister: 'vies' as const } };
  assert.deepEqual((await openDoors(closed)).length, 1, 'the play money is still there');
  const paid = { ...closed, config: { ...closed.config, stripeKey: 'sk_live_x' } };
  assert.deepEqual(await openDoors(paid), []);
  for (const publicUrl of ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:80'])
    assert.equal(isForReal({ ...standard, publicUrl }), false, publicUrl);
  assert.equal(isForReal({ ...standard, listen: '0.0.0.0' }), true);
  assert.equal(isForReal({ ...standard, listen: '0.0.0.0', publicPlayground: 'yes' }), false);
});
