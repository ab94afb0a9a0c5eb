import type { Statement } from '../db/statement.ts';
import type { Resource } from '../operation.ts';

/**
 * A subject that two statements find: `load` by account ids, uuids (`unnest … WITH ORDINALITY`, whose number it
 * answers as `ord`), `lock` by one account id and one uuid, with the row locked.
 */
export function accountResource<T extends object>(
  type: Resource<T>['type'],
  load: Statement<T & { ord: bigint }>,
  lock: Statement<T>,
): Resource<T> {
  return {
    type,
    async load(db, keys) {
      const rows = await db.run(load, [keys.map((key) => key.accountId), keys.map((key) => key.uuid)]);
      const found: (T | null)[] = keys.map(() => null);
      for (const row of rows) found[Number(row.ord) - 1] = row;
      return found;
    },
    async lock(tx, key) {
      const [row] = await tx.run(lock, [key.accountId, key.uuid]);
      return row ?? null;
    },
  };
}
