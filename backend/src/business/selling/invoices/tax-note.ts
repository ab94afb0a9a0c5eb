import type { Locale } from '../../../operation.ts';
import type { TaxKind } from '../../core/tax/treatment.ts';

type Note = Readonly<Record<Locale, string>>;

const REVERSE_CHARGE: Note = {
  en: 'Reverse charge: VAT is to be accounted for by the recipient.',
  de: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).',
};
const OUTSIDE: Note = {
  en: 'Not subject to domestic VAT: the place of supply is abroad.',
  de: 'Im Inland nicht steuerbar: Der Leistungsort liegt im Ausland.',
};
const SMALL_BUSINESS: Note = {
  en: 'No VAT is charged: exemption for small enterprises (Art. 284 of Directive 2006/112/EC).',
  de: 'Kein Ausweis von Umsatzsteuer: Steuerbefreiung für Kleinunternehmer (Art. 284 der Richtlinie 2006/112/EG).',
};
const SMALL_BUSINESS_DE: Note = {
  en: 'No VAT is charged: small enterprise according to § 19 UStG.',
  de: 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet (Kleinunternehmer).',
};

/** What the law wants an invoice to say about tax that it does not charge; null when it charges it. */
export function taxNote(kind: TaxKind, sellerCountry: string, locale: Locale): string | null {
  switch (kind) {
    case 'standard':
      return null;
    case 'reverse_charge':
      return REVERSE_CHARGE[locale];
    case 'export':
      return OUTSIDE[locale];
    case 'small_business':
      return (sellerCountry === 'DE' ? SMALL_BUSINESS_DE : SMALL_BUSINESS)[locale];
  }
}
