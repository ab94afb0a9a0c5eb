import type { Transaction } from '../../../db/transaction.ts';
import { emit, type LockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../catalog/versions.ts';
import { taxationOf } from './taxation.ts';
import type { TaxedCustomer, TaxTreatment } from './treatment.ts';

/**
 * Sets how a customer is taxed from now on; running terms keep what they were sold with. An event says so when it
 * makes a difference to this seller's sales. The account must be locked.
 */
export async function retax(
  tx: Transaction,
  uow: UnitOfWork,
  account: LockedAccount,
  { country, business }: TaxedCustomer,
  catalog: CatalogVersion,
): Promise<TaxTreatment> {
  const before = taxationOf(catalog, account, uow.now);
  const after = taxationOf(catalog, { taxCountry: country, taxBusiness: business }, uow.now);
  if (account.taxCountry !== country || account.taxBusiness !== business) {
    await tx.kysely
      .updateTable('accounts')
      .set({ tax_country: country, tax_business: business })
      .where('id', '=', account.id)
      .execute();
  }
  if (before.kind !== after.kind || before.rate !== after.rate || before.country !== after.country) {
    emit(uow, account, {
      type: 'account.tax_changed',
      resource: null,
      body: { ...told(after), previous: told(before) },
    });
  }
  return after;
}

function told({ kind, rate, country }: TaxTreatment) {
  return { kind, rate: rate / 100, country };
}
