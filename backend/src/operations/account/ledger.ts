import { z } from 'zod';
import { currency } from '../../api/field.ts';
import { fileEnd, fileHeader, fileLines } from '../../business/core/ledger/file.ts';
import { ledgerHead, signedHead } from '../../business/core/ledger/head.ts';
import { journal } from '../../business/core/ledger/journal.ts';
import { operation } from '../../operation.ts';
import { journalEntry, signedHead as signedHeadShape, wireJournalEntry } from './ledger.schema.ts';

export default operation({
  method: 'GET',
  path: 'account/ledger',
  summary: 'The journal behind your balance: double entry, chained by hashes',
  description:
    'Oldest first. With `format: file` each page is a part of a file that proves itself: the first begins with ' +
    'its header, the last ends with the signed head, and all of them together are the file.',
  audience: 'customer',
  scope: 'account:read',
  input: z.strictObject({
    from_seq: z.int().min(1).default(1),
    per_page: z.int().min(1).max(1000).default(100),
    format: z.enum(['json', 'file']).default('json'),
  }),
  output: z.object({
    currency,
    entries: z.array(journalEntry).optional().describe('With `format: json`.'),
    file: z.string().optional().describe('With `format: file`: JSON Lines, this part of them.'),
    head: signedHeadShape,
    next_seq: z.int().nullable().describe('Where the next page begins; null: this was the last.'),
  }),
  message: { en: 'This is your ledger.', de: 'Das ist Ihr Kassenbuch.' },
  errors: [],
  example: { input: { from_seq: 1, per_page: 1000, format: 'file' } },
  async read(ctx, input) {
    const head = await ledgerHead(ctx.db, ctx.caller.accountId);
    const first = BigInt(input.from_seq);
    const end = first + BigInt(input.per_page) - 1n;
    const range = { first, last: end < head.seq ? end : head.seq };
    const complete = end >= head.seq;
    const page = {
      currency: head.currency,
      head: signedHead(ctx.signer, head, ctx.now),
      next_seq: complete ? null : Number(end + 1n),
    };
    if (input.format === 'json') {
      return { ...page, entries: (await journal(ctx.db, head.account, range)).map(wireJournalEntry) };
    }
    const [lines, last] = await Promise.all([
      fileLines(ctx.db, head.account, range),
      complete ? fileEnd(ctx.db, ctx.signer, head, ctx.now) : '',
    ]);
    return { ...page, file: `${first === 1n ? fileHeader(head) : ''}${lines}${last}` };
  },
});
