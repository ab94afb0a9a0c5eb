import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AUTHSERV, inboxContract } from '../../../../test/contracts/inbox.ts';
import { LARGEST_MAIL, type ReceivedMail, type TakeMail } from '../port.ts';
import { MaildirInbox } from './inbox.ts';

const NEVER = 1_000_000_000;

async function opened() {
  const directory = await mkdtemp(join(tmpdir(), 'maildir-'));
  const failures: unknown[] = [];
  const driver = new MaildirInbox({
    directory,
    trust: { authserv: AUTHSERV, hops: 0 },
    onFailure: (failure) => failures.push(failure),
    everyMs: NEVER,
  });
  /** As a mail server delivers (it writes in `tmp`, and moves what is whole). */
  async function put(mail: string | Buffer): Promise<string> {
    const name = `${randomUUID()}.host`;
    await writeFile(join(directory, 'tmp', name), mail);
    await rename(join(directory, 'tmp', name), join(directory, 'new', name));
    return name;
  }
  return { directory, driver, failures, put, close: () => rm(directory, { recursive: true, force: true }) };
}

inboxContract('maildir', async () => {
  const { driver, put, close } = await opened();
  let take: TakeMail = async () => {};
  return {
    driver: {
      open: async (given) => {
        take = given;
        await driver.open(given);
      },
      close: () => driver.close(),
    },
    async deliver(mail, { sender, recipient }) {
      await put(`Return-Path: <${sender}>\r\nDelivered-To: ${recipient}\r\n${mail}`);
      await driver.look(take);
    },
    close,
  };
});

test('what was taken is moved to cur, seen; what was not stays in new', async () => {
  const { directory, driver, failures, put, close } = await opened();
  await driver.open(async () => {});
  await driver.close();
  const [good, bad] = [await put('Subject: good\r\n\r\n'), await put('Subject: bad\r\n\r\n')];
  await driver.look(async ({ content }) => {
    if (content.includes('bad')) throw new Error('not now');
  });
  assert.deepEqual(await readdir(join(directory, 'new')), [bad]);
  assert.deepEqual(await readdir(join(directory, 'cur')), [`${good}:2,S`]);
  assert.equal(failures.length, 1);
  await driver.look(async () => {});
  assert.deepEqual(await readdir(join(directory, 'new')), []);
  await close();
});

test('of a mail that is too large only the beginning is read, and its size told', async () => {
  const { driver, put, close } = await opened();
  await driver.open(async () => {});
  await driver.close();
  await put(Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(LARGEST_MAIL, 'a')]));
  const mails: ReceivedMail[] = [];
  await driver.look(async (mail) => void mails.push(mail));
  assert.deepEqual(
    mails.map(({ content, size }) => [content.length, size]),
    [[LARGEST_MAIL, LARGEST_MAIL + 14]],
  );
  await close();
});

test('the addresses are those that the delivering program wrote, not those further down', async () => {
  const { driver, put, close } = await opened();
  await driver.open(async () => {});
  await driver.close();
  await put(
    'Return-Path: <>\r\nDelivered-To: a@hosting.example\r\nReturn-Path: <b@evil.example>\r\nDelivered-To: c@evil.example\r\n\r\nx',
  );
  const mails: ReceivedMail[] = [];
  await driver.look(async (mail) => void mails.push(mail));
  assert.deepEqual(
    mails.map(({ sender, recipient }) => [sender, recipient]),
    [['', 'a@hosting.example']],
  );
  await close();
});
