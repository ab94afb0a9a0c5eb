import type { Locale } from '../../../../operation.ts';

interface Words {
  readonly invoice: string;
  readonly credit_note: string;
  readonly number: string;
  readonly date: string;
  readonly customer: string;
  readonly period: string;
  readonly buyerVat: string;
  readonly corrects: string;
  readonly position: string;
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly amount: string;
  readonly net: string;
  readonly tax: string;
  readonly gross: string;
  readonly paid: string;
  readonly paidBack: string;
  readonly due: string;
  readonly vatNumber: string;
  readonly taxNumber: string;
  readonly page: string;
  readonly of: string;
  readonly embedded: string;
}

/** The fixed words of the document. A correction is no "Gutschrift", which is the buyer's own invoice in German law. */
export const WORDS: Readonly<Record<Locale, Words>> = {
  en: {
    invoice: 'Invoice',
    credit_note: 'Credit note',
    number: 'Number',
    date: 'Date',
    customer: 'Customer number',
    period: 'Service period',
    buyerVat: 'Your VAT number',
    corrects: 'Corrects invoice',
    position: 'No.',
    description: 'Description',
    quantity: 'Quantity',
    unitPrice: 'Unit price, net',
    amount: 'Amount, net',
    net: 'Net amount',
    tax: 'VAT',
    gross: 'Total',
    paid: 'Paid from balance',
    paidBack: 'Paid back to balance',
    due: 'Amount due',
    vatNumber: 'VAT number',
    taxNumber: 'Tax number',
    page: 'Page',
    of: 'of',
    embedded: 'A structured invoice according to EN 16931 is embedded in this file (factur-x.xml).',
  },
  de: {
    invoice: 'Rechnung',
    credit_note: 'Rechnungskorrektur',
    number: 'Nummer',
    date: 'Datum',
    customer: 'Kundennummer',
    period: 'Leistungszeitraum',
    buyerVat: 'Ihre USt-IdNr.',
    corrects: 'Korrigiert Rechnung',
    position: 'Pos.',
    description: 'Beschreibung',
    quantity: 'Menge',
    unitPrice: 'Einzelpreis netto',
    amount: 'Betrag netto',
    net: 'Nettobetrag',
    tax: 'USt.',
    gross: 'Gesamtbetrag',
    paid: 'Aus Guthaben bezahlt',
    paidBack: 'Ihrem Guthaben gutgeschrieben',
    due: 'Zu zahlen',
    vatNumber: 'USt-IdNr.',
    taxNumber: 'Steuernummer',
    page: 'Seite',
    of: 'von',
    embedded: 'In diese Datei ist die strukturierte Rechnung nach EN 16931 eingebettet (factur-x.xml).',
  },
};
