import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs } from '../../../../test/cpu-time.ts';
import { LARGEST_MAIL } from '../../../drivers/inbox/port.ts';
import { headLength, readBeginning, readHead, readMail } from './incoming-mail.ts';

const from = async (value: string) =>
  (await readHead(Buffer.from(`From: ${value}\r\nSubject: x\r\n\r\nhello`), 'a@b.example')).from;

test('From is one mailbox with or without a name', async () => {
  for (const value of [
    'ada@c.example',
    '<Ada@c.example>',
    'Ada <ada@c.example>',
    '"Lovelace, Ada" <ada@c.example>',
    '"A \\" < b@d.example" <ada@c.example>',
    '=?utf-8?q?mallory=40c.example?= <ada@C.example>',
    'Ada\r\n <ada@c.example>',
  ])
    assert.equal(await from(value), 'ada@c.example', value);
});

test('From with several mailboxes, a group, or anything behind the address is nobody', async () => {
  for (const value of [
    'ada@c.example, eve@evil.example',
    'eve@evil.example, ada@c.example',
    '<ada@c.example>, <eve@evil.example>',
    'Ada <ada@c.example>, Eve <eve@evil.example>',
    '<ada@c.example> <eve@evil.example>',
    'ada@c.example eve@evil.example',
    'ada@c.example <eve@evil.example>, x',
    'friends: ada@c.example;',
    'friends: ada@c.example, eve@evil.example;',
    '<ada@c.example> eve',
    'ada@c.example (eve@evil.example)',
    'ada@c.example\r\nFROM: eve@evil.example',
    '"ada@c.example',
    `${'a'.repeat(2000)} <ada@c.example>`,
    '',
  ])
    assert.equal(await from(value), null, value);
});

test('hostile mails are read in time proportional to their size', async () => {
  const head = 'From: a@evil.example\r\nContent-Type: text/html\r\n\r\n';
  // Each took minutes or more when lines were trimmed by a search from every space on.
  for (const body of [' '.repeat(1_000_000), `${'\t '.repeat(500_000)}x`, '<p '.repeat(300_000)]) {
    const mail = Buffer.from(`${head}<p>x${body}y</p>`);
    assert.ok((await cpuMs(() => readMail(mail, 'a@evil.example'))) < 5_000, body.slice(0, 4));
  }
});

test('a mail of more lines than people write is not read: each costs, and nothing else goes on meanwhile', async () => {
  for (const line of ['\r\n', 'a \r\n', '--x\r\n\r\n']) {
    const head = 'From: a@b.example\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n';
    const mail = Buffer.from(head + line.repeat(2_000_000));
    const cost = await cpuMs(() => assert.rejects(readMail(mail, 'a@b.example'), RangeError));
    assert.ok(cost < 5_000, line);
  }
  // The largest that is taken, as programs write it.
  assert.ok(LARGEST_MAIL / 78 < 300_000);
});

test('of a text no more is read than a message could hold many times over', async () => {
  for (const type of ['plain', 'html']) {
    const mail = `From: a@b.example\r\nContent-Type: text/${type}\r\n\r\n${'word '.repeat(1_000_000)}`;
    assert.ok((await readMail(Buffer.from(mail), 'a@b.example')).text.length <= 256 * 1024);
  }
});

test('the header alone, and the beginning, leave the rest of a mail unread', async () => {
  const head = Buffer.from('From: a@b.example\r\nSubject: x\r\n\r\n');
  assert.equal(headLength(Buffer.concat([head, Buffer.from('a\n\nb')])), head.length);
  assert.equal(headLength(Buffer.from('\r\nFrom: a@b.example')), 2);
  assert.equal(headLength(Buffer.alloc(1_000_000, 'a')), 256 * 1024);
  const { text } = await readBeginning(Buffer.concat([head, Buffer.alloc(1_000_000, 'a')]), 'a@b.example');
  assert.equal(text.length, 64 * 1024);
  // What nests too deeply cannot be read whole; its header can.
  let nested = 'Content-Type: text/plain\r\n\r\nx';
  for (let depth = 0; depth < 60; depth += 1)
    nested = `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${nested}\r\n--b${depth}--`;
  const mail = Buffer.from(`From: a@b.example\r\n${nested}`);
  await assert.rejects(readMail(mail, 'a@b.example'));
  assert.deepEqual(await readBeginning(mail, 'a@b.example'), {
    ...(await readHead(mail, 'a@b.example')),
    text: '',
    files: [],
  });
});
