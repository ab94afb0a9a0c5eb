import { z } from 'zod';
import { EVENTS, type EventType } from '../unit-of-work/event.ts';
import { type EventMemberKind, eventMember } from '../unit-of-work/event-member.ts';
import { timestamp, uuid } from './field.ts';

const KINDS: { readonly [Kind in EventMemberKind]: z.ZodType } = {
  boolean: z.boolean(),
  integer: z.int(),
  number: z.number(),
  object: z.record(z.string(), z.unknown()),
  text: z.string(),
  texts: z.array(z.string()),
  time: timestamp,
  uuid,
};

/** The `data` of events of a type. */
export function eventBody(type: EventType): z.ZodObject {
  const members = EVENTS[type].body.map((name) => {
    const { kind, isNullable } = eventMember(name);
    return [name, isNullable ? KINDS[kind].nullable() : KINDS[kind]] as const;
  });
  return z.object(Object.fromEntries(members));
}
