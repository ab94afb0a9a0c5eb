import type { Transaction } from '../../../db/transaction.ts';
import { emit, type LockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { TEST_EVENT } from './choice.ts';
import { wakeWebhook } from './claim.ts';
import { queueDeliveries } from './delivery.ts';
import type { Webhook } from './webhook.ts';

export interface Trial {
  readonly deliveryId: string;
  readonly eventId: string;
}

/** Sends a webhook an event that is there to try it out, at once and once. */
export async function tryOut(
  tx: Transaction,
  uow: UnitOfWork,
  account: LockedAccount,
  webhook: Webhook,
): Promise<Trial> {
  const eventId = emit(uow, account, {
    type: TEST_EVENT,
    resource: null,
    body: { webhook_uuid: webhook.id },
  });
  const event = { id: eventId, type: TEST_EVENT, sequence: account.eventSeq, created_at: uow.now };
  const [deliveryId] = await queueDeliveries(tx, webhook.id, 'test', [event], uow.now);
  if (deliveryId === undefined) throw new Error('a new event waits already');
  await wakeWebhook(tx, webhook.id);
  return { deliveryId, eventId };
}
