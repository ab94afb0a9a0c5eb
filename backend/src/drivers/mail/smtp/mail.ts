import { createTransport, type NodemailerError } from 'nodemailer';
import { isMailAddress, type Mailbox } from '../../../base/mail-address.ts';
import type { SmtpServer } from '../../../base/smtp-url.ts';
import { BackendUnavailable, type CommandOutcome } from '../../outcome.ts';
import type { MailConnection, MailMessage } from '../port.ts';

export interface SmtpOptions {
  readonly server: SmtpServer;
  /** Whom the mails are from; also the envelope's sender, where undeliverable mail is returned to. */
  readonly from: Mailbox;
  /** For one mail, everything included. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 60_000;
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
const CONNECTIONS = 5;

/** Mail by SMTP (RFC 5321) through the operator's server, over a few connections that stay open. */
export class SmtpMailer implements MailConnection {
  readonly #from: Mailbox;
  readonly #deadlineMs: number;
  readonly #transport: ReturnType<typeof openTransport>;

  constructor({ server, from, deadlineMs = DEADLINE_MS }: SmtpOptions) {
    this.#from = from;
    this.#deadlineMs = deadlineMs;
    this.#transport = openTransport(server);
  }

  async send(message: MailMessage): Promise<CommandOutcome<null>> {
    const { messageId, to, subject, text, html, references = [], replyTo } = message;
    if (!isMailAddress(to)) return { kind: 'refused', reason: 'this is no address' };
    const answered = references.at(-1);
    try {
      await this.#transport.sendMail({
        envelope: { from: this.#from.address, to: [to] },
        from: this.#from,
        // As an object: of a text, what looks like a list would become several recipients.
        to: { name: '', address: to },
        messageId: `<${messageId}>`,
        ...(answered === undefined
          ? {}
          : { inReplyTo: `<${answered}>`, references: references.map((id) => `<${id}>`) }),
        ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
        subject,
        text,
        html,
        // Lines of any length, and of any content, within what SMTP takes (998 octets).
        textEncoding: 'quoted-printable',
        // RFC 3834: nobody's automatic answer is to come back.
        headers: { 'Auto-Submitted': 'auto-generated' },
        xMailer: false,
        signal: AbortSignal.timeout(this.#deadlineMs),
      });
    } catch (error) {
      const reason = refusal(error as NodemailerError);
      if (reason !== null) return { kind: 'refused', reason };
      throw new BackendUnavailable('the mail server', error);
    }
    return { kind: 'done', result: null };
  }

  async problem(): Promise<string | null> {
    try {
      await this.#transport.verify();
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  close(): void {
    this.#transport.close();
  }
}

function openTransport({ host, port, encryption, login }: SmtpServer) {
  return createTransport({
    pool: true,
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    maxConnections: CONNECTIONS,
    // Once more by itself when a connection that was open turns out to be closed, before a byte of a mail was sent.
    maxRequeues: 1,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Why the server will never take this mail; null when it may later. Only what it says of the recipient and of the
 * mail counts: that it does not like our login or our sender is for the operator to set right, and then it is sent.
 */
function refusal({ command, permanent, message }: NodemailerError): string | null {
  return permanent === true && (command === 'RCPT TO' || command === 'DATA') ? message : null;
}
