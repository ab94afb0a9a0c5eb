// Slow: 4 s

import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { mailContract } from '../../../../test/contracts/mail.ts';
import { openMailServer, textOf } from '../../../../test/mail-server.ts';
import { BackendUnavailable } from '../../outcome.ts';
import { SmtpMailer, type SmtpOptions } from './mail.ts';

const FROM = { name: 'Müller & Söhne, Hosting', address: 'noreply@hosting.example' };
const MESSAGE = {
  messageId: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11@hosting.example',
  to: 'to@example.com',
  subject: 'A subject',
  text: 'A text.\n',
  html: '<p>A text.</p>',
};

type Server = Awaited<ReturnType<typeof openMailServer>>;

type Options = Partial<SmtpOptions & SmtpOptions['server']>;

function openMailer({ port }: Pick<Server, 'port'>, options: Options = {}) {
  const { from = FROM, deadlineMs = 5_000, encryption = 'none', login = null } = options;
  return new SmtpMailer({ server: { host: '127.0.0.1', port, encryption, login }, from, deadlineMs });
}

/** A mailer to a server, closed at the end. */
function mailerTo(server: Pick<Server, 'port'>, options: Options = {}) {
  const mailer = openMailer(server, options);
  after(() => mailer.close());
  return mailer;
}

async function serving(options: Parameters<typeof openMailServer>[0] = {}) {
  const server = await openMailServer(options);
  after(() => server.close());
  return server;
}

mailContract('smtp', async () => {
  const server = await openMailServer();
  const driver = openMailer(server);
  return {
    driver,
    arrived: async (to) =>
      server.to(to).map(({ parsed }) => ({
        messageId: parsed.messageId?.replace(/^<|>$/g, '') ?? '',
        to: parsed.to?.[0]?.address ?? '',
        subject: parsed.subject ?? '',
        text: textOf(parsed),
      })),
    async close() {
      driver.close();
      await server.close();
    },
  };
});

test('a mail says whom it is from, that a machine sent it (RFC 3834), and the same in text and HTML', async () => {
  const server = await serving();
  await mailerTo(server).send(MESSAGE);
  const [mail] = server.mails;
  assert.deepEqual(mail?.parsed.from, FROM);
  assert.equal(mail?.parsed.messageId, `<${MESSAGE.messageId}>`);
  assert.match(mail?.raw ?? '', /^Auto-Submitted: auto-generated\r$/m);
  assert.match(mail?.raw ?? '', /^Content-Type: multipart\/alternative;/m);
  assert.doesNotMatch(mail?.raw ?? '', /nodemailer/i);
  assert.equal(mail && textOf(mail.parsed), MESSAGE.text);
  assert.equal(mail?.parsed.html?.trim(), MESSAGE.html);
});

test('no line of a mail exceeds what SMTP takes, whatever it says', async () => {
  const server = await serving();
  const long = 'ü'.repeat(5_000);
  await mailerTo(server).send({
    ...MESSAGE,
    subject: long,
    text: `${long}\n${'x'.repeat(5_000)}`,
    html: `<p>${long}</p>`,
  });
  const [mail] = server.mails;
  assert.ok(mail !== undefined);
  for (const line of mail.raw.split('\r\n')) assert.ok(line.length <= 998, `${line.length} octets`);
  assert.doesNotMatch(mail.raw, /[^\r]\n/);
});

test('line breaks in names and subjects end no header and name no recipient', async () => {
  const server = await serving();
  const from = { name: 'Evil\r\nBcc: victim@example.com\r\nX-Name: 1', address: FROM.address };
  const subject = 'Hello\r\nX-Subject: 1\nX-Other: 1\rX-Third: 1\r\n\r\nbody';
  await mailerTo(server, { from }).send({ ...MESSAGE, subject });
  const [mail, second] = server.mails;
  assert.equal(second, undefined);
  const keys = mail?.parsed.headers.map(({ key }) => key) ?? [];
  assert.deepEqual(
    keys.filter((key) => key.startsWith('x-') || key === 'bcc'),
    [],
  );
  assert.equal(mail?.parsed.to?.length, 1);
  assert.equal(mail && textOf(mail.parsed), MESSAGE.text);
});

test('a message id with a line break makes no header either', async () => {
  const server = await serving();
  await mailerTo(server).send({ ...MESSAGE, messageId: 'a@b.example>\r\nX-Id: 1\r\nX-Rest: <c' });
  const keys = server.mails[0]?.parsed.headers.map(({ key }) => key) ?? [];
  assert.deepEqual(
    keys.filter((key) => key.startsWith('x-')),
    [],
  );
});

