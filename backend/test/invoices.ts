import type { Invoice } from '../src/business/selling/invoices/invoice.ts';
import type { InvoiceLine } from '../src/business/selling/invoices/line.ts';

const from = Temporal.Instant.from('2027-01-15T12:00:00Z');
const to = Temporal.Instant.from('2027-02-15T12:00:00Z');

export function sampleLine(change: Partial<InvoiceLine> = {}): InvoiceLine {
  return {
    orderId: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
    title: 'Server web1, 1 Monat',
    description: 'Cloud S (Monat)',
    quantity: 1,
    net: 335n,
    periodFrom: from,
    periodTo: to,
    ...change,
  };
}

/** An invoice as the database has them, of a business in Germany; its sums follow from its lines. */
export function sampleInvoice(change: Partial<Invoice> = {}): Invoice {
  const lines = change.lines ?? [sampleLine()];
  const rate = change.tax_rate ?? 1900;
  const net = lines.reduce((sum, line) => sum + line.net, 0n);
  const tax = (2n * net * BigInt(rate) + 10_000n) / 20_000n;
  return {
    id: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b22',
    account_id: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b33',
    kind: 'invoice',
    number: 'INV-2027-000042',
    currency: 'EUR',
    net,
    tax_kind: 'standard',
    tax_rate: rate,
    tax_country: 'DE',
    tax,
    gross: net + tax,
    corrects: null,
    corrects_number: null,
    corrects_date: null,
    issue_date: '2027-01-15',
    issued_at: from,
    lines,
    buyer: {
      customer_number: '00042',
      company: 'Käufer & Söhne GmbH',
      name: 'Jörg Müßig',
      email: 'rechnung@kaeufer.example',
      street: ['Königsallee 27', 'Hinterhaus'],
      zip: '40212',
      city: 'Düsseldorf',
      region: null,
      country: 'DE',
      vat_id: 'DE123456788',
    },
    seller: {
      name: 'Beispiel Hosting GmbH',
      street: 'Beispielweg 1',
      zip: '60311',
      city: 'Frankfurt am Main',
      country: 'DE',
      email: 'billing@hosting.example',
      phone: '+49 69 1234567',
      website: 'https://hosting.example',
      vat_id: 'DE136695976',
      tax_number: '045 123 45678',
      legal: ['Amtsgericht Frankfurt am Main HRB 12345', 'Geschäftsführung: Mara Muster'],
      iban: 'DE02120300000000202051',
      bic: 'BYLADEM1001',
      bank: 'Beispielbank',
      timezone: 'Europe/Berlin',
      invoice_series: 'INV',
      credit_note_series: 'CN',
    },
    locale: 'de',
    ...change,
  };
}

/** One of each kind that the law tells apart, by a name. */
export function sampleInvoices(): ReadonlyMap<string, Invoice> {
  const german = sampleInvoice();
  const abroad = (country: string, vatId: string | null) => ({ ...german.buyer, country, vat_id: vatId });
  const private_ = { ...german.buyer, company: null, vat_id: null };
  return new Map([
    ['home', german],
    [
      'discounted',
      sampleInvoice({
        lines: [
          sampleLine({ net: 1006n, quantity: 3, description: 'GiB Arbeitsspeicher (Monat)' }),
          sampleLine({ net: 336n, description: 'Einrichtung' }),
          sampleLine({ net: -134n, description: 'Rabatt <SPRING> & "Co"' }),
        ],
      }),
    ],
    [
      'one-stop shop',
      sampleInvoice({
        tax_rate: 2000,
        tax_country: 'AT',
        buyer: { ...private_, country: 'AT' },
        locale: 'en',
      }),
    ],
    [
      'reverse charge',
      sampleInvoice({
        tax_kind: 'reverse_charge',
        tax_rate: 0,
        tax_country: 'AT',
        buyer: abroad('AT', 'ATU12345675'),
      }),
    ],
    [
      'outside the EU',
      sampleInvoice({
        tax_kind: 'export',
        tax_rate: 0,
        tax_country: 'CH',
        buyer: abroad('CH', 'CHE123456788'),
      }),
    ],
    ['small business', sampleInvoice({ tax_kind: 'small_business', tax_rate: 0, locale: 'en' })],
    [
      'credit note',
      sampleInvoice({
        kind: 'credit_note',
        number: 'CN-2027-000001',
        corrects: german.id,
        corrects_number: german.number,
        corrects_date: german.issue_date,
        lines: [sampleLine({ description: 'Erstattung: Kulanz' })],
      }),
    ],
    [
      'without an address',
      sampleInvoice({
        buyer: { ...private_, street: [], zip: '', city: '', country: '' },
        lines: Array.from({ length: 500 }, (_, index) =>
          sampleLine({ orderId: `o${index}`, net: BigInt(300 + (index % 7)) }),
        ),
      }),
    ],
  ]);
}
