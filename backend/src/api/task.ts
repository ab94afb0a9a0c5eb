import { z } from 'zod';
import { timestamp, uuid } from './field.ts';

export const task = z.object({
  uuid,
  type: z.string(),
  state: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
  progress: z.int(),
  step: z.string().nullable(),
  resource: z.object({ type: z.string(), uuid }),
  error: z.object({ error: z.string(), message: z.string() }).nullable(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
});
