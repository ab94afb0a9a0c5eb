import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { printRoot } from '../../business/core/ledger/file.ts';
import { ledgerHead, signedHead } from '../../business/core/ledger/head.ts';
import { journal, journalLine, seqOf } from '../../business/core/ledger/journal.ts';
import { rootCovering } from '../../business/core/ledger/root.ts';
import { operation } from '../../operation.ts';
import {
  journalEntry,
  provenRoot,
  signedHead as signedHeadShape,
  wireJournalEntry,
} from './ledger.schema.ts';

const MOST_LINES = 1000n;

export default operation({
  method: 'GET',
  path: 'account/ledger-proof',
  summary: 'That an entry was booked, provable to anybody',
  description:
    'Leads from the entry along the chain to your head in the first daily root that was signed after it, and from ' +
    'there to the root. Until the night after the booking `root` is null, and the signed head stands for it. ' +
    'The entries between are shown too, since each hash is of what an entry says.',
  audience: 'customer',
  scope: 'account:read',
  input: z.strictObject({ uuid: uuid.describe('The `transaction_uuid`.') }),
  output: z.object({
    entry: journalEntry,
    lines: z
      .array(z.string())
      .describe('What the hashes are of: the entry’s own, then of those after it; at most 1,000.'),
    next_seq: z
      .int()
      .nullable()
      .describe('Where `account/ledger` with `format: file` goes on when there are more lines; else null.'),
    head: signedHeadShape.nullable().describe('Of now; only without a root.'),
    root: provenRoot.nullable(),
  }),
  message: { en: 'This proves the entry.', de: 'Das beweist die Buchung.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async read(ctx, input) {
    const { accountId } = ctx.caller;
    const seq = await seqOf(ctx.db, accountId, input.uuid);
    if (seq === null) throw ctx.refusal('not_found');
    const [head, root] = await Promise.all([
      ledgerHead(ctx.db, accountId),
      rootCovering(ctx.db, accountId, seq),
    ]);
    const end = root?.seq ?? head.seq;
    const most = seq + MOST_LINES - 1n;
    const last = end < most ? end : most;
    const entries = await journal(ctx.db, accountId, { first: seq, last });
    const [entry] = entries;
    if (entry === undefined) throw new Error(`entry ${seq} of ${accountId} does not exist`);
    return {
      entry: wireJournalEntry(entry),
      lines: entries.map(journalLine),
      next_seq: last < end ? Number(last + 1n) : null,
      head: root === null ? signedHead(ctx.signer, head, ctx.now) : null,
      root: printRoot(root),
    };
  },
});
