import { CatalogStore } from '../business/core/catalog/versions.ts';
import { receiveWebhook } from '../business/selling/payments/webhook.ts';
import { type Command, UsageError } from '../command.ts';
import { openInstallation } from '../installation.ts';
import { openPorts } from '../ports.ts';

const HAPPENINGS = ['pay', 'decline', 'refund', 'dispute', 'win'] as const;

export const command: Command = {
  name: 'sandbox payment',
  summary: 'Let something happen to a sandbox payment: play the customer, or their bank',
  usage: `<ref> ${HAPPENINGS.join('|')}`,
  flags: {},
  async run({ config, words, print }) {
    const [ref, word] = words;
    const happening = HAPPENINGS.find((known) => known === word);
    if (ref === undefined || happening === undefined || words.length > 2)
      throw new UsageError(`give the payment's reference, and one of ${HAPPENINGS.join(', ')}`);
    const installation = await openInstallation(config, 'sandbox');
    try {
      const { readPool, writePool, clock, log } = installation;
      const catalogs = new CatalogStore(readPool);
      await catalogs.newest(readPool);
      const ports = await openPorts(installation, catalogs);
      try {
        const provider = ports.payment.provider('sandbox');
        if (provider === null)
          throw new UsageError('there is no play money here: the catalogue does not offer it');
        const webhook = await ports.sandboxPayments.happen(ref, happening);
        if (webhook === null) throw new UsageError(`no payment ${ref} is in a state for that`);
        await receiveWebhook(writePool, webhook, { method: 'sandbox', provider, now: clock.now(), log });
        print(JSON.stringify(JSON.parse(webhook.body.toString('utf8')).payment));
      } finally {
        await ports.close();
      }
    } finally {
      await installation.close();
    }
  },
};
