import type { TransferInstructions, TransferOrder } from '../port.ts';
import { epcText } from './epc.ts';

/** The seller's bank account. */
export interface BankAccount {
  readonly iban: string;
  readonly bic: string | null;
  readonly bank: string | null;
  readonly beneficiary: string;
}

/** How to transfer to this account. Codes are for euros: EPC069-12 knows no other currency. */
export async function transferInstructions(
  account: BankAccount,
  { amount, currency, reference }: TransferOrder,
): Promise<TransferInstructions> {
  const text = currency === 'EUR' ? epcText({ ...account, amount, remittance: reference }) : null;
  return { ...account, reference, epcQr: text === null ? null : { text, svg: await epcCode(text) } };
}

/** The code as an image that a page can show: error correction M, as EPC069-12 asks. */
async function epcCode(text: string): Promise<string> {
  const { default: QRCode } = await import('qrcode');
  const svg = await QRCode.toString(text, { type: 'svg', errorCorrectionLevel: 'M' });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
