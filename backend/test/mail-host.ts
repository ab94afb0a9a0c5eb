// Needs: mail

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { createTransport, type SendMailOptions } from 'nodemailer';
import PostalMime, { type Email } from 'postal-mime';
import { until } from './until.ts';
import { freePort, running } from './web-host.ts';

/** The name by which the operator's mail server signs its Authentication-Results. */
export const AUTHSERV = 'mx.hosting.example';
/** Where mail of the customers' domain, example.com, may come from. */
export const PROVIDER = '127.0.0.2';
/** Where it may not. */
export const ELSEWHERE = '127.0.0.3';

const NOBODY = { uid: 65_534, gid: 65_534 };
const PASSWORD = 'of-the-mailbox';

/**
 * A mail server as an operator has one, of Debian's programs: OpenSMTPD for hosting.example, which checks who sends and
 * hands over what is for support@ with anything behind a `+` by LMTP; and the customers' mailbox, of everybody at
 * example.com, which Dovecot shows. Children of this process on ports of 127.0.0.1, gone when the test file ends.
 */
export async function openMailHost({
  smtpPort,
  lmtpPort,
}: {
  readonly smtpPort: number;
  readonly lmtpPort: number;
}) {
  requireMailHost();
  const directory = await mkdtemp('/var/lib/hostkeep-test-mail-');
  const started: ChildProcess[] = [];
  after(async () => {
    for (const child of started) await ended(child);
    await rm(directory, { recursive: true, force: true });
  });
  await chmod(directory, 0o755);
  for (const name of ['spool', 'run', 'box', 'dovecot']) await mkdir(join(directory, name));
  await chown(join(directory, 'box'), NOBODY.uid, NOBODY.gid);
  const imapPort = await freePort();
  const write = (name: string, lines: readonly string[]) =>
    writeFile(join(directory, name), `${lines.join('\n')}\n`);
  await write('smtpd.conf', smtpdConfiguration(directory, smtpPort, lmtpPort));
  await write('dovecot.conf', dovecotConfiguration(directory, imapPort));
  const start = (file: string, ...given: readonly string[]) =>
    started.push(spawn(file, given, { stdio: 'ignore' }));
  // Its queue and its socket have places that cannot be named: here they are others.
  const placed =
    'mount --bind "$0/spool" /var/spool && mount --bind "$0/run" /run && exec smtpd -d -f "$0/smtpd.conf"';
  start('unshare', '--mount', '--propagation', 'private', 'sh', '-c', placed, directory);
  start('dovecot', '-F', '-c', join(directory, 'dovecot.conf'));
  await Promise.all([smtpPort, imapPort].map(listening));

  /** Sends a mail as somebody's provider does, from an address of its own. */
  async function send(mail: SendMailOptions, from: typeof PROVIDER | typeof ELSEWHERE): Promise<void> {
    const transport = createTransport({
      host: '127.0.0.1',
      port: smtpPort,
      localAddress: from,
      ignoreTLS: true,
      disableFileAccess: true,
    });
    await transport.sendMail(mail);
    transport.close();
  }

  const fetched: Email[] = [];
  /** The mailbox's mails, the oldest first. */
  async function mailbox(): Promise<readonly Email[]> {
    for (;;) {
      const url = `imap://127.0.0.1:${imapPort}/INBOX;MAILINDEX=${fetched.length + 1}`;
      const { code, stdout } = await running(['curl', '-s', '--user', `everybody:${PASSWORD}`, url]);
      if (code !== 0) return fetched;
      fetched.push(await PostalMime.parse(stdout));
    }
  }

  return { send, mailbox };
}

function requireMailHost(): void {
  assert.equal(process.getuid?.(), 0, 'these tests must run as root');
  const missing = ['smtpd', 'dovecot', 'unshare', 'curl'].filter(
    (name) => spawnSync('which', [name]).status !== 0,
  );
  assert.deepEqual(missing, [], 'run scripts/install.sh tests');
}

function smtpdConfiguration(directory: string, port: number, lmtpPort: number): string[] {
  const filter = [process.execPath, join(import.meta.dirname, 'mail-host/dmarc-filter.ts'), AUTHSERV];
  const user = (home: string) => `"${NOBODY.uid}:${NOBODY.gid}:${join(directory, home)}"`;
  return [
    `table users { "support" = ${user('run')}, "everybody" = ${user('box')} }`,
    'table ours { "support@hosting.example" = "support" }',
    'table theirs { "@example.com" = "everybody" }',
    `filter "dmarc" proc-exec "${filter.join(' ')} example.com=${PROVIDER}" user root group root`,
    `listen on 127.0.0.1 port ${port} hostname ${AUTHSERV} filter "dmarc"`,
    `action "hostkeep" lmtp "127.0.0.1:${lmtpPort}" rcpt-to userbase <users> virtual <ours>`,
    `action "mailbox" maildir "${join(directory, 'box/Maildir')}" userbase <users> virtual <theirs>`,
    'match from any for domain "hosting.example" action "hostkeep"',
    'match from any for domain "example.com" action "mailbox"',
  ];
}

function dovecotConfiguration(directory: string, port: number): string[] {
  const own = join(directory, 'dovecot');
  return [
    `base_dir = ${own}`,
    `state_dir = ${own}`,
    `log_path = ${join(own, 'log')}`,
    'protocols = imap',
    'listen = 127.0.0.1',
    'ssl = no',
    'disable_plaintext_auth = no',
    'default_internal_user = nobody',
    'default_internal_group = nogroup',
    'default_login_user = nobody',
    'first_valid_uid = 1',
    `mail_location = maildir:${join(directory, 'box/Maildir')}`,
    `service imap-login {\n  chroot =\n  inet_listener imap {\n    port = ${port}\n  }\n}`,
    'service anvil {\n  chroot =\n}',
    `passdb {\n  driver = static\n  args = password=${PASSWORD}\n}`,
    `userdb {\n  driver = static\n  args = uid=${NOBODY.uid} gid=${NOBODY.gid} home=${join(directory, 'box')}\n}`,
  ];
}

async function listening(port: number): Promise<void> {
  const connects = async () => {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return null;
    } finally {
      socket.destroy();
    }
  };
  await until(connects, () => `nothing listens at port ${port}`, 25);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
