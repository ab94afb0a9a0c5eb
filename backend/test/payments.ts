import { routedPayments } from '../src/drivers/payment/routing.ts';

/** No way to pay. */
export const NO_PAYMENTS = routedPayments({
  providers: new Map(),
  offers: () => false,
  transferInstructions: async () => null,
});
