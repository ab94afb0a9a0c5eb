import { wireTime } from '../../base/time.ts';
import type { Transaction } from '../../db/transaction.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import { bumpVersion } from '../selling/subscriptions/version.ts';
import type { License, StoredBinding } from './license.ts';

/** Binds an address to a locked license. Binding it again changes its description only. */
export async function bindAddress(
  tx: Transaction,
  uow: UnitOfWork,
  license: License,
  limit: number,
  address: string,
  description: string,
): Promise<'bound' | 'limit_reached'> {
  const known = await tx.kysely
    .updateTable('license_bindings')
    .set({ description })
    .where('license_id', '=', license.id)
    .where('ip_address', '=', address)
    .returning('id')
    .executeTakeFirst();
  if (known !== undefined) return 'bound';
  if ((license.bindings?.length ?? 0) >= limit) return 'limit_reached';
  await tx.kysely
    .insertInto('license_bindings')
    .values({ license_id: license.id, ip_address: address, description, created_at: uow.now })
    .execute();
  changed(uow, license, 'license.bound', address);
  return 'bound';
}

/** Releases an address; false when it was not bound. */
export async function unbindAddress(
  tx: Transaction,
  uow: UnitOfWork,
  license: License,
  address: string,
): Promise<boolean> {
  const gone = await tx.kysely
    .deleteFrom('license_bindings')
    .where('license_id', '=', license.id)
    .where('ip_address', '=', address)
    .returning('id')
    .executeTakeFirst();
  if (gone === undefined) return false;
  changed(uow, license, 'license.unbound', address);
  return true;
}

function changed(
  uow: UnitOfWork,
  license: License,
  type: 'license.bound' | 'license.unbound',
  address: string,
): void {
  bumpVersion(uow, license.id);
  emit(uow, lockedAccount(uow, license.account_id), {
    type,
    resource: { type: 'license', id: license.id },
    body: { ip_address: address },
  });
}

/** A license's bindings, oldest first. */
export async function bindingsOf(tx: Transaction, licenseId: string): Promise<StoredBinding[]> {
  const rows = await tx.kysely
    .selectFrom('license_bindings')
    .selectAll()
    .where('license_id', '=', licenseId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: Number(row.id),
    ip_address: row.ip_address.replace(/\/\d+$/, ''),
    description: row.description,
    created_at: wireTime(row.created_at),
  }));
}
