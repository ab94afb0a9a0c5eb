import type { Seller } from '../../core/catalog/schema/seller.ts';

/**
 * The seller, if they can issue invoices: the law wants a VAT number or a tax number on each (Art. 226 of Directive
 * 2006/112/EC). null: nothing is issued until the catalogue says.
 */
export function issuingSeller(seller: Seller | null): Seller | null {
  if (seller === null) return null;
  return seller.vat_id === undefined && seller.tax_number === undefined ? null : seller;
}
