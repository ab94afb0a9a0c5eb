import { formatDecimal, readDecimal } from '../../../../base/decimal.ts';
import { childrenOf, type Element, textOf, token, writer } from '../../epp/wire/element.ts';
import type { CheckedDomain, Fee, FeeSchedule } from '../commands.ts';
import { CommandRefused } from './result.ts';

const fee = writer('fee');

/** The fee that a client accepts (RFC 8748 §5.2); null: they sent none. */
export function readFee(extension: Element | null, currency: string): Fee | null {
  if (extension === null) return null;
  const amounts = [...childrenOf(extension, 'fee', 'fee'), ...childrenOf(extension, 'fee', 'credit')];
  if (amounts.length === 0) throw new CommandRefused(2003, 'fee:fee is missing');
  return {
    amount: amounts.map(amountOf).reduce((sum, amount) => sum + amount, 0n),
    currency: textOf(extension, 'fee', 'currency') ?? currency,
  };
}

function amountOf(element: Element): bigint {
  const reading = readDecimal(token(element), 4);
  if (!reading.ok) throw new CommandRefused(2005, 'an amount is no decimal number', element);
  return reading.value;
}

/** What a command cost (RFC 8748 §5.2). */
export function feeData(
  name: 'creData' | 'renData' | 'trnData' | 'updData',
  { amount, currency }: Fee,
): Element {
  return fee(name, [fee('currency', currency), fee('fee', formatDecimal(amount, 4, 2))]);
}

/** Prices of the names checked, for the commands that were asked about (RFC 8748 §5.1.1). */
export function feeCheckData(asked: Element, checked: readonly CheckedDomain[]): Element {
  const wanted = textOf(asked, 'fee', 'currency');
  const currency = checked.find(({ fees }) => fees !== null)?.fees?.currency ?? wanted ?? '';
  if (wanted !== null && wanted !== currency)
    throw new CommandRefused(2004, `fees are in ${currency}`, fee('currency', wanted));
  const commands = childrenOf(asked, 'fee', 'command');
  return fee('chkData', [
    fee('currency', currency),
    ...checked.map(({ name, fees }) =>
      fees === null
        ? fee('cd', [fee('objID', name), fee('reason', 'there are no prices for it')], { avail: '0' })
        : fee(
            'cd',
            [
              fee('objID', name),
              fee('class', fees.class),
              ...commands.map((command) => commandFee(command, fees)),
            ],
            { avail: '1' },
          ),
    ),
  ]);
}

function commandFee(command: Element, fees: FeeSchedule): Element {
  const { name = '' } = command.attributes;
  const years = Number(textOf(command, 'fee', 'period') ?? '1');
  if (!Number.isInteger(years) || years < 1 || years > 99)
    throw new CommandRefused(2004, 'a period is from 1 to 99', command);
  const perYear = priceOf(name, fees);
  const attributes = { name, standard: fees.class === 'standard' ? '1' : '0' };
  if (perYear === null) return fee('command', fee('reason', `there is no price for ${name}`), attributes);
  const times = name === 'restore' ? 1 : years;
  return fee(
    'command',
    [
      name === 'restore' ? null : fee('period', String(times), { unit: 'y' }),
      fee('fee', formatDecimal(perYear * BigInt(times), 4, 2)),
    ],
    attributes,
  );
}

function priceOf(command: string, fees: FeeSchedule): bigint | null {
  if (command === 'create' || command === 'renew' || command === 'transfer' || command === 'restore')
    return fees[command];
  // RFC 8748 §3.1: deleting and changing are commands with prices too; here they cost nothing.
  return command === 'delete' || command === 'update' ? 0n : null;
}
