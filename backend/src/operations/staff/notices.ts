import { z } from 'zod';
import { notice, wireNotice } from '../../api/notice.ts';
import { offsetOf, pageOf, pagination, tooDeep } from '../../api/page.ts';
import { listNotices } from '../../business/notifications/notices/notice.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'staff/notices',
  summary: 'Notices to customers, the newest first',
  audience: 'staff',
  scope: 'staff:read',
  input: z.strictObject({
    page: z.int().min(1).max(1_000_000).default(1),
    per_page: z.int().min(1).max(100).default(25),
  }),
  output: z.object({ notices: z.array(notice), pagination }),
  message: { en: 'These are the notices.', de: 'Das sind die Hinweise.' },
  errors: ['validation_failed'],
  example: { input: { page: 1 } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { notices, total } = await listNotices(ctx.db, { limit: input.per_page, offset: offsetOf(input) });
    return { notices: notices.map(wireNotice), pagination: pageOf(input, total) };
  },
});
