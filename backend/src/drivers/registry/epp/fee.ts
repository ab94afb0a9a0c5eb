import { formatDecimal, readDecimal } from '../../../base/decimal.ts';
import type { AcceptedFee, PremiumPrices } from '../port.ts';
import { childrenOf, type Element, textOf, token, writer } from './wire/element.ts';
import { type EppResponse, extensionOf } from './wire/response.ts';

const fee = writer('fee');

/** RFC 8748 §3.1, the commands that have prices of their own here. */
const PRICED = ['create', 'renew', 'transfer', 'restore'] as const;

/** What one year of each command costs (RFC 8748 §5.1.1). */
export function feeCheck(currency: string): Element {
  return fee('check', [
    fee('currency', currency),
    ...PRICED.map((name) =>
      fee('command', name === 'restore' ? null : fee('period', '1', { unit: 'y' }), { name }),
    ),
  ]);
}

/** The price that was accepted, with a command (RFC 8748 §5.2). */
export function acceptedFee(
  name: 'create' | 'renew' | 'transfer' | 'update',
  accepted: AcceptedFee,
): Element | null {
  if (accepted === null) return null;
  return fee(name, [fee('currency', accepted.currency), fee('fee', formatDecimal(accepted.amount, 4, 2))]);
}

/**
 * Prices of the premium names among those checked, in ten-thousandths; names at the registry's standard prices are
 * left out. Throws where the prices are in another currency or of a form that cannot be read: nobody guesses.
 */
export function premiumPrices(response: EppResponse, currency: string): ReadonlyMap<string, PremiumPrices> {
  const answer = extensionOf(response, 'fee', 'chkData');
  const found = new Map<string, PremiumPrices>();
  for (const checked of childrenOf(answer, 'fee', 'cd')) {
    const name = textOf(checked, 'fee', 'objID');
    if (name === null || !isPremium(checked)) continue;
    const quoted = textOf(answer, 'fee', 'currency');
    if (quoted !== currency)
      throw new Error(`the registry quotes in ${quoted}, and ${currency} was asked for`);
    found.set(name.toLowerCase(), pricesOf(checked));
  }
  return found;
}

/** RFC 8748 §3.7: the class says it, or the mark of each command does. */
function isPremium(checked: Element): boolean {
  const name = textOf(checked, 'fee', 'class');
  if (name !== null) return name.toLowerCase() !== 'standard';
  return childrenOf(checked, 'fee', 'command').some(
    ({ attributes }) => attributes.standard === '0' || attributes.standard === 'false',
  );
}

function pricesOf(checked: Element): PremiumPrices {
  const [register, renew, transfer, restore] = PRICED.map((name) => priceOf(checked, name));
  if (register == null || renew == null || restore == null)
    throw new Error('the registry quotes no price for a premium name');
  return { register, renew, transfer: transfer ?? null, restore };
}

/** The sum of the fees, less the credits; null where there are none. */
function priceOf(checked: Element, name: string): bigint | null {
  const command = childrenOf(checked, 'fee', 'command').find(({ attributes }) => attributes.name === name);
  const amounts = [
    ...childrenOf(command ?? null, 'fee', 'fee'),
    ...childrenOf(command ?? null, 'fee', 'credit'),
  ].map((amount) => readAmount(token(amount)));
  return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0n);
}

function readAmount(text: string): bigint {
  const reading = readDecimal(text, 4);
  if (!reading.ok) throw new Error('the registry quotes an amount that cannot be read');
  return reading.value;
}
