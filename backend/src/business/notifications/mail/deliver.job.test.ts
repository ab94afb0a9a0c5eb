import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { type OutboxMail, outbox } from '../../../../test/mail.ts';
import { openMailServer } from '../../../../test/mail-server.ts';
import { openServers } from '../../../../test/servers.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import type { Mailer } from '../../../drivers/mail/port.ts';
import { SmtpMailer } from '../../../drivers/mail/smtp/mail.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { setSafeMode } from '../../../work/safe-mode.ts';
import deliver from './deliver.job.ts';
import { type MailDraft, queueMail } from './outbox.ts';

const site = await openServers();
const { pool, clock, sealer } = site;
const server = await openMailServer();
const smtp = new SmtpMailer({
  server: { host: '127.0.0.1', port: server.port, encryption: 'none', login: null },
  from: { name: '', address: 'noreply@hosting.example' },
});
after(async () => {
  smtp.close();
  await server.close();
});
const LINK = 'https://hosting.example/reset?token=very-secret';
const TEMPLATE = 'account.password-changed';

type Change = Partial<MailDraft<typeof TEMPLATE>>;

/** Queues a mail, as the operation that it tells of would. */
async function queued(change: Change = {}) {
  const address = `to+${randomUUID()}@example.com`;
  const draft: MailDraft<typeof TEMPLATE> = {
    cause: `test:${randomUUID()}`,
    to: { address, locale: 'de', accountId: null },
    template: TEMPLATE,
    variables: { ip: '192.0.2.7' },
    ...change,
  };
  await inUnitOfWork(pool, clock.now(), [], async (_tx, uow) => queueMail(uow, draft));
  return { address, cause: draft.cause };
}

/** One run of the job with a mailer, as the worker does it. */
const run = (mail: Mailer = smtp, change: object = {}) =>
  site.run(deliver, {}, { ports: { ...site.ports, mail }, ...change });

async function mailOf(cause: string) {
  const { rows } = await pool.pg.query<Pick<OutboxMail, 'id' | 'state' | 'attempts' | 'due_at' | 'failure'>>(
    'SELECT id, state, attempts, due_at, failure FROM mails WHERE cause = $1',
    [cause],
  );
  const [mail] = rows;
  if (mail === undefined) assert.fail(`no mail for ${cause}`);
  return mail;
}

const later = (minutes: number) => clock.set(clock.now().add({ minutes }));

test('twenty transactions at once that tell of one cause queue one mail, and it is sent once', async () => {
  const cause = `test:${randomUUID()}`;
  const to = { address: `to+${randomUUID()}@example.com`, locale: 'en', accountId: null } as const;
  await Promise.all(Array.from({ length: 20 }, () => queued({ cause, to })));
  await Promise.all([run(), run()]);
  await run();
  assert.equal(server.to(to.address).length, 1);
  assert.equal((await mailOf(cause)).attempts, 1);
  await queued({ cause, to });
  await run();
  assert.equal(server.to(to.address).length, 1);
});

test('the commit that queues a mail has it sent, through the queue; however many wait, all are', async () => {
  const { rows: before } = await pool.pg.query('SELECT FROM sandbox.mails');
  const frames = Array.from({ length: 60 }, () => queued());
  const sent = await Promise.all(frames);
  await site.work();
  const { rows } = await pool.pg.query<{ recipient: string; body: string }>(
    'SELECT recipient, body FROM sandbox.mails',
  );
  assert.equal(rows.length - before.length, 60);
  assert.deepEqual(rows.map((row) => row.recipient).sort(), sent.map(({ address }) => address).sort());
  assert.match(rows[0]?.body ?? '', /192\.0\.2\.7/);
});

test('workers of several processes that deliver at the same time send each mail once', async () => {
  const mails = await Promise.all(Array.from({ length: 40 }, () => queued()));
  const pools = [1, 2, 3].map(
    (n) => new Pool({ url: site.database.url, size: 3, name: `worker-${n}`, role: APPLICATION_ROLE }),
  );
  for (let round = 0; round < 2; round += 1) await Promise.all(pools.map((own) => run(smtp, { pool: own })));
  await Promise.all(pools.map((own) => own.end()));
  for (const { address } of mails) assert.equal(server.to(address).length, 1);
});

test('a run that comes while another is under way in the process leaves its mails to the next', async () => {
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const first = await queued();
  const slow: Mailer = {
    async send(message) {
      entered.resolve();
      await gate.promise;
      return await smtp.send(message);
    },
  };
  const running = run(slow);
  await entered.promise;
  const second = await queued();
  await run();
  assert.equal(server.to(second.address).length, 0);
  gate.resolve();
  await running;
  await site.work();
  assert.equal(server.to(first.address).length, 1);
  assert.equal((await mailOf(second.cause)).state, 'sent');
});

