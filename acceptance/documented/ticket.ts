import {
  array,
  boolean,
  exactly,
  filledString,
  integer,
  matching,
  nullable,
  object,
  oneOf,
  string,
  timestamp,
  uuid,
} from '../shape.ts';
import { pagination } from './payloads.ts';

/* Payloads of the ticket group: section 8 of the payload document, and its shared objects. */

const state = oneOf('open', 'answered', 'on_hold', 'closed');
const priority = oneOf('low', 'normal', 'high', 'urgent');
const number = filledString;
const resource = object({ type: oneOf('server', 'domain', 'webspace', 'license', 'invoice'), uuid });
const authorType = oneOf('customer', 'staff', 'system');
const rating = oneOf(null, 1, 2, 3, 4, 5);

const attachment = object({
  uuid,
  filename: filledString,
  content_type: filledString,
  size: integer,
  sha256: matching('a SHA-256', /^[0-9a-f]{64}$/),
  url: filledString,
});

const message = object({
  uuid,
  author: object({ type: authorType, name: filledString }),
  message: filledString,
  message_html: filledString,
  attachments: array(attachment),
  internal: exactly(false),
  created_at: timestamp,
});

export const messages = object({ uuid, messages: array(message), pagination });

export const addedMessage = object({
  message,
  ticket: object({ uuid, number, state, updated_at: timestamp }),
});

export const details = object({
  uuid,
  number,
  subject: filledString,
  department: filledString,
  priority,
  state,
  state_text: filledString,
  resource: nullable(resource),
  assigned: boolean,
  messages_count: integer,
  first_response_due_at: nullable(timestamp),
  first_response_at: nullable(timestamp),
  last_message: object({ author_type: authorType, created_at: timestamp, excerpt: string }),
  reopenable_until: nullable(timestamp),
  rating,
  created_at: timestamp,
  updated_at: timestamp,
  closed_at: nullable(timestamp),
  // Beyond the document: what came since it was read, and how it belongs to others.
  unread: integer,
  duplicate_of: nullable(uuid),
  merged_into: nullable(uuid),
});

export const created = object({
  uuid,
  number,
  subject: filledString,
  department: filledString,
  priority,
  state: exactly('open'),
  resource: nullable(resource),
  first_response_due_at: nullable(timestamp),
  duplicate_of: nullable(uuid),
  created_at: timestamp,
});

export const opened = object({ uuid, number, state: exactly('open'), reopened_at: timestamp });

export const closed = object({
  uuid,
  number,
  state: exactly('closed'),
  closed_at: timestamp,
  reopenable_until: nullable(timestamp),
  // Beyond the document: the one that was given.
  rating,
});

export const list = object({
  tickets: array(
    object({
      uuid,
      number,
      subject: filledString,
      department: filledString,
      priority,
      state,
      state_text: filledString,
      resource: nullable(resource),
      messages_count: integer,
      unread: integer,
      last_author_type: authorType,
      created_at: timestamp,
      updated_at: timestamp,
    }),
  ),
  counts: object({ open: integer, answered: integer, on_hold: integer, closed: integer }),
  pagination,
});
