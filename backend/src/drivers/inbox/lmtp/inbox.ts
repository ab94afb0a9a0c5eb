import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Listening } from '../../../base/listening.ts';
import { authenticatedDomain, type Trust } from '../authentication.ts';
import { headerLines } from '../header.ts';
import { type Inbox, type IsTaken, LARGEST_MAIL, type TakeMail } from '../port.ts';

export interface LmtpOptions {
  readonly listen: Listening;
  readonly trust: Trust;
  readonly onFailure: (failure: unknown) => void;
}

const MOST_CLIENTS = 20;

/** Takes mail by LMTP (RFC 2033) from our own mail server, which keeps it until it is told that we have it. */
export class LmtpInbox implements Inbox {
  readonly #options: LmtpOptions;
  #server: SMTPServer | null = null;

  constructor(options: LmtpOptions) {
    this.#options = options;
  }

  /** Where it listens. */
  get port(): number {
    return (this.#server?.server.address() as AddressInfo | null | undefined)?.port ?? 0;
  }

  async open(take: TakeMail, isTaken: IsTaken = () => true): Promise<void> {
    const { listen, trust, onFailure } = this.#options;
    const server = new SMTPServer({
      lmtp: true,
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      size: LARGEST_MAIL,
      maxClients: MOST_CLIENTS,
      closeTimeout: 5_000,
      onRcptTo({ address }, _session, done) {
        done(isTaken(address) ? null : answer(550, '5.1.1 nobody reads mail to this address'));
      },
      async onData(stream, session, done) {
        try {
          const chunks: Buffer[] = [];
          let size = 0;
          for await (const chunk of stream) {
            size += (chunk as Buffer).length;
            if (size <= LARGEST_MAIL) chunks.push(chunk);
          }
          if (size > LARGEST_MAIL || stream.sizeExceeded)
            return done(answer(552, '5.3.4 the mail is too large'));
          const content = Buffer.concat(chunks);
          const authenticated = authenticatedDomain(headerLines(content), trust);
          const sender = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
          // One after another: every recipient is a ticket of its own.
          for (const { address } of session.envelope.rcptTo)
            await take({ content, size, sender, recipient: address, authenticatedDomain: authenticated });
          done();
        } catch (failure) {
          onFailure(failure);
          done(answer(451, '4.3.0 not now'));
        }
      },
    });
    // A client that went away.
    server.on('error', onFailure);
    await new Promise<void>((resolve, reject) => {
      server.server.once('error', reject);
      server.listen(listen.port, listen.host, () => resolve());
    });
    this.#server = server;
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server !== null) await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

function answer(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