test('a recipient whom the server refuses (550) gets no second try, and the operator is told', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const { cause } = await queued({ to: { address: 'refused@example.com', locale: 'en', accountId: null } });
  await run(smtp, { context: { catalogs: site.catalogs, sealer, signer: site.signer, log } });
  const mail = await mailOf(cause);
  assert.equal(mail.state, 'failed');
  assert.match(mail.failure ?? '', /550/);
  assert.match(lines.join(''), new RegExp(mail.id));
  later(10_000);
  await run();
  assert.equal((await mailOf(cause)).attempts, 1);
});

test('put off (451), a mail comes again after a minute, under the same message id', async () => {
  const address = `later+${randomUUID()}@example.com`;
  const { cause } = await queued({ to: { address, locale: 'en', accountId: null } });
  await run();
  const waiting = await mailOf(cause);
  assert.equal(waiting.state, 'queued');
  assert.match(waiting.failure ?? '', /451/);
  assert.equal(waiting.due_at.toString(), clock.now().add({ minutes: 1 }).toString());
  await run();
  assert.equal(server.to(address).length, 0, 'not before it is due');
  later(1);
  await run();
  assert.equal((await mailOf(cause)).state, 'sent');
  assert.equal((await mailOf(cause)).failure, null);
  assert.equal(server.to(address)[0]?.parsed.messageId, `<${waiting.id}@hosting.example>`);
});

test('a connection cut before the answer: sent again under the same message id', async () => {
  const address = `cut+${randomUUID()}@example.com`;
  const { cause } = await queued({ to: { address, locale: 'en', accountId: null } });
  await run();
  later(1);
  await run();
  const { id, state } = await mailOf(cause);
  assert.equal(state, 'sent');
  const ids = server.to(address).map(({ parsed }) => parsed.messageId);
  assert.deepEqual(ids, [`<${id}@hosting.example>`, `<${id}@hosting.example>`]);
});

test('killed between sending and writing that down, the mail is sent again after the lease, under its message id', async () => {
  const { address, cause } = await queued();
  const killed: Mailer = {
    async send(message) {
      await smtp.send(message);
      return await new Promise(() => {});
    },
  };
  const own = new Pool({ url: site.database.url, size: 2, name: 'killed', role: APPLICATION_ROLE });
  run(killed, { pool: own }).catch(() => {});
  while (server.to(address).length === 0) await new Promise(setImmediate);
  await own.end();
  await run();
  assert.equal(server.to(address).length, 1, 'whose it is, is known for as long as the lease holds');
  later(15);
  await run();
  const ids = server.to(address).map(({ parsed }) => parsed.messageId);
  assert.equal(ids.length, 2);
  assert.equal(new Set(ids).size, 1);
  assert.equal((await mailOf(cause)).state, 'sent');
});

test('the pauses grow from a minute to six hours, and after three days the mail is given up', async () => {
  const { cause } = await queued({
    to: { address: `unavailable+${randomUUID()}@example.com`, locale: 'en', accountId: null },
  });
  const pauses: number[] = [];
  const start = clock.now();
  for (;;) {
    await run();
    const mail = await mailOf(cause);
    if (mail.state !== 'queued') break;
    pauses.push(mail.due_at.since(clock.now()).total('minutes'));
    clock.set(mail.due_at);
  }
  assert.deepEqual(pauses.slice(0, 11), [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360]);
  const mail = await mailOf(cause);
  assert.equal(mail.state, 'failed');
  assert.match(mail.failure ?? '', /^given up: .*451/);
  const hours = clock.now().since(start).total('hours');
  assert.ok(hours >= 72 && hours < 78, `${hours}`);
});

test('the account’s owner gets their mail at the address, in the language and by the name that they have when it is sent', async () => {
  const who = await site.customer(0n);
  const { cause } = await queued({ to: { accountId: who.accountId } });
  const address = `new+${randomUUID()}@example.com`;
  await pool.pg.query(
    `UPDATE users SET email = $2, locale = 'de', first_name = 'Jürgen', last_name = 'Groß', email_verified_at = $3
     WHERE id = $1`,
    [who.userId, address, clock.now().toString()],
  );
  await run();
  assert.equal((await mailOf(cause)).state, 'sent');
  const [mail] = server.to(address);
  assert.equal(mail?.parsed.subject, 'Ihr Passwort wurde geändert');
  assert.match(mail?.parsed.text ?? '', /^Guten Tag Jürgen Groß,\n/);
});

test('an address that nobody has proved is greeted without the name that was typed', async () => {
  const who = await site.customer(0n);
  await queued({ to: { userId: who.userId, accountId: who.accountId } });
  const { rows } = await pool.pg.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
    who.userId,
  ]);
  await run();
  assert.match(server.to(rows[0]?.email ?? '')[0]?.parsed.text ?? '', /^Hello,\n/);
});

