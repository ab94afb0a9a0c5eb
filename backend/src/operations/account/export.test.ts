import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createGunzip } from 'node:zlib';
import { pino } from 'pino';
import { extract } from 'tar-stream';
import { LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import build from '../../business/exports/build.job.ts';
import { exportFile } from '../../business/exports/download.ts';
import { keepParts, TooLarge } from '../../business/exports/parts.ts';
import purge from '../../business/maintenance/purge.job.ts';
import { runJob } from '../../work/run-job.ts';

const fixture = await openFixture();
const { pool, clock, catalogs, sealer, signer } = fixture;
const { data, call, refused } = openRequests(fixture);
const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
const options = {
  jobs: [],
  pool,
  // Nobody here has attached anything.
  ports: {} as never,
  clock,
  context: { catalogs, sealer, signer, log: pino({ level: 'silent' }) },
  observe: () => {},
};

/** Does the job that a request enqueued, from what it left in the queue. */
async function work(): Promise<void> {
  const { rows } = await pool.pg.query<{ export_id: string }>(
    `SELECT x.id AS export_id FROM exports x JOIN tasks t ON t.id = x.task_id WHERE t.finished_at IS NULL`,
  );
  for (const payload of rows) await runJob(options, build, payload);
}

/** The files of an archive by their names within its folder. */
async function filesOf(content: AsyncIterable<Buffer>): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const entries = extract();
  Readable.from(content).pipe(createGunzip()).pipe(entries);
  for await (const entry of entries) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    files.set(entry.header.name.replace(/^[^/]*\//, ''), Buffer.concat(chunks).toString());
  }
  return files;
}

/** The verifiers exactly as the guides print them. */
async function guide<T>(name: string): Promise<T> {
  const text = readFileSync(new URL(`../../../../docs/guides/${name}.md`, import.meta.url), 'utf8');
  const code = /```js\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  return await import(`data:text/javascript,${encodeURIComponent(code)}`);
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('the archive has all of the account, and proves itself', async () => {
  const who = await fixture.customer(100_000n);
  const sent = { token: who.secret };
  for (let count = 0; count < 3; count += 1) await data('panel/order', order, sent);
  await data('account/token-create', { name: 'a token', scopes: ['account:read'] }, sent);
  const wanted = { url: 'https://hook.example/', events: ['*'] };
  const webhook = await data('account/webhook-create', wanted, sent);
  const begun = await call('account/export', {}, sent);
  assert.equal(begun.status, 202, begun.text);
  const { task } = begun.body.data;
  assert.deepEqual(
    [task.type, task.state, task.resource],
    ['account.export', 'queued', { type: 'account', uuid: who.accountId }],
  );
  const again = await refused('state_conflict', 'account/export', {}, sent);
  assert.equal(again.task_uuid, task.uuid);
  const [waiting] = (await data('account/exports', {}, sent)).exports;
  assert.deepEqual([waiting.state, waiting.size, waiting.download_url], ['queued', null, null]);

  await work();
  assert.equal((await data('task/details', { uuid: task.uuid }, sent)).task.state, 'succeeded');
  const [made] = (await data('account/exports', {}, sent)).exports;
  assert.match(made.download_url, /^https:\/\/hostkeep\.example\/download\//);
  const file = await exportFile(pool, { id: made.uuid, accountId: who.accountId }, clock.now());
  assert.ok(file !== null);
  const chunks: Buffer[] = [];
  for await (const chunk of file.content) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  assert.equal(whole.length, made.size);
  assert.equal(createHash('sha256').update(whole).digest('hex'), made.sha256);

  const files = await filesOf(Readable.from(chunks));
  const text = (name: string) => files.get(name) ?? assert.fail(`${name} is missing`);
  const { keys } = await data('panel/public-key');
  const licenses = await guide<{ verified(jws: string, keys: unknown): Record<string, unknown> }>(
    'verifying-licenses',
  );
  const claims = licenses.verified(text('MANIFEST.jws').trim(), keys);
  assert.deepEqual(
    [claims.format, claims.account, claims.manifest_sha256],
    ['hostkeep-export-1', who.accountId, sha256(text('MANIFEST'))],
  );
  const listed = text('MANIFEST')
    .trim()
    .split('\n')
    .map((line) => line.split('  '));
  for (const [hash, name = ''] of listed) assert.equal(sha256(text(name)), hash, name);
  assert.deepEqual(
    [...files.keys()].filter((name) => !name.startsWith('MANIFEST')),
    listed.map(([, name]) => name),
  );
  const ledger = await guide<{ verifiedLedger(file: string, keys: unknown): { account: string } }>(
    'verifying-the-ledger',
  );
  assert.equal(ledger.verifiedLedger(text('ledger.jsonl'), keys).account, who.accountId);

  const lines = (name: string) =>
    text(name)
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const account = JSON.parse(text('account.json'));
  assert.equal(account.account.id, who.accountId);
  assert.equal(account.users.length, 1);
  assert.equal(account.tokens.length, 2);
  assert.equal(lines('orders.jsonl').length, 3);
  assert.equal(lines('orders.jsonl')[0].gross, 399);
  assert.equal(lines('services.jsonl').length, 3);
  const sequences = lines('events.jsonl').map((event) => event.sequence);
  assert.deepEqual(new Set(sequences), new Set(sequences.map((_, index) => index + 1)));
  assert.deepEqual(lines('invoices.jsonl'), []);
  const { secret, uuid } = webhook;
  assert.deepEqual(
    lines('webhooks.jsonl').map(({ id, url }) => [id, url]),
    [[uuid, 'https://hook.example/']],
  );
  assert.ok(![...files.values()].some((content) => content.includes(secret)));
  const { rows } = await pool.pg.query<{ hash: Buffer }>('SELECT hash FROM tokens');
  const all = [...files.values()].join('');
  for (const { hash } of rows) assert.ok(!all.includes(hash.toString('hex')));
  assert.ok(!all.includes(who.secret));
});

test('an archive is its owner’s alone, for seven days, and is purged afterwards', async () => {
  const [who, other] = [await fixture.customer(0n), await fixture.customer(0n)];
  const sent = { token: who.secret };
  await call('account/export', {}, sent);
  await work();
  const [{ uuid: id }] = (await data('account/exports', {}, sent)).exports;
  const at = (accountId: string) => exportFile(pool, { id, accountId }, clock.now());
  assert.ok((await at(who.accountId)) !== null);
  assert.equal(await at(other.accountId), null);
  assert.deepEqual((await data('account/exports', {}, { token: other.secret })).exports, []);
  const narrow = { name: 'narrow', scopes: ['*'], ip_allowlist: ['192.0.2.0/24'] };
  const { token } = await data('account/token-create', narrow, sent);
  await refused('token_restricted', 'account/exports', {}, { token });
  clock.set(clock.now().add({ hours: 7 * 24 }));
  assert.equal(await at(who.accountId), null);
  assert.deepEqual((await data('account/exports', {}, sent)).exports, []);
  clock.set(clock.now().add({ hours: 25 }));
  await runJob(options, purge, {});
  const left = await pool.pg.query('SELECT FROM exports UNION ALL SELECT FROM export_parts');
  assert.equal(left.rows.length, 0);
});

test('an attempt that died leaves nothing, and two at a time make one archive', async () => {
  const who = await fixture.customer(0n);
  await call('account/export', {}, { token: who.secret });
  const { rows } = await pool.pg.query<{ id: string }>('SELECT id FROM exports WHERE size IS NULL');
  const exportId = rows[0]?.id ?? '';
  const died = { exportId, contentId: '01890000-0000-7000-8000-000000000001', most: 100 };
  await keepParts(pool, died, Readable.from([Buffer.from('half of it')]));
  await Promise.all([1, 2].map(() => runJob(options, build, { export_id: exportId })));
  const parts = await pool.pg.query<{ is_it: boolean }>(
    `SELECT DISTINCT p.content_id = x.content_id AS is_it FROM export_parts p JOIN exports x ON x.id = p.export_id
     WHERE x.id = $1`,
    [exportId],
  );
  assert.deepEqual(parts.rows, [{ is_it: true }]);
  const events = await data('account/events', { types: ['task.succeeded'] }, { token: who.secret });
  assert.equal(events.events.length, 1);
});

test('what is too large is refused as soon as it is, and what never ends is given up after a day', async () => {
  const who = await fixture.customer(0n);
  const sent = { token: who.secret };
  const { task } = (await call('account/export', {}, sent)).body.data;
  const { rows } = await pool.pg.query<{ id: string }>('SELECT id FROM exports WHERE size IS NULL');
  const exportId = rows[0]?.id ?? '';
  const endless = (function* () {
    for (;;) yield Buffer.alloc(1024);
  })();
  const target = { exportId, contentId: '01890000-0000-7000-8000-000000000002', most: 3 * 1024 * 1024 };
  await assert.rejects(keepParts(pool, target, Readable.from(endless)), TooLarge);
  clock.set(clock.now().add({ hours: 25 }));
  assert.equal((await call('account/export', {}, sent)).status, 202, 'another may begin');
  await runJob(options, build, { export_id: exportId });
  const shown = (await data('task/details', { uuid: task.uuid }, sent)).task;
  assert.deepEqual([shown.state, shown.error.error], ['failed', 'internal_error']);
});

test('thousands of rows of one moment are all in their file', async () => {
  const who = await fixture.customer(0n);
  await pool.pg.query(
    `INSERT INTO tasks (id, account_id, type, state, resource_type, resource_id, created_at, finished_at)
     SELECT gen_random_uuid(), $1, 'test', 'succeeded', 'account', $1, $2, $2 FROM generate_series(1, 2500)`,
    [who.accountId, clock.now().toString()],
  );
  await call('account/export', {}, { token: who.secret });
  await work();
  const [{ uuid: id }] = (await data('account/exports', {}, { token: who.secret })).exports;
  const file = await exportFile(pool, { id, accountId: who.accountId }, clock.now());
  assert.ok(file !== null);
  const tasks = (await filesOf(file.content)).get('tasks.jsonl')?.split('\n').slice(0, -1) ?? [];
  assert.equal(new Set(tasks.map((line) => JSON.parse(line).id)).size, 2501);
});
