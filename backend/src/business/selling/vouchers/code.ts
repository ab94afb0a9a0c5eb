import { sha256 } from '../../../base/canonical.ts';
import { readableCode } from '../../../base/readable-code.ts';

const LENGTH = 16;
const GROUP = 4;

/** A code that nobody guesses (72 bits), as it is printed: `7KQR-3MWA-XH4C-9PTD`. */
export function newVoucherCode(): string {
  return readableCode(LENGTH).replace(new RegExp(`.{${GROUP}}(?=.)`, 'g'), '$&-');
}

/** How a code is written does not matter: case, space and dashes of any kind are ignored. */
export function normalizeVoucherCode(code: string): string {
  return code
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
}

/** What is kept of a code: it can be recognised, but not read. */
export function voucherHash(code: string): Buffer {
  return sha256(normalizeVoucherCode(code));
}

/** What operators tell vouchers apart by. */
export function voucherTail(code: string): string {
  return normalizeVoucherCode(code).slice(-GROUP);
}
