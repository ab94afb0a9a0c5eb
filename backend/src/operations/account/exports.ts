import { z } from 'zod';
import { noInput, timestamp, uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { wireTime } from '../../base/time.ts';
import { downloadLink } from '../../business/core/downloads/ticket.ts';
import { keptExports } from '../../business/exports/export.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'account/exports',
  summary: 'Your archives, and where to get them',
  audience: 'customer',
  scope: 'account:users',
  security: true,
  input: noInput,
  output: z.object({
    exports: z.array(
      z.object({
        uuid,
        task_uuid: uuid,
        state: task.shape.state,
        size: z.int().nullable().describe('Bytes; null until it is there.'),
        sha256: z.string().nullable(),
        download_url: z.string().nullable().describe('Opens without a token, for 15 minutes.'),
        created_at: timestamp,
        expires_at: timestamp,
      }),
    ),
  }),
  message: { en: 'These are your archives.', de: 'Das sind Ihre Archive.' },
  errors: [],
  secrets: ['download_url'],
  example: { input: {} },
  async read(ctx) {
    const { accountId } = ctx.caller;
    const kept = await keptExports(ctx.db, accountId, ctx.now);
    return {
      exports: kept.map((one) => ({
        uuid: one.id,
        task_uuid: one.task_id,
        state: one.task_state,
        size: one.size === null ? null : Number(one.size),
        sha256: one.sha256?.toString('hex') ?? null,
        download_url:
          one.content_id === null ? null : downloadLink(ctx, { kind: 'export', id: one.id, accountId }),
        created_at: wireTime(one.created_at),
        expires_at: wireTime(one.expires_at),
      })),
    };
  },
});
