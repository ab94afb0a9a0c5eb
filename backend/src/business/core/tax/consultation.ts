import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import type { VatRegister } from '../../../drivers/vat/port.ts';
import type { CatalogVersion } from '../catalog/versions.ts';
import { readVatNumber } from './vat-number.ts';

/** What the register was asked, and what it said: the evidence for an invoice without tax. */
export interface Consultation {
  readonly vatId: string;
  readonly state: 'valid' | 'invalid' | 'unavailable';
  readonly name: string | null;
  readonly address: string | null;
  readonly reference: string | null;
}

/** Asks the register in the seller's name. That it does not answer is an outcome as well. */
export async function consult(
  register: VatRegister,
  vatId: string,
  catalog: CatalogVersion,
  deadlineMs: number,
): Promise<Consultation> {
  const silence = { vatId, name: null, address: null, reference: null };
  // A seller outside the EU has a number that the register does not take.
  const requester = readVatNumber(catalog.content.seller?.vat_id ?? '');
  try {
    return { ...silence, ...(await register.check(vatId, requester, deadlineMs)) };
  } catch (error) {
    if (error instanceof BackendUnavailable) return { ...silence, state: 'unavailable' };
    throw error;
  }
}

/** Keeps a consultation, for good. */
export async function recordConsultation(
  tx: Transaction,
  accountId: string,
  { vatId, ...consultation }: Consultation,
  now: Instant,
): Promise<void> {
  await tx.kysely
    .insertInto('vat_checks')
    .values({ id: randomUUIDv7(), account_id: accountId, vat_id: vatId, checked_at: now, ...consultation })
    .execute();
}
