import { utcDay } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import { upkeepJob } from '../../../work/job.ts';
import { merkleRoot } from '../merkle.ts';

const heads = statement<{ id: string; ledger_seq: bigint; ledger_hash: Buffer }>(
  'ledger_heads',
  'SELECT id, ledger_seq, ledger_hash FROM accounts WHERE ledger_seq > 0 ORDER BY id',
);
const keep = statement<{ day: string }>(
  'keep_ledger_root',
  `INSERT INTO ledger_roots (day, accounts, root, key_id, signature, created_at) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (day) DO NOTHING RETURNING day`,
);

/**
 * Signs, once a day, one hash over the heads of all customers' chains (rule B4). Whoever cuts a chain off or
 * computes one anew afterwards no longer fits a root that was signed, and copied, before.
 */
export default upkeepJob({
  name: 'ledger.sign-heads',
  schedule: '5 0 * * *',
  async run(pool, { now, signer }) {
    const rows = await pool.run(heads, []);
    const root = merkleRoot(
      rows.map((row) => ({ account: row.id, seq: row.ledger_seq, hash: row.ledger_hash })),
    );
    const day = utcDay(now);
    const signature = signer.sign(Buffer.from(`hostkeep-root-1 ${day} ${root.toString('hex')}`));
    await pool.run(keep, [day, rows.length, root, signer.keyId, signature, now]);
  },
});
