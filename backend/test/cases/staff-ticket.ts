import { randomBytes, randomUUID } from 'node:crypto';
import { receiveMail } from '../../src/business/support/incoming/receive.ts';
import type { Harness } from '../harness.ts';
import type { Cases, Prepare } from './case.ts';
import { asked, BAD, TICKET, TOO_MUCH } from './ticket.ts';

const asOperator =
  (input: Record<string, unknown> = {}): Prepare =>
  async (harness) => ({ as: await harness.operator(), input });

/** An operator, and a customer's ticket. */
const onTicket =
  (more: object = {}): Prepare =>
  async (harness) => {
    const { uuid } = await asked(harness);
    return { as: await harness.operator(), input: { uuid, ...more } };
  };

const cannedReply = () => ({
  title: `Restart ${randomBytes(6).toString('hex')}`,
  body: { en: 'Please restart it.', de: 'Bitte starten Sie neu.' },
});

const madeReply: Prepare = async (harness) => {
  const as = await harness.operator();
  const { uuid } = await harness.data('staff/ticket-canned-reply-create', { as, input: cannedReply() });
  return { as, input: { uuid } };
};

/** Two tickets of one customer, or of two. */
const merging =
  (
    customers: 1 | 2,
    change: (harness: Harness, uuid: string) => Promise<unknown> = async () => {},
  ): Prepare =>
  async (harness) => {
    const first = await asked(harness);
    const { as } = customers === 1 ? first : { as: await harness.customer() };
    const { uuid: into_uuid } = await harness.data('ticket/create', { as, input: TICKET });
    await change(harness, first.uuid);
    return { as: await harness.operator(), input: { uuid: first.uuid, into_uuid } };
  };

const merged = async (harness: Harness, uuid: string) =>
  await harness.pool.pg.query(
    `UPDATE tickets t SET merged_into = (SELECT id FROM tickets o WHERE o.account_id = t.account_id AND o.id <> t.id)
     WHERE id = $1`,
    [uuid],
  );

const mergedAlready =
  (more: object): Prepare =>
  async (harness) => {
    const { as, input } = await merging(1, merged)(harness);
    return { as, input: { uuid: (input as { uuid: string }).uuid, ...more } };
  };

/** A mail that nobody is known to have been written to about. */
const quarantined: Prepare = async (harness) => {
  const name = randomBytes(6).toString('hex');
  const content = Buffer.from(`From: ${name}@b.example\r\nSubject: ${name}\r\n\r\nHello\r\n`);
  const envelope = {
    sender: `${name}@b.example`,
    recipient: 'support@hosting.example',
    authenticatedDomain: null,
  };
  await receiveMail(harness.pool, { ...envelope, content, size: content.length }, harness.clock.now());
  const { rows } = await harness.pool.pg.query<{ id: string }>(
    "UPDATE incoming_mails SET state = 'quarantined', reason = 'address_unknown' WHERE sender = $1 RETURNING id",
    [envelope.sender],
  );
  return { as: await harness.operator(), input: { uuid: rows[0]?.id ?? '' } };
};

const accepting: Prepare = async (harness) => {
  const { as, input } = await quarantined(harness);
  return { as, input: { ...(input as object), ticket_uuid: (await asked(harness)).uuid } };
};

const discarded: Prepare = async (harness) => {
  const call = await quarantined(harness);
  await harness.data('staff/ticket-quarantine-discard', call);
  return call;
};

const WORDS = { message: 'Please **try again**.' };

export const staffTicketCases: Cases = {
  'staff/ticket-list': {
    succeeds: asOperator({ department: 'technical' }),
    refuses: { validation_failed: asOperator({ page: 1_000_000 }) },
  },
  'staff/ticket-details': {
    succeeds: onTicket(),
    refuses: { not_found: asOperator({ uuid: randomUUID() }) },
  },
  'staff/ticket-messages': {
    succeeds: onTicket(),
    refuses: {
      not_found: asOperator({ uuid: randomUUID() }),
      validation_failed: onTicket({ after: '2027-02-30 00:00:00' }),
    },
  },
  'staff/ticket-reply': {
    succeeds: onTicket(WORDS),
    refuses: {
      not_found: asOperator({ uuid: randomUUID(), ...WORDS }),
      state_conflict: mergedAlready(WORDS),
      validation_failed: onTicket({ ...WORDS, attachments: BAD }),
      payload_too_large: onTicket({ ...WORDS, attachments: TOO_MUCH }),
    },
  },
  'staff/ticket-note': {
    succeeds: onTicket(WORDS),
    refuses: {
      not_found: asOperator({ uuid: randomUUID(), ...WORDS }),
      validation_failed: onTicket({ ...WORDS, attachments: BAD }),
      payload_too_large: onTicket({ ...WORDS, attachments: TOO_MUCH }),
    },
  },
  'staff/ticket-assign': {
    succeeds: onTicket(),
    refuses: {
      not_found: asOperator({ uuid: randomUUID() }),
      validation_failed: onTicket({ operator_uuid: randomUUID() }),
    },
  },
  'staff/ticket-update': {
    succeeds: onTicket({ priority: 'urgent' }),
    refuses: {
      not_found: asOperator({ uuid: randomUUID(), priority: 'urgent' }),
      state_conflict: mergedAlready({ state: 'on_hold' }),
      validation_failed: onTicket({ department: 'nowhere' }),
    },
  },
  'staff/ticket-merge': {
    succeeds: merging(1),
    refuses: {
      not_found: asOperator({ uuid: randomUUID(), into_uuid: randomUUID() }),
      state_conflict: merging(1, merged),
      validation_failed: merging(2),
    },
  },
  'staff/ticket-read': {
    succeeds: onTicket(),
    refuses: {
      not_found: asOperator({ uuid: randomUUID() }),
      validation_failed: onTicket({ until: randomUUID() }),
    },
  },
  'staff/ticket-canned-replies': {
    succeeds: asOperator(),
    refuses: { validation_failed: asOperator({ page: 1_000_000 }) },
  },
  'staff/ticket-canned-reply-create': {
    succeeds: async (harness) => ({ as: await harness.operator(), input: cannedReply() }),
    refuses: {
      already_exists: async (harness) => {
        const [as, input] = [await harness.operator(), cannedReply()];
        await harness.data('staff/ticket-canned-reply-create', { as, input });
        return { as, input };
      },
      validation_failed: async (harness) => ({
        as: await harness.operator(),
        input: { ...cannedReply(), department: 'nowhere' },
      }),
    },
  },
  'staff/ticket-canned-reply-delete': {
    succeeds: madeReply,
    refuses: { not_found: asOperator({ uuid: randomUUID() }) },
  },
  'staff/ticket-quarantine': {
    succeeds: asOperator(),
    refuses: { validation_failed: asOperator({ page: 1_000_000 }) },
  },
  'staff/ticket-quarantine-accept': {
    succeeds: accepting,
    refuses: {
      not_found: asOperator({ uuid: randomUUID() }),
      state_conflict: async (harness) => {
        const call = await accepting(harness);
        await harness.data('staff/ticket-quarantine-accept', call);
        return call;
      },
      validation_failed: quarantined,
    },
  },
  'staff/ticket-quarantine-discard': {
    succeeds: quarantined,
    refuses: { not_found: asOperator({ uuid: randomUUID() }), state_conflict: discarded },
  },
};
