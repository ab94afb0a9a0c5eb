import { printAmount } from '../../../base/money.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import { accountsMoved, monthOf } from './statement.ts';

const AT_ONCE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Mails the statement of the month that is over to every customer whose balance it moved: once, however often this
 * runs, because the mail's cause is the month. From noon (UTC) of the first day on, when the month is over in every
 * time zone, and twice more, in case no worker was running.
 */
export default maintenanceJob({
  name: 'statement.monthly',
  schedule: '20 12 1-3 * *',
  async run(pool, { now, catalogs }) {
    const timeZone = (await catalogs.newest(pool)).content.seller?.timezone ?? 'UTC';
    const last = now.toZonedDateTimeISO(timeZone).toPlainDate().toPlainYearMonth().subtract({ months: 1 });
    const month = monthOf(last, timeZone);
    for (let after = FIRST; ; ) {
      const accounts = await accountsMoved(pool, month, after, AT_ONCE);
      await inUnitOfWork(pool, now, [], async (_tx, uow) => {
        for (const account of accounts) {
          if (account.closing === null) continue;
          const { id, currency, opening, credit, debit, closing } = account;
          const print = (amount: bigint) => printAmount(amount, currency);
          queueMail(uow, {
            cause: `statement:${id}:${last}`,
            to: { accountId: id },
            template: 'statement.monthly',
            variables: {
              month: last.toString(),
              opening: print(opening),
              credit: print(credit),
              debit: print(debit),
              closing: print(closing),
            },
          });
        }
      });
      if (accounts.length < AT_ONCE) return;
      after = accounts.at(-1)?.id ?? after;
    }
  },
});
