import { utcDay } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { type ChainHead, merkleRoot, treeHash } from './merkle.ts';
import { SUBTREE } from './root.ts';

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

// One at a time: a second run of a day would count heads that the first did not sign.
const begin = statement<{ locked: string }>(
  'begin_ledger_root',
  `SELECT pg_advisory_xact_lock(hashtextextended('ledger_roots', 0))::text AS locked`,
);
const signed = statement<{ day: string }>(
  'find_ledger_root',
  'SELECT day FROM ledger_roots WHERE day >= $1 LIMIT 1',
);
// Reads the next heads and keeps those that have moved since they were last kept, by one snapshot.
const nextHeads = statement<ChainHead>(
  'next_ledger_heads',
  `WITH page AS MATERIALIZED (
     SELECT id, ledger_seq, ledger_hash FROM accounts WHERE id > $1 AND ledger_seq > 0 ORDER BY id LIMIT ${SUBTREE}),
   kept AS (
     INSERT INTO ledger_heads (account_id, day, seq) SELECT id, $2, ledger_seq FROM page
     WHERE ledger_seq IS DISTINCT FROM
       (SELECT seq FROM ledger_heads h WHERE h.account_id = page.id ORDER BY h.day DESC LIMIT 1))
   SELECT id AS account, ledger_seq AS seq, ledger_hash AS hash FROM page ORDER BY id`,
);
const keep = statement<object>(
  'keep_ledger_root',
  `INSERT INTO ledger_roots (day, accounts, root, subtrees, subtree_starts, key_id, signature, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/**
 * Signs, once a day, one hash over the heads of all customers' chains (rule B4). Whoever cuts a chain off or
 * computes one anew afterwards no longer fits a root that was signed, and copied, before. What it takes to prove
 * an account's head against the root is kept: the heads that have moved, and the hashes of subtrees.
 */
export default maintenanceJob({
  name: 'ledger.sign-heads',
  schedule: '5 0 * * *',
  async run(pool, { now, signer }) {
    const day = utcDay(now);
    await transaction(pool, async (tx) => {
      await tx.run(begin, []);
      if ((await tx.run(signed, [day])).length > 0) return;
      const subtrees: Buffer[] = [];
      const starts: string[] = [];
      let accounts = 0;
      // Each account's head is of the moment that its page is read: what matters is that it is one.
      for (let after = BEFORE_ALL; ; ) {
        const heads = await tx.run(nextHeads, [after, day]);
        const [first, last] = [heads[0], heads.at(-1)];
        if (first === undefined || last === undefined) break;
        subtrees.push(merkleRoot(heads));
        starts.push(first.account);
        accounts += heads.length;
        after = last.account;
        if (heads.length < SUBTREE) break;
      }
      const root = treeHash(subtrees);
      const signature = signer.sign(Buffer.from(`hostkeep-root-1 ${day} ${root.toString('hex')}`));
      await tx.run(keep, [
        day,
        accounts,
        root,
        Buffer.concat(subtrees),
        starts,
        signer.keyId,
        signature,
        now,
      ]);
    });
  },
});
