import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { EVENTS, type EventType } from '../../unit-of-work/event.ts';

export const eventType = z.enum(Object.keys(EVENTS) as [EventType, ...EventType[]]);

/** An event as it is read, and as it is sent to whoever wants to be told. */
export const event = z.object({
  uuid,
  type: z.string(),
  sequence: z.int().describe('Grows by one with each event of the account.'),
  account_uuid: uuid,
  resource: z.object({ type: z.string(), uuid }).nullable(),
  data: z.record(z.string(), z.unknown()).describe('Its members depend on the type: see the list of events.'),
  created_at: timestamp,
  api_version: z.string(),
});
