import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as a server got it: the envelope's recipient, the bytes, and what a reader's program makes of them. */
export interface ServedMail {
  readonly to: string;
  readonly raw: string;
  readonly parsed: Email;
}

/**
 * A mail server on this machine. What it does follows from the address, before the @ or a `+`: `refused` is refused
 * (550), `unavailable` is put off (451), `lost` is taken and the connection cut before that is said; `later` and `cut`
 * do so the first time, and then take the mail as any other.
 */
export async function openMailServer(options: SMTPServerOptions = {}) {
  const mails: ServedMail[] = [];
  const sockets = new Map<number, Socket>();
  const seen = new Set<string>();
  let sessions = 0;
  const first = (address: string) => !seen.has(address) && seen.add(address);

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onConnect(_session, done) {
      sessions += 1;
      done();
    },
    onRcptTo({ address }, _session, done) {
      const reaction = reactionOf(address);
      if (reaction === 'refused') return done(answer(550, '5.1.1 no such mailbox'));
      if (reaction === 'unavailable' || (reaction === 'later' && first(address)))
        return done(answer(451, '4.7.1 greylisted, try again'));
      done();
    },
    async onData(stream, session, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const raw = Buffer.concat(chunks);
      const parsed = await PostalMime.parse(raw);
      const [recipient] = session.envelope.rcptTo;
      const to = recipient?.address ?? '';
      mails.push({ to, raw: raw.toString('latin1'), parsed });
      const reaction = reactionOf(to);
      if (reaction === 'lost' || (reaction === 'cut' && first(to)))
        sockets.get(session.remotePort)?.destroy();
      else done();
    },
    ...options,
  });
  // Connections that are cut, by either side, are what the tests are about.
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => sockets.set(socket.remotePort ?? 0, socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;

  return {
    port,
    mails,
    /** How many connections there have been. */
    sessions: () => sessions,
    to: (address: string) => mails.filter((mail) => mail.to === address),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The plain text, less the line break that the parser adds at its end. */
export function textOf({ text = '' }: Email): string {
  return text.replace(/\n$/, '');
}

function reactionOf(address: string): string {
  return /^[^@+]*/.exec(address)?.[0] ?? '';
}

function answer(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
