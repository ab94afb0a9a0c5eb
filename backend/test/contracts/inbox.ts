import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Inbox, ReceivedMail, TakeMail } from '../../src/drivers/inbox/port.ts';

/** A driver under test, with the mail server of ours that it reads from. */
export interface ContractSubject {
  readonly driver: Inbox;
  /** Our mail server hands a mail over; resolves when the driver has had its turn at it. */
  deliver(mail: string, envelope: { readonly sender: string; readonly recipient: string }): Promise<void>;
  close(): Promise<void>;
}

/** The name under which our mail server signs its results. */
export const AUTHSERV = 'mx.hosting.example';

/** What every driver of the inbox port keeps. */
export function inboxContract(name: string, open: () => Promise<ContractSubject>): void {
  const sender = 'ada@example.com';
  const recipient = 'tickets+abc@hosting.example';
  const lines = (text: string) => ['From: Ada <ada@example.com>', 'Subject: x', '', text, ''].join('\r\n');

  async function taking(take: TakeMail, work: (subject: ContractSubject) => Promise<void>): Promise<void> {
    const subject = await open();
    await subject.driver.open(take);
    try {
      await work(subject);
    } finally {
      await subject.driver.close();
      await subject.close();
    }
  }

  describe(`the inbox contract: ${name}`, () => {
    test('a mail is handed over whole, with its envelope', async () => {
      const mails: ReceivedMail[] = [];
      const text = `Grüße ${randomUUID()}`;
      await taking(
        async (mail) => void mails.push(mail),
        async ({ deliver }) => deliver(lines(text), { sender, recipient }),
      );
      assert.deepEqual(
        mails.map((mail) => [mail.sender, mail.recipient, mail.authenticatedDomain]),
        [[sender, recipient, null]],
      );
      assert.ok(mails[0]?.content.toString().includes(text));
      assert.ok((mails[0]?.size ?? 0) >= Buffer.byteLength(lines(text)));
    });

    test('an empty sender stays empty', async () => {
      const mails: ReceivedMail[] = [];
      await taking(
        async (mail) => void mails.push(mail),
        async ({ deliver }) => deliver(lines('x'), { sender: '', recipient }),
      );
      assert.deepEqual(
        mails.map((mail) => mail.sender),
        [''],
      );
    });

    test('what our own server found out is told, and what came with the mail is not believed', async () => {
      const domains: (string | null)[] = [];
      const result = `Authentication-Results: ${AUTHSERV}; dmarc=pass header.from=example.com\r\n`;
      const received = 'Received: from a by mx.hosting.example; Sat, 21 Nov 2026 10:00:00 +0000\r\n';
      await taking(
        async (mail) => void domains.push(mail.authenticatedDomain),
        async ({ deliver }) => {
          await deliver(`${result}${received}${lines('ours')}`, { sender, recipient });
          await deliver(`${received}${result}${lines('theirs')}`, { sender, recipient });
        },
      );
      assert.deepEqual(domains, ['example.com', null]);
    });

    test('a mail that could not be kept comes again', async () => {
      let attempts = 0;
      await taking(
        async () => {
          attempts += 1;
          if (attempts === 1) throw new Error('the database is away');
        },
        async ({ deliver }) => {
          const mail = lines('again');
          await deliver(mail, { sender, recipient });
          await deliver(mail, { sender, recipient });
        },
      );
      assert.ok(attempts >= 2, `${attempts}`);
    });
  });
}
