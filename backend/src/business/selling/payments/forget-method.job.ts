import { z } from 'zod';
import { statement } from '../../../db/statement.ts';
import { commandJob } from '../../../work/job.ts';
import { FORGET_METHOD } from './work.ts';

interface Removed {
  readonly provider: string;
  readonly provider_ref: string;
}

const loadRemoved = statement<Removed>(
  'load_removed_method',
  'SELECT provider, provider_ref FROM payment_methods WHERE id = $1 AND removed_at IS NOT NULL',
);

/** Has the provider forget a payment method that its customer removed; nothing of ours depends on it. */
export default commandJob({
  name: FORGET_METHOD,
  payload: z.object({ method_id: z.uuid() }),
  async load(db, _ctx, { method_id }): Promise<Removed | null> {
    const [removed] = await db.run(loadRemoved, [method_id]);
    return removed ?? null;
  },
  async command(ports, { provider, provider_ref }) {
    const saved = ports.payment.provider(provider)?.saved ?? null;
    return saved === null
      ? { kind: 'refused', reason: 'its provider is not set up any more' }
      : await saved.forget(provider_ref);
  },
  accounts: () => [],
  async finish(_tx, { log }, { provider }, outcome) {
    if (outcome.kind === 'refused') log.warn({ provider, reason: outcome.reason }, 'a method is still kept');
  },
});
