import { randomUUID } from 'node:crypto';
import { domainOf, isMailAddress } from '../base/mail-address.ts';
import { CatalogStore } from '../business/core/catalog/versions.ts';
import { paragraph } from '../business/notifications/mail/block.ts';
import { letter } from '../business/notifications/mail/email.ts';
import { renderEmail } from '../business/notifications/mail/render.ts';
import { senderOf } from '../business/notifications/mail/sender.ts';
import { type Command, UsageError } from '../command.ts';
import { BackendUnavailable } from '../drivers/outcome.ts';
import { openInstallation } from '../installation.ts';
import { openPorts } from '../ports.ts';

export const command: Command = {
  name: 'mail test',
  summary: 'Send a test mail, and tell what the mail server said',
  usage: '<address>',
  flags: {},
  async run({ config, words, tell }) {
    const [to] = words;
    if (to === undefined || !isMailAddress(to)) throw new UsageError('it takes an e-mail address');
    const installation = await openInstallation(config, 'mail-test');
    const catalogs = new CatalogStore(installation.readPool);
    const ports = await openPorts(installation, catalogs);
    try {
      const { seller } = await senderOf(installation.readPool, catalogs);
      const content = letter('en', {
        subject: 'Test mail from Hostkeep',
        name: '',
        blocks: [paragraph('If you can read this, Hostkeep can send mail.')],
        seller,
      });
      const domain = domainOf(config.mailFrom?.address ?? '@hostkeep.invalid');
      const messageId = `${randomUUID()}@${domain}`;
      const outcome = await ports.mail.send({ messageId, to, ...renderEmail(content) });
      if (outcome.kind === 'done')
        tell(
          config.smtp === undefined ? 'it is in the sandbox: hostkeep mails' : 'the mail server has taken it',
        );
      else
        throw new UsageError(
          `it was not sent: ${outcome.kind === 'refused' ? outcome.reason : outcome.step}`,
        );
    } catch (error) {
      if (!(error instanceof BackendUnavailable)) throw error;
      const { cause } = error;
      throw new UsageError(`it was not sent: ${cause instanceof Error ? cause.message : error.message}`);
    } finally {
      await ports.close();
      await installation.close();
    }
  },
};
