import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import Fastify from 'fastify';
import { pino } from 'pino';
import { importCatalog } from '../src/business/core/catalog/import.ts';
import { catalogFromDocument } from '../src/business/core/catalog/schema/schema.ts';
import { replyAddress } from '../src/business/notifications/mail/reply-address.ts';
import { syncInventories } from '../src/business/products.ts';
import store from '../src/business/support/attachments/store.job.ts';
import { handleMail } from '../src/business/support/incoming/incoming.ts';
import { receiveMail } from '../src/business/support/incoming/receive.ts';
import { transaction } from '../src/db/transaction.ts';
import type { CommandPorts } from '../src/drivers/ports.ts';
import { DiskStorage } from '../src/drivers/storage/disk/storage.ts';
import { addDownloadRoute } from '../src/wire/download.ts';
import type { Job } from '../src/work/job.ts';
import { runJob } from '../src/work/run-job.ts';
import { type Customer, openFixture } from './fixture.ts';
import { openRequests, staffToken } from './requests.ts';
import { smallDocument } from './small-catalog.ts';

export const SUPPORT = 'tickets@hosting.example';
export const TICKET = {
  subject: 'My server does not start',
  message: 'Since this morning it stays **off**.',
  department: 'technical',
};

/** A mail as it could come; what is not said is as it should be. */
export interface MailDraft {
  readonly from?: string;
  readonly to: string;
  readonly text?: string;
  readonly messageId?: string;
  /** Further header lines. */
  readonly header?: readonly string[];
  /** Everything from the header's end on, in place of the text. */
  readonly body?: string;
  readonly sender?: string;
  readonly authenticated?: string | null;
}

/** The fixture with departments that read mail, an operator, and a storage on the disk. Nothing runs by itself. */
export async function openTicketing(support: object = {}) {
  const fixture = await openFixture();
  const { pool, clock, sealer, signer, catalogs } = fixture;
  const requests = openRequests(fixture);
  const staff = await staffToken(fixture);
  const filesDirectory = join(tmpdir(), `files-${randomUUID()}`);
  const storage = new DiskStorage(filesDirectory);

  async function sell(changed: object): Promise<void> {
    const document = {
      ...smallDocument(),
      support: { address: SUPPORT, timezone: 'Europe/Berlin', ...changed },
    };
    const catalog = catalogFromDocument(document);
    await transaction(pool, (tx) => importCatalog(tx, catalog, 'support', clock.now(), syncInventories));
    await catalogs.newest(pool);
  }
  await sell(support);

  const app = Fastify({ routerOptions: { maxParamLength: 16_384 } });
  addDownloadRoute(app, { countStranger: async () => {}, pool, clock, sealer, storage });
  after(() => app.close());

  /** What a link of ours answers. */
  async function download(url: string) {
    return await app.inject({ url: new URL(url).pathname });
  }

  async function run(job: Job, payload: unknown): Promise<void> {
    const ports = { storage } as Partial<CommandPorts> as CommandPorts;
    const context = { catalogs, sealer, signer, log: pino({ level: 'silent' }) };
    await runJob({ pool, ports, clock, context, observe: () => {} }, job, payload);
  }

  /** Moves everything that was attached into the storage. */
  async function storeFiles(): Promise<void> {
    const { rows } = await pool.pg.query<{ id: string }>(
      'SELECT id FROM ticket_attachments WHERE content IS NOT NULL',
    );
    for (const { id } of rows) await run(store, { attachment_id: id });
  }

  async function emailOf({ userId }: Pick<Customer, 'userId'>): Promise<string> {
    const { rows } = await pool.pg.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      userId,
    ]);
    return rows[0]?.email ?? '';
  }

  /** The address at which somebody answers a ticket, as their mails name it. */
  async function addressOf(ticket: string, { userId }: Pick<Customer, 'userId'>): Promise<string> {
    const { rows } = await pool.pg.query<{ number: string }>(
      'SELECT number::text AS number FROM tickets WHERE id = $1',
      [ticket],
    );
    return replyAddress(sealer, SUPPORT, { number: BigInt(rows[0]?.number ?? 0), userId });
  }

  /** Has a mail come and be looked at; answers what became of it. */
  async function receive(draft: MailDraft) {
    const { from = 'ada@example.com', to, text = 'It works again.', header = [], messageId } = draft;
    const lines = [
      `From: Ada <${from}>`,
      `To: ${to}`,
      'Subject: Re: anything',
      `Message-ID: <${messageId ?? `${randomUUID()}@example.com`}>`,
      ...header,
      ...(draft.body === undefined ? ['Content-Type: text/plain; charset=utf-8', '', text] : [draft.body]),
    ];
    const content = Buffer.from(lines.join('\r\n'));
    const mail = {
      content,
      size: content.length,
      sender: draft.sender ?? from,
      recipient: to,
      authenticatedDomain: draft.authenticated === undefined ? 'example.com' : draft.authenticated,
    };
    await receiveMail(pool, mail, clock.now());
    const { rows } = await pool.pg.query<{ id: string }>(
      'SELECT id FROM incoming_mails WHERE recipient = $1 ORDER BY received_at DESC, id DESC LIMIT 1',
      [to.toLowerCase()],
    );
    const id = rows[0]?.id ?? '';
    await look(id);
    return await mailAt(id);
  }

  async function look(id: string, through = pool): Promise<void> {
    await handleMail(through, id, { now: clock.now(), sealer, sold: catalogs.current().content });
  }

  async function mailAt(id: string) {
    const { rows } = await pool.pg.query<{
      id: string;
      state: string;
      reason: string | null;
      content: Buffer | null;
      message_id: string | null;
    }>('SELECT id, state, reason, content, message_id FROM incoming_mails WHERE id = $1', [id]);
    const [found] = rows;
    if (found === undefined) throw new Error(`there is no mail ${id}`);
    return found;
  }

  /** A customer with a ticket. */
  async function asked(input: object = {}) {
    const customer = await fixture.customer(0n);
    const created = await requests.data('ticket/create', { ...TICKET, ...input }, { token: customer.secret });
    return { customer, token: customer.secret, uuid: String(created.uuid), created };
  }

  async function mails(template: string) {
    const { rows } = await pool.pg.query<{
      user_id: string;
      variables: Record<string, unknown>;
      thread: object;
    }>('SELECT user_id, variables, thread FROM mails WHERE template = $1 ORDER BY created_at, id', [
      template,
    ]);
    return rows;
  }

  return {
    ...fixture,
    ...requests,
    staff,
    storage,
    filesDirectory,
    sell,
    run,
    storeFiles,
    download,
    emailOf,
    addressOf,
    receive,
    look,
    mailAt,
    asked,
    mails,
  };
}
