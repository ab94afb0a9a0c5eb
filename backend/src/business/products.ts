import type { Transaction } from '../db/transaction.ts';
import type { Catalog } from './core/catalog/schema/schema.ts';
import { domainProduct } from './domains/product.ts';
import { licenseProduct } from './licenses/product.ts';
import { defineProducts } from './selling/subscriptions/product.ts';
import { syncInventory } from './servers/capacity/inventory.ts';
import { serverProduct } from './servers/product.ts';
import { syncWebHosts } from './webspaces/inventory.ts';
import { webspaceProduct } from './webspaces/product.ts';

// The index of all products: whoever sells another names it here. What renews and ends services knows no product beside
// its definition.
defineProducts([licenseProduct, serverProduct, webspaceProduct, domainProduct]);

/** Brings what runs services, machines and web hosts, in line with a catalogue that is imported. */
export async function syncInventories(tx: Transaction, catalog: Catalog): Promise<void> {
  await syncInventory(tx, catalog);
  await syncWebHosts(tx, catalog);
}
