import type { z } from 'zod';
import { wireCharged, wireQuote } from '../../../api/order.ts';
import type { task } from '../../../api/task.ts';
import { type Instant, wireTimeOrNull } from '../../../base/time.ts';
import type { DomainAction, DomainPrices } from '../../../business/domains/price.ts';
import type { Order } from '../../../business/selling/orders/order.ts';
import type { Quote } from '../../../business/selling/orders/quote.ts';
import { wireDomainPrices } from '../domain.schema.ts';
import { lookAlikeWarnings } from '../look-alike.schema.ts';
import type { domainOrdered } from './request.ts';

type Ordered = z.input<(typeof domainOrdered.options)[0]>;
type Quoted = z.input<(typeof domainOrdered.options)[1]>;

/** What an order for a name would cost. */
export function quotedAnswer(name: string, quote: Quote): Quoted {
  const whole = wireQuote(quote);
  const warnings = [...whole.warnings, ...lookAlikeWarnings(name.split('.')[0] ?? '')];
  return { quote: { ...whole, warnings } };
}

export interface DomainOrdered {
  readonly order: Order;
  readonly domainId: string;
  readonly name: string;
  readonly action: DomainAction;
  readonly period: number;
  readonly expireAt: Instant | null;
  readonly prices: DomainPrices;
  readonly premium: boolean;
  readonly nextStep: {
    readonly kind: 'none' | 'registry_approval';
    readonly detail: string | null;
    readonly expiresAt: Instant | null;
  };
  readonly task: z.input<typeof task>;
}

/** An order whose money is on hold until its task is done. */
export function orderedAnswer(ordered: DomainOrdered): Ordered {
  const { order, period, nextStep } = ordered;
  return {
    order_id: order.id,
    domain_uuid: ordered.domainId,
    domain: ordered.name,
    action: ordered.action,
    period,
    duration: period,
    expire_at: wireTimeOrNull(ordered.expireAt),
    pricing: wireDomainPrices(ordered.prices),
    charged: wireCharged(order.price),
    transaction_uuid: order.entryId,
    premium: ordered.premium,
    state: 'PENDING',
    next_step: {
      kind: nextStep.kind,
      detail: nextStep.detail,
      expires_at: wireTimeOrNull(nextStep.expiresAt),
    },
    task: ordered.task,
  };
}
