import { z } from 'zod';
import { money, uuid } from '../../api/field.ts';
import { wireAmount } from '../../base/money.ts';
import type { TopupSettings } from '../../business/selling/payments/settings.ts';

export const topupSettingsShape = z.object({
  low_balance_threshold: money.nullable(),
  auto_topup: z.object({ amount: money, payment_method_uuid: uuid }).nullable(),
});

export function wireTopupSettings({
  threshold,
  automatic,
}: TopupSettings): z.input<typeof topupSettingsShape> {
  return {
    low_balance_threshold: threshold === null ? null : wireAmount(threshold),
    auto_topup:
      automatic === null
        ? null
        : { amount: wireAmount(automatic.amount), payment_method_uuid: automatic.methodId },
  };
}
