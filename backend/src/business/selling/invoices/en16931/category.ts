import type { Locale } from '../../../../operation.ts';
import type { TaxKind } from '../../../core/tax/treatment.ts';
import { taxNote } from '../tax-note.ts';

/** How EN 16931 names a tax treatment (BT-118, UNTDID 5305), with why no tax is charged (BT-120, BT-121). */
export interface TaxCategory {
  readonly code: 'S' | 'AE' | 'O' | 'E' | 'Z';
  /** From the code list VATEX; none for small businesses, of which it knows only those of some countries. */
  readonly reasonCode?: string;
  readonly reason?: string;
}

/**
 * The category of an invoice. Services to customers outside the EU are not "exported" (G is for goods): their place
 * of supply is abroad, so they are outside the scope of tax (O). Such an invoice names nobody's VAT number (BR-O-02).
 */
export function taxCategory(
  invoice: { readonly tax_kind: TaxKind; readonly tax_rate: number; readonly locale: Locale },
  sellerCountry: string,
): TaxCategory {
  const reason = taxNote(invoice.tax_kind, sellerCountry, invoice.locale) ?? '';
  switch (invoice.tax_kind) {
    case 'standard':
      return { code: invoice.tax_rate === 0 ? 'Z' : 'S' };
    case 'reverse_charge':
      return { code: 'AE', reasonCode: 'VATEX-EU-AE', reason };
    case 'export':
      return { code: 'O', reasonCode: 'VATEX-EU-O', reason };
    case 'small_business':
      return { code: 'E', reason };
  }
}