test('nobody is written to whose account is closed, who is disabled, or who is gone', async () => {
  const [closed, disabled] = [await site.customer(0n), await site.customer(0n)];
  await pool.pg.query(`UPDATE accounts SET state = 'closed' WHERE id = $1`, [closed.accountId]);
  await pool.pg.query(`UPDATE users SET state = 'disabled' WHERE id = $1`, [disabled.userId]);
  const causes = [
    await queued({ to: { accountId: closed.accountId } }),
    await queued({ to: { userId: disabled.userId, accountId: disabled.accountId } }),
    await queued({ to: { userId: randomUUID(), accountId: null } }),
    await queued({ to: { accountId: randomUUID() } }),
  ];
  const before = server.mails.length;
  await run();
  assert.equal(server.mails.length, before);
  const failures = await Promise.all(causes.map(({ cause }) => mailOf(cause)));
  assert.deepEqual(
    failures.map(({ state, failure }) => `${state}: ${failure}`),
    [
      'failed: the account is closed',
      'failed: the recipient is disabled',
      'failed: the recipient is gone',
      'failed: the recipient is gone',
    ],
  );
});

test('nothing is sent in safe mode; everything is afterwards', async () => {
  const { address } = await queued();
  await setSafeMode(pool, true, clock.now());
  await run();
  assert.equal(server.to(address).length, 0);
  await setSafeMode(pool, false, clock.now());
  await run();
  assert.equal(server.to(address).length, 1);
});

test('a template of a newer version waits for a process that knows it', async () => {
  const { cause } = await queued();
  await pool.pg.query(`UPDATE mails SET template = 'account.of-tomorrow' WHERE cause = $1`, [cause]);
  await run();
  await pool.pg.query('UPDATE mails SET template = $2 WHERE cause = $1', [cause, TEMPLATE]);
  assert.equal((await mailOf(cause)).state, 'queued');
  later(1);
  await run();
  assert.equal((await mailOf(cause)).state, 'sent');
});

test('a link with a secret is nowhere in clear but in the mail, and sealed only for as long as it waits', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const cause = `test:${randomUUID()}`;
  const address = `later+${randomUUID()}@example.com`;
  const to = { address, locale: 'en', accountId: null } as const;
  await inUnitOfWork(pool, clock.now(), [], async (_tx, uow) =>
    queueMail(uow, {
      cause,
      to,
      template: 'account.password-reset',
      variables: {},
      secrets: { link: LINK },
      sealer,
    }),
  );
  const [queuedMail] = await outbox(site, 'account.password-reset', { recipient: address });
  assert.equal(queuedMail?.values.link, LINK);
  const rows = async () => JSON.stringify((await pool.pg.query(`SELECT m::text AS row FROM mails m`)).rows);
  const jobs = async () =>
    JSON.stringify(
      (await site.queue.query('SELECT j::text AS row FROM graphile_worker._private_jobs j')).rows,
    );
  assert.doesNotMatch(`${await rows()}${await jobs()}`, /very-secret/);
  const context = { catalogs: site.catalogs, sealer, signer: site.signer, log };
  await run(smtp, { context });
  later(1);
  await run(smtp, { context });
  assert.match(server.to(address)[0]?.parsed.text ?? '', /very-secret/);
  assert.match(lines.join(''), /will be sent again/);
  assert.doesNotMatch(`${lines.join('')}${await rows()}${await jobs()}`, /very-secret/);
  const { rows: sealed } = await pool.pg.query('SELECT secrets_sealed FROM mails WHERE cause = $1', [cause]);
  assert.deepEqual(sealed, [{ secrets_sealed: null }]);
});

test('a mail that cannot be made (its key is gone) is tried again, and the others are sent', async () => {
  const broken = await queued();
  await pool.pg.query(`UPDATE mails SET secrets_sealed = '\\x01' WHERE cause = $1`, [broken.cause]);
  const { address } = await queued();
  await run();
  assert.equal(server.to(address).length, 1);
  const mail = await mailOf(broken.cause);
  assert.equal(mail.state, 'queued');
  assert.equal(mail.failure, 'not a sealed value');
});

test('an outcome that comes after the lease does not undo what a later worker did', async () => {
  const { cause, address } = await queued();
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const slow: Mailer = {
    async send() {
      entered.resolve();
      await gate.promise;
      throw new BackendUnavailable('the mail server');
    },
  };
  const own = new Pool({ url: site.database.url, size: 2, name: 'slow', role: APPLICATION_ROLE });
  const running = run(slow, { pool: own });
  await entered.promise;
  later(15);
  await run();
  gate.resolve();
  await running;
  await own.end();
  assert.equal((await mailOf(cause)).state, 'sent');
  later(10_000);
  await run();
  assert.equal(server.to(address).length, 1);
});
