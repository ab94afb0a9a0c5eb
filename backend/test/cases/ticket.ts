import { randomUUID } from 'node:crypto';
import type { Caller, Harness } from '../harness.ts';
import { attachmentOf, BAD_FILES, FILES } from '../tickets.ts';
import type { Cases, OperationCases, Prepare } from './case.ts';

export const TICKET = {
  subject: 'My server does not start',
  message: 'Since this morning it stays **off**.',
  department: 'technical',
};

/** Together more than may be attached, in a request that is not too large itself. */
export const TOO_MUCH = [1, 2, 3].map((number) =>
  attachmentOf(`${number}.txt`, Buffer.alloc(3.6 * 1024 * 1024, 'a')),
);
export const BAD = [attachmentOf('page.html', BAD_FILES['page.html'])];

/** A customer of their own with a ticket. */
export async function asked(harness: Harness): Promise<{ as: Caller & { accountId: string }; uuid: string }> {
  const as = await harness.customer();
  const { uuid } = await harness.data('ticket/create', { as, input: TICKET });
  return { as, uuid: String(uuid) };
}

async function closed(harness: Harness) {
  const { as, uuid } = await asked(harness);
  await harness.data('ticket/close', { as, input: { uuid } });
  return { as, uuid };
}

/** A customer whose tickets hold as much as is kept of them. */
async function full(harness: Harness) {
  const { as, uuid } = await asked(harness);
  await harness.pool.pg.query(
    `INSERT INTO ticket_attachments (id, message_id, account_id, position, filename, content_type, size, sha256, created_at)
     SELECT gen_random_uuid(), id, account_id, 0, 'a.txt', 'text/plain', 1024 * 1024 * 1024, sha256('a'), created_at
     FROM ticket_messages WHERE ticket_id = $1`,
    [uuid],
  );
  return { as, uuid };
}

const onTicket =
  (prepare: typeof asked, more: object = {}): Prepare =>
  async (harness) => {
    const { as, uuid } = await prepare(harness);
    return { as, input: { uuid, ...more } };
  };

const unknown =
  (more: object = {}): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { uuid: randomUUID(), ...more } });

const creating =
  (more: object = {}): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { ...TICKET, ...more } });

/** Of an operation that looks at a ticket and takes these besides. */
function onOwn(more: object = {}): OperationCases {
  return { succeeds: onTicket(asked, more), refuses: { not_found: unknown(more) } };
}

const message = { message: 'It works again.', attachments: [attachmentOf('dot.png', FILES['dot.png'])] };

export const cases: Cases = {
  'ticket/create': {
    succeeds: creating({ attachments: message.attachments }),
    refuses: {
      validation_failed: creating({ department: 'nowhere' }),
      payload_too_large: creating({ attachments: TOO_MUCH }),
      limit_reached: async (harness) => ({
        as: (await full(harness)).as,
        input: { ...TICKET, attachments: message.attachments },
      }),
    },
  },
  'ticket/message': {
    succeeds: onTicket(asked, message),
    refuses: {
      not_found: unknown(message),
      ticket_closed: onTicket(closed, message),
      validation_failed: onTicket(asked, { ...message, attachments: BAD }),
      payload_too_large: onTicket(asked, { ...message, attachments: TOO_MUCH }),
      limit_reached: onTicket(full, message),
    },
  },
  'ticket/messages': {
    succeeds: onTicket(asked),
    refuses: { not_found: unknown(), validation_failed: onTicket(asked, { after: '2027-02-30 00:00:00' }) },
  },
  'ticket/details': onOwn(),
  'ticket/read': {
    succeeds: onTicket(asked),
    refuses: { not_found: unknown(), validation_failed: onTicket(asked, { until: randomUUID() }) },
  },
  'ticket/departments': {
    succeeds: async (harness) => ({ as: await harness.customer() }),
    refuses: {},
  },
  'ticket/list': {
    succeeds: async (harness) => ({ as: (await asked(harness)).as }),
    refuses: {
      validation_failed: async (harness) => ({ as: await harness.customer(), input: { page: 1_000_000 } }),
    },
  },
  'ticket/open': {
    succeeds: onTicket(closed, { message: 'Not quite.' }),
    refuses: {
      not_found: unknown(),
      state_conflict: onTicket(asked),
      reopen_window_expired: async (harness) => {
        const call = await onTicket(closed)(harness);
        const { uuid } = call.input as { uuid: string };
        await harness.pool.pg.query("UPDATE tickets SET reopenable_until = '2020-01-01' WHERE id = $1", [
          uuid,
        ]);
        return call;
      },
    },
  },
  'ticket/close': {
    succeeds: onTicket(asked, { rating: 5 }),
    refuses: { not_found: unknown(), ticket_closed: onTicket(closed, { message: 'One more thing.' }) },
  },
};
