import { printAmount } from '../base/money.ts';
import { wireTime } from '../base/time.ts';
import { customerNumber } from '../business/core/accounts/customer.ts';
import type { Command } from '../command.ts';
import { openInstallation } from '../installation.ts';

const PAGE = 1000;

export const command: Command = {
  name: 'customer list',
  summary: 'List customers: number, uuid, state, balance, since when, e-mail address',
  usage: '',
  flags: {},
  async run({ config, print }) {
    const installation = await openInstallation(config, 'customer');
    try {
      let after = 0n;
      for (;;) {
        const rows = await installation.readPool.kysely
          .selectFrom('accounts as a')
          .innerJoin('users as u', (join) =>
            join.onRef('u.account_id', '=', 'a.id').on('u.role', '=', 'owner'),
          )
          .select(['a.id', 'a.number', 'a.state', 'a.balance', 'a.currency', 'a.created_at', 'u.email'])
          .where('a.number', '>', after)
          .orderBy('a.number')
          .limit(PAGE)
          .execute();
        for (const row of rows) {
          const columns = [
            customerNumber(row.number),
            row.id,
            row.state,
            printAmount(row.balance, row.currency),
          ];
          print([...columns, wireTime(row.created_at), row.email].join('\t'));
        }
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE) return;
        after = last.number;
      }
    } finally {
      await installation.close();
    }
  },
};
