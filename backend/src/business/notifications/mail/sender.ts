import type { Executor } from '../../../db/pool.ts';
import type { Seller } from '../../core/catalog/schema/seller.ts';
import { type CatalogStore, NoCatalog } from '../../core/catalog/versions.ts';

/** In whose name mails are sent. */
export interface Sender {
  /** Who signs them; null while the catalogue names nobody. */
  readonly seller: Seller | null;
  /** Where answers go; null: nowhere. */
  readonly replies: string | null;
}

export async function senderOf(db: Executor, catalogs: CatalogStore): Promise<Sender> {
  try {
    const { seller, support } = (await catalogs.newest(db)).content;
    return { seller, replies: support.address };
  } catch (error) {
    if (error instanceof NoCatalog) return { seller: null, replies: null };
    throw error;
  }
}
