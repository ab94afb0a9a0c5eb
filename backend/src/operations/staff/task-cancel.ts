import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { endWork } from '../../business/abandonment/end.ts';
import { lookAt, type Seen } from '../../business/abandonment/look.ts';
import { jobOf, type OpenWork, openWork } from '../../business/abandonment/open-work.ts';
import type { LockedService } from '../../business/selling/subscriptions/suspension.ts';
import { lockService } from '../../business/selling/subscriptions/suspension.ts';
import { operation } from '../../operation.ts';

/** With these nothing ends unless the operator insists: it ends by itself, or its outcome is not known. */
const INSISTED: readonly Seen[] = ['going_on', 'unsettled'];

export default operation({
  method: 'POST',
  path: 'staff/task-cancel',
  summary: 'End an order or other work that does not end by itself',
  description:
    'For every product and every kind of task. The back end is asked first. What it has done completely is delivered: the ' +
    'order goes on, at once. What is not there, and what a back end does not answer for, is cancelled: money that was on ' +
    'hold is free, capacity, addresses and names are returned, the customer is notified. What a silent back end may have ' +
    'made is reported as a difference until it was compared; nothing is deleted by itself. Refused while the back end ' +
    'answers and the work goes on, unless `anyway` is true.',
  audience: 'staff',
  scope: 'staff:technical',
  input: z.strictObject({
    uuid: uuid.describe('A task, an order, or the task of an order of several things.'),
    anyway: z
      .boolean()
      .default(false)
      .describe(
        'Cancel also what the back end has done, or may still be doing. The operator answers for what is left there.',
      ),
    reason: z.string().trim().max(1000).default('').describe('For operators.'),
  }),
  output: z.object({
    uuid,
    work: z.array(
      z.object({
        task_uuid: uuid.nullable(),
        type: z.string(),
        resource: z.object({ type: z.string(), uuid }),
        order_id: uuid.nullable(),
        back_end: z
          .enum(['there', 'absent', 'going_on', 'unsettled', 'silent'])
          .describe('What the back end said: done, nothing there, under way, cannot tell, no answer'),
        outcome: z.enum(['cancelled', 'continued']),
      }),
    ),
  }),
  message: {
    en: 'The work was ended, or goes on at once.',
    de: 'Die Arbeit wurde beendet oder geht sofort weiter.',
  },
  errors: ['not_found', 'state_conflict'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', reason: 'The host burnt down.' } },
  async ask({ db, ports, now }, input) {
    const found = await openWork(db, input.uuid);
    return await Promise.all(found.map(async (work) => ({ work, seen: await lookAt(db, ports, work, now) })));
  },
  async handle(tx, ctx, input, _subject, asked) {
    const services = new Map<string, LockedService>();
    for (const id of [...new Set(asked.map(({ work }) => work.service_id))].sort()) {
      const service = await lockService(tx, ctx.uow, id);
      if (service !== null) services.set(id, service);
    }
    // Read again, now that no other can end it: a worker, or another operator, may have been first.
    const open = new Set((await openWork(tx, input.uuid)).map(keyOf));
    const left = asked.filter(({ work }) => open.has(keyOf(work)));
    if (left.length === 0) throw ctx.refusal('not_found');
    const going = left.find(({ work, seen }) => !input.anyway && insists(work, seen));
    if (going !== undefined)
      throw ctx.refusal('state_conflict', {
        members: {
          current_state: 'running',
          task_type: going.work.type,
          back_end: going.seen,
          resource: { type: going.work.product, uuid: going.work.service_id },
        },
      });
    const ended = [];
    for (const { work, seen } of left) {
      const service = services.get(work.service_id);
      if (service === undefined) continue;
      const job = jobOf(work);
      const continues = seen === 'there' && !input.anyway && job !== null;
      if (continues) ctx.uow.jobs.push(job);
      else await endWork(tx, ctx.uow, service, work, seen);
      ended.push({
        task_uuid: work.task_id,
        type: work.type,
        resource: { type: work.product, uuid: work.service_id },
        order_id: work.order_id,
        back_end: seen,
        outcome: continues ? ('continued' as const) : ('cancelled' as const),
      });
    }
    return { uuid: input.uuid, work: ended };
  },
});

function keyOf({ task_id, order_id }: OpenWork): string {
  return `${task_id}/${order_id}`;
}

// What changes a thing that is there is cancelled once its back end has had long enough; an order is money, and is not.
function insists({ kind }: OpenWork, seen: Seen): boolean {
  return INSISTED.includes(seen) && (kind === 'order' || seen === 'going_on');
}