test('451 is no refusal: the mail is taken the next time', async () => {
  const server = await serving();
  const mailer = mailerTo(server);
  const message = { ...MESSAGE, to: 'later@example.com' };
  await assert.rejects(mailer.send(message), BackendUnavailable);
  assert.equal((await mailer.send(message)).kind, 'done');
  assert.equal(server.to(message.to).length, 1);
});

test('a connection that is cut after the mail and before the answer: sent again, it has the same message id', async () => {
  const server = await serving();
  const mailer = mailerTo(server);
  const message = { ...MESSAGE, to: 'cut@example.com' };
  await assert.rejects(mailer.send(message), BackendUnavailable);
  assert.equal((await mailer.send(message)).kind, 'done');
  const ids = server.to(message.to).map(({ parsed }) => parsed.messageId);
  assert.deepEqual(ids, [`<${MESSAGE.messageId}>`, `<${MESSAGE.messageId}>`]);
});

for (const [responseCode, kind] of [
  [554, 'refused'],
  [552, 'refused'],
  [451, 'unavailable'],
  [421, 'unavailable'],
] as const)
  test(`${responseCode} at the end of the mail: ${kind}`, async () => {
    const server = await serving({
      onData: (stream, _session, done) =>
        stream.resume().on('end', () => done(Object.assign(new Error('no'), { responseCode }))),
    });
    const sent = mailerTo(server).send(MESSAGE);
    if (kind === 'unavailable') await assert.rejects(sent, BackendUnavailable);
    else assert.equal((await sent).kind, 'refused');
  });

test('that the server does not take our sender is not held against the mail', async () => {
  const server = await serving({
    onMailFrom: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode: 550 })),
  });
  await assert.rejects(mailerTo(server).send(MESSAGE), BackendUnavailable);
});

test('a wrong password is not held against the mail, and is a problem that doctor can name', async () => {
  const server = await serving({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'me' && password === 'right'
        ? done(null, { user: 'me' })
        : done(new Error('Invalid login')),
  });
  const wrong = mailerTo(server, { login: { user: 'me', password: 'wrong-secret' } });
  await assert.rejects(wrong.send(MESSAGE), BackendUnavailable);
  const problem = await wrong.problem();
  assert.match(problem ?? '', /535/);
  assert.doesNotMatch(problem ?? '', /wrong-secret/);
  const right = mailerTo(server, { login: { user: 'me', password: 'right' } });
  assert.equal(await right.problem(), null);
  assert.equal((await right.send(MESSAGE)).kind, 'done');
});

test('without STARTTLS on offer, nothing is sent where it is required', async () => {
  const server = await serving();
  const mailer = mailerTo(server, { encryption: 'starttls' });
  await assert.rejects(mailer.send(MESSAGE), BackendUnavailable);
  assert.notEqual(await mailer.problem(), null);
  assert.deepEqual(server.mails, []);
});

test('a certificate that nobody vouches for is not accepted, with STARTTLS or TLS', async () => {
  const upgraded = await serving({ disabledCommands: [] });
  await assert.rejects(mailerTo(upgraded, { encryption: 'starttls' }).send(MESSAGE), BackendUnavailable);
  const wrapped = await serving({ secure: true });
  await assert.rejects(mailerTo(wrapped, { encryption: 'tls' }).send(MESSAGE), BackendUnavailable);
  assert.deepEqual([...upgraded.mails, ...wrapped.mails], []);
});

test('a server that says nothing is given up at the deadline', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', () => resolve()));
  const address = silent.address();
  if (address === null || typeof address === 'string') assert.fail('it has no port');
  await assert.rejects(mailerTo(address, { deadlineMs: 200 }).send(MESSAGE), BackendUnavailable);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

test('nobody listens: no outcome, and a problem', async () => {
  const server = await openMailServer();
  await server.close();
  const mailer = mailerTo(server);
  await assert.rejects(mailer.send(MESSAGE), BackendUnavailable);
  // Another process may have been given the port meanwhile: it is no mail server, and does not answer as one.
  assert.match((await mailer.problem()) ?? '', /ECONNREFUSED|timeout/i);
});

test('a connection is used for more than one mail', async () => {
  const server = await serving();
  const mailer = mailerTo(server);
  for (let count = 0; count < 5; count += 1)
    await mailer.send({ ...MESSAGE, to: `many+${count}@example.com` });
  assert.equal(server.mails.length, 5);
  assert.equal(server.sessions(), 1);
});
