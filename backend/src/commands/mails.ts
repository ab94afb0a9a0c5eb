import type { Instant } from '../base/time.ts';
import { wireTime } from '../base/time.ts';
import { type Command, UsageError } from '../command.ts';
import { openInstallation } from '../installation.ts';

const DEFAULT_COUNT = 5;

export const command: Command = {
  name: 'mails',
  summary: 'Show the newest mails of the sandbox, the last one at the end',
  usage: '[<how many>]',
  flags: {},
  async run({ config, words, print, tell }) {
    const count = Number(words[0] ?? DEFAULT_COUNT);
    if (!Number.isInteger(count) || count < 1 || count > 1_000)
      throw new UsageError('it takes a number from 1 to 1000');
    const installation = await openInstallation(config, 'mails');
    try {
      const { rows } = await installation.readPool.pg.query<{
        recipient: string;
        subject: string;
        body: string;
        created_at: Instant;
      }>(
        `SELECT recipient, subject, body, created_at FROM sandbox.mails
         ORDER BY created_at DESC, message_id DESC LIMIT $1`,
        [count],
      );
      for (const { recipient, subject, body, created_at } of rows.reverse())
        print(
          `Date: ${wireTime(created_at)}\nTo: ${recipient}\nSubject: ${subject}\n\n${body}\n${'='.repeat(72)}`,
        );
      if (config.smtp !== undefined) tell('mails go to the server of HOSTKEEP_SMTP_URL, not to the sandbox');
      else if (rows.length === 0) tell('no mail was sent yet');
    } finally {
      await installation.close();
    }
  },
};
