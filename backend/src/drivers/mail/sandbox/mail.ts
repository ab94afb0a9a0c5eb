import type { Clock } from '../../../base/clock.ts';
import { isMailAddress } from '../../../base/mail-address.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { BackendUnavailable, type CommandOutcome } from '../../outcome.ts';
import type { MailConnection, MailMessage } from '../port.ts';

const keep = statement<object>(
  'sandbox_keep_mail',
  `INSERT INTO sandbox.mails (message_id, recipient, subject, body, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (message_id) DO NOTHING`,
);

/**
 * Mail that goes nowhere: it is kept for `hostkeep mails` to show. What happens to it follows from the address, so
 * that failures can be tried out: before the @ (or before a `+`), `refused` is refused, `unavailable` never answers, and
 * `lost` takes the mail without saying so.
 */
export class SandboxMailer implements MailConnection {
  readonly #db: Executor;
  readonly #clock: Clock;

  constructor({ db, clock }: { db: Executor; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  async send(message: MailMessage): Promise<CommandOutcome<null>> {
    const { messageId, to, subject, text } = message;
    if (!isMailAddress(to)) return { kind: 'refused', reason: 'this is no address' };
    const reaction = /^[^@+]*/.exec(to)?.[0];
    if (reaction === 'refused') return { kind: 'refused', reason: 'the sandbox knows no such recipient' };
    if (reaction === 'unavailable') throw new BackendUnavailable('the sandbox of the mail port');
    await this.#db.run(keep, [messageId, to, subject, text, this.#clock.now()]);
    if (reaction === 'lost') throw new BackendUnavailable('the sandbox of the mail port');
    return { kind: 'done', result: null };
  }

  async problem(): Promise<null> {
    return null;
  }

  close(): void {}
}
