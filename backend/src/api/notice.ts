import { z } from 'zod';
import { wireTime, wireTimeOrNull } from '../base/time.ts';
import type { Notice } from '../business/notifications/notices/notice.ts';
import { timestamp, uuid } from './field.ts';

export const noticeSeverity = z.enum(['info', 'warning', 'critical']);

/** A notice as operators see it, in all languages. */
export const notice = z.object({
  uuid,
  severity: noticeSeverity,
  title: z.object({ en: z.string(), de: z.string() }),
  body: z.object({ en: z.string(), de: z.string() }),
  starts_at: timestamp,
  ends_at: timestamp.nullable(),
  created_at: timestamp,
});

export function wireNotice(stored: Notice): z.input<typeof notice> {
  return {
    uuid: stored.id,
    severity: stored.severity,
    title: stored.title,
    body: stored.body,
    starts_at: wireTime(stored.starts_at),
    ends_at: wireTimeOrNull(stored.ends_at),
    created_at: wireTime(stored.created_at),
  };
}
