import { statement } from '../../../db/statement.ts';
import { inUnitOfWork, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { consult, recordConsultation } from '../tax/consultation.ts';
import { retax } from '../tax/retax.ts';
import { taxTerritory } from '../tax/territory.ts';
import { vatStatus } from '../tax/vat-standing.ts';
import { addressOf, storeVatStatus } from './address.ts';

const DEADLINE_MS = 10_000;
const AT_ONCE = 50;
/** Long before a confirmation ends, so that the register may be away for weeks. */
const CONFIRMED_FOR_DAYS = 60;
const HOURS_PER_DAY = 24;
/** Shorter than the schedule and than a day, so that a run that began late does not skip the next. */
const UNAVAILABLE_MINUTES = 45;
const DAILY_HOURS = 23;

interface Due {
  readonly account_id: string;
  readonly vat_id: string;
}

// Each row that was asked for is due no more in this run; `away` are the prefixes whose register did not answer in it.
const dueNumbers = statement<Due>(
  'due_vat_numbers',
  `SELECT b.account_id, b.vat_id FROM billing_addresses b JOIN accounts a ON a.id = b.account_id
   WHERE b.vat_state IN ('valid', 'unavailable') AND b.vat_checked_at <= $2
     AND a.state <> 'closed' AND left(b.vat_id, 2) <> ALL($1::text[])
     AND (b.vat_state = 'unavailable' OR b.vat_checked_at <= $3 AND NOT EXISTS (
       SELECT FROM vat_checks c
       WHERE c.account_id = b.account_id AND c.vat_id = b.vat_id AND c.checked_at > $4))
   ORDER BY b.vat_checked_at, b.account_id LIMIT ${AT_ONCE}`,
);

/**
 * Asks the register again: each hour for numbers that it could not say anything of, each day for those whose
 * confirmation grows old. One at a time, because it is everybody's; a member state that does not answer is left
 * alone until the next run.
 */
export default maintenanceJob({
  name: 'tax.recheck',
  schedule: '17 * * * *',
  async run(pool, { now, catalogs, log }, ports) {
    const away = new Set<string>();
    const before = [
      now.subtract({ minutes: UNAVAILABLE_MINUTES }),
      now.subtract({ hours: CONFIRMED_FOR_DAYS * HOURS_PER_DAY }),
      now.subtract({ hours: DAILY_HOURS }),
    ];
    const nextDue = () => pool.run(dueNumbers, [[...away], ...before]);
    for (let due = await nextDue(); due.length > 0; due = await nextDue()) {
      const catalog = await catalogs.newest(pool);
      for (const { account_id, vat_id } of due) {
        const prefix = vat_id.slice(0, 2);
        if (away.has(prefix)) continue;
        const consultation = await consult(ports.vat, vat_id, catalog, DEADLINE_MS);
        if (consultation.state === 'unavailable') away.add(prefix);
        await inUnitOfWork(pool, now, [account_id], async (tx, uow) => {
          const address = await addressOf(tx, account_id);
          // Changed since: whoever saved it has asked for the new number.
          if (address?.vat_id !== vat_id) return;
          await recordConsultation(tx, account_id, consultation, now);
          const standing = await vatStatus(tx, account_id, vat_id, now);
          await storeVatStatus(tx, account_id, standing, now);
          const customer = { country: taxTerritory(address), business: standing.state === 'valid' };
          await retax(tx, uow, lockedAccount(uow, account_id), customer, catalog);
        });
      }
    }
    if (away.size > 0) log.warn({ prefixes: [...away] }, 'VAT registers did not answer');
  },
});
