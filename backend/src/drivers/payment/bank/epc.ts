import { formatDecimal } from '../../../base/decimal.ts';
import type { Amount } from '../../../base/money.ts';

/** What a SEPA credit transfer needs. */
export interface CreditTransfer {
  readonly iban: string;
  readonly bic: string | null;
  readonly beneficiary: string;
  /** In euro cents. */
  readonly amount: Amount;
  readonly remittance: string;
}

const MOST = 999_999_999_99n;
const NAME_LENGTH = 70;
const REMITTANCE_LENGTH = 140;

/**
 * The text in the QR code of a credit transfer: EPC069-12, version 002, UTF-8. Its lines are service tag, version,
 * character set, identification, BIC, name, IBAN, amount, purpose, structured and unstructured remittance.
 */
export function epcText({ iban, bic, beneficiary, amount, remittance }: CreditTransfer): string {
  if (amount <= 0n || amount > MOST) throw new RangeError('no amount of a credit transfer');
  return [
    'BCD',
    '002',
    '1',
    'SCT',
    bic ?? '',
    beneficiary.slice(0, NAME_LENGTH),
    iban,
    `EUR${formatDecimal(amount, 2)}`,
    '',
    '',
    remittance.slice(0, REMITTANCE_LENGTH),
  ].join('\n');
}
