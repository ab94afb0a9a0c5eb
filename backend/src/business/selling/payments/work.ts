import type { QueuedJob } from '../../../work/queue.ts';

export const START = 'payment.start';
export const CHARGE = 'payment.charge';
export const FORGET_METHOD = 'payment.forget-method';
export const BALANCE_LOW = 'account.balance-low';

/** Opens a payment's page at its provider. */
export function startJob(paymentId: string): QueuedJob {
  return { name: START, payload: { payment_id: paymentId }, key: `${START}:${paymentId}` };
}

/** Charges a saved method. */
export function chargeJob(paymentId: string): QueuedJob {
  return { name: CHARGE, payload: { payment_id: paymentId }, key: `${CHARGE}:${paymentId}` };
}

/** Has a provider forget what it keeps. */
export function forgetMethodJob(methodId: string): QueuedJob {
  return { name: FORGET_METHOD, payload: { method_id: methodId }, key: `${FORGET_METHOD}:${methodId}` };
}

/** Tells of a low balance, and tops it up where the customer wants that. */
export function balanceLowJob(accountId: string): QueuedJob {
  return { name: BALANCE_LOW, payload: { account_id: accountId }, key: `${BALANCE_LOW}:${accountId}` };
}
