import { z } from 'zod';
import { readIban } from '../base/iban.ts';
import { wireAmount } from '../base/money.ts';
import { wireTimeOrNull } from '../base/time.ts';
import { type Closing, type ClosingPlan, OBSTACLES } from '../business/closing/plan.ts';
import type { LockedAccount } from '../unit-of-work/unit-of-work.ts';
import { currency, dryRun, money, timestamp, uuid } from './field.ts';
import { productType } from './product.ts';

/** What closing takes, whoever asks for it. */
export const closingFields = {
  dry_run: dryRun.describe('Say what it would come to, change nothing; `data` holds a `preview`.'),
  end_services: z
    .boolean()
    .default(false)
    .describe('End what still runs, at once. Without it, running services stand against closing.'),
  payout: z
    .strictObject({
      iban: z
        .string()
        .max(42)
        .refine((text) => readIban(text).valid, 'This must be an IBAN.')
        .describe('With or without spaces.'),
      account_holder: z.string().trim().min(1, 'This must not be empty.').max(70, 'At most 70 characters.'),
    })
    .optional()
    .describe('Where the rest of the balance goes.'),
};

export const closingPlan = z.object({
  uuid,
  state: z.literal('closed'),
  obstacles: z.array(z.enum(OBSTACLES)).describe('What stands against it; empty: nothing does.'),
  services: z.array(
    z.object({
      uuid,
      product: productType,
      name: z.string(),
      mode: z.enum(['withdraw', 'immediate']).describe('`withdraw` pays back, `immediate` does not.'),
      refund: money,
      data_deleted_at: timestamp.nullable(),
    }),
  ),
  balance: money.describe('Before it.'),
  refunded: money,
  payout: money.describe('What is paid out: the balance, with what was paid back.'),
  currency,
  archive: z.object({
    invoices: z.int(),
    kept_until: z
      .string()
      .describe('The day until which invoices and bookings are kept by law, and are not deleted.'),
  }),
});

export const closingOutput = z.union([closingPlan, z.object({ preview: closingPlan })]);

interface ClosingInput {
  readonly end_services: boolean;
  readonly payout?: { readonly iban: string; readonly account_holder: string } | undefined;
}

export function closingOf({ end_services, payout }: ClosingInput): Closing {
  return {
    endServices: end_services,
    payout: payout === undefined ? null : { iban: readIban(payout.iban).iban, holder: payout.account_holder },
  };
}

export function wireClosing(account: LockedAccount, planned: ClosingPlan): z.input<typeof closingPlan> {
  return {
    uuid: account.id,
    state: 'closed',
    obstacles: [...planned.obstacles],
    services: planned.services.map(({ service, plan: ending }) => ({
      uuid: service.id,
      product: service.product,
      name: service.name,
      mode: ending.mode === 'withdraw' ? ('withdraw' as const) : ('immediate' as const),
      refund: wireAmount(ending.refunds.reduce((sum, { gross }) => sum + gross, 0n)),
      data_deleted_at: wireTimeOrNull(ending.deleteAt),
    })),
    balance: wireAmount(planned.balance),
    refunded: wireAmount(planned.refunded),
    payout: wireAmount(planned.payout),
    currency: account.currency,
    archive: { invoices: planned.invoices, kept_until: `${planned.keptUntil}-12-31` },
  };
}
