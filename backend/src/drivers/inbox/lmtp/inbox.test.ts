import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTHSERV, inboxContract } from '../../../../test/contracts/inbox.ts';
import { speakLmtp } from '../../../../test/lmtp.ts';
import { LARGEST_MAIL, type ReceivedMail } from '../port.ts';
import { LmtpInbox } from './inbox.ts';

function opened() {
  const failures: unknown[] = [];
  const driver = new LmtpInbox({
    listen: { host: '127.0.0.1', port: 0 },
    trust: { authserv: AUTHSERV, hops: 0 },
    onFailure: (failure) => failures.push(failure),
  });
  return { driver, failures };
}

inboxContract('lmtp', async () => {
  const { driver } = opened();
  return {
    driver,
    async deliver(mail, { sender, recipient }) {
      await speakLmtp(driver.port, sender, [recipient], mail);
    },
    close: async () => {},
  };
});

const MAIL = 'From: a@b.example\r\n\r\nx';

test('a mail is acknowledged when it is kept, and put off when it is not', async () => {
  const { driver, failures } = opened();
  let works = false;
  await driver.open(async () => {
    if (!works) throw new Error('the database is away');
  });
  assert.equal((await speakLmtp(driver.port, 'a@b.example', ['c@d.example'], MAIL)).at(-1), '451');
  works = true;
  assert.equal((await speakLmtp(driver.port, 'a@b.example', ['c@d.example'], MAIL)).at(-1), '250');
  assert.equal(failures.length, 1);
  await driver.close();
});

test('a mail to two recipients comes for each, and each is answered', async () => {
  const { driver } = opened();
  const mails: ReceivedMail[] = [];
  await driver.open(async (mail) => void mails.push(mail));
  const codes = await speakLmtp(driver.port, 'a@b.example', ['c@d.example', 'e@f.example'], MAIL);
  assert.deepEqual(codes.slice(-2), ['250', '250']);
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    ['c@d.example', 'e@f.example'],
  );
  await driver.close();
});

test('a recipient whose mail is not taken is refused before its mail is sent, and the others are not', async () => {
  const { driver } = opened();
  const mails: ReceivedMail[] = [];
  await driver.open(
    async (mail) => void mails.push(mail),
    (recipient) => !recipient.includes('+wrong'),
  );
  const codes = await speakLmtp(driver.port, 'a@b.example', ['c+wrong@d.example', 'c+right@d.example'], MAIL);
  assert.ok(codes.includes('550'), codes.join());
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    ['c+right@d.example'],
  );
  await driver.close();
});

test('a mail that is too large is refused for good, so that its sender is told', async () => {
  const { driver } = opened();
  const mails: ReceivedMail[] = [];
  await driver.open(async (mail) => void mails.push(mail));
  const large = `From: a@b.example\r\n\r\n${'x'.repeat(70)}\r\n`.padEnd(
    LARGEST_MAIL + 1000,
    `${'y'.repeat(70)}\r\n`,
  );
  assert.equal((await speakLmtp(driver.port, 'a@b.example', ['c@d.example'], large)).at(-1), '552');
  assert.deepEqual(mails, []);
  await driver.close();
});

test('an address that is taken already is told at once', async () => {
  const { driver } = opened();
  await driver.open(async () => {});
  const second = new LmtpInbox({
    listen: { host: '127.0.0.1', port: driver.port },
    trust: { authserv: null, hops: 0 },
    onFailure: () => {},
  });
  await assert.rejects(
    second.open(async () => {}),
    /EADDRINUSE/,
  );
  await driver.close();
});
