import { maintenanceJob } from '../../../work/job.ts';
import { markNext } from './marks.ts';

/** A hundred thousand entries at once take about a second. */
const THOUSANDS = 100;

/** Marks the sums of each kind at each thousandth entry of an account. */
export default maintenanceJob({
  name: 'ledger.marks',
  schedule: '23 * * * *',
  async run(pool) {
    while (await markNext(pool, THOUSANDS));
  },
});
