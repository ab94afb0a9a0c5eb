import { z } from 'zod';
import { divideRounded, wireAmount, wireUnitPrice } from '../base/money.ts';
import { wireTime } from '../base/time.ts';
import { downloadLink, type LinkContext } from '../business/core/downloads/ticket.ts';
import type { Invoice, InvoiceHead } from '../business/selling/invoices/invoice.ts';
import type { InvoiceLine } from '../business/selling/invoices/line.ts';
import { servicePeriod } from '../business/selling/invoices/period.ts';
import { taxNote } from '../business/selling/invoices/tax-note.ts';
import { date } from './date.ts';
import { currency, money, timestamp, uuid } from './field.ts';
import { locale } from './person.ts';

export const invoiceKind = z.enum(['invoice', 'credit_note']);
export const taxKind = z.enum(['standard', 'reverse_charge', 'export', 'small_business']);
export const taxRate = z.number().describe('In percent.');
export const taxCountry = z
  .string()
  .describe('Where the sale is taxed: ISO 3166-1, or empty while the seller is not known.');

export const invoiceSummary = z.object({
  uuid,
  number: z.string(),
  kind: invoiceKind,
  issue_date: date.describe("The day at the seller's."),
  net: money.describe('Of a credit note too, amounts are not negative: they are paid back.'),
  tax: money,
  gross: money,
  gross_minor: z.int(),
  currency,
  tax_kind: taxKind,
  tax_rate: taxRate,
  tax_country: taxCountry,
  corrects: z
    .object({ uuid, number: z.string() })
    .nullable()
    .describe('Of a credit note: the invoice that it corrects.'),
  issued_at: timestamp,
});

export function wireInvoiceSummary(invoice: InvoiceHead): z.input<typeof invoiceSummary> {
  const { corrects, corrects_number: number } = invoice;
  return {
    uuid: invoice.id,
    number: invoice.number,
    kind: invoice.kind,
    issue_date: invoice.issue_date,
    net: wireAmount(invoice.net),
    tax: wireAmount(invoice.tax),
    gross: wireAmount(invoice.gross),
    gross_minor: Number(invoice.gross),
    currency: invoice.currency,
    tax_kind: invoice.tax_kind,
    tax_rate: invoice.tax_rate / 100,
    tax_country: invoice.tax_country,
    corrects: corrects === null || number === null ? null : { uuid: corrects, number },
    issued_at: wireTime(invoice.issued_at),
  };
}

export const invoiceLinks = z.object({
  pdf_url: z
    .string()
    .describe('The PDF (PDF/A-3, ZUGFeRD, Factur-X): good for 15 minutes, for whoever has it.'),
  xml_url: z.string().describe('The structured invoice (EN 16931, CII), which is also within the PDF.'),
});

export function wireInvoiceLinks(
  ctx: LinkContext,
  { id, account_id: accountId }: Pick<InvoiceHead, 'id' | 'account_id'>,
): z.input<typeof invoiceLinks> {
  return {
    pdf_url: downloadLink(ctx, { kind: 'invoice_pdf', id, accountId }),
    xml_url: downloadLink(ctx, { kind: 'invoice_xml', id, accountId }),
  };
}

const text = z.string();
const address = {
  street: z.array(text),
  zip: text,
  city: text,
  country: text.describe('ISO 3166-1; empty when no address was known.'),
  email: text,
  vat_id: text,
};

export const invoice = z.object({
  ...invoiceSummary.shape,
  lines: z.array(
    z.object({
      order_id: uuid,
      title: text.describe('What was ordered; lines of one order share it.'),
      description: text,
      quantity: z.int(),
      unit_price: z.number().describe('Net, at most four decimals.'),
      net: money.describe('Negative: it is taken off.'),
      period_from: timestamp,
      period_to: timestamp,
    }),
  ),
  period_from: timestamp,
  period_to: timestamp,
  buyer: z.object({ ...address, customer_number: text, company: text, name: text, region: text }),
  seller: z.object({ ...address, name: text, tax_number: text, legal: z.array(text) }),
  note: text.describe('Why no tax is charged, in the words that the law wants; else empty.'),
  locale,
});

export function wireInvoice(found: Invoice): z.input<typeof invoice> {
  const { buyer, seller, lines } = found;
  const period = servicePeriod(lines);
  return {
    ...wireInvoiceSummary(found),
    lines: lines.map(wireLine),
    period_from: wireTime(period.from),
    period_to: wireTime(period.to),
    buyer: {
      customer_number: buyer.customer_number,
      company: buyer.company ?? '',
      name: buyer.name,
      street: [...buyer.street],
      zip: buyer.zip,
      city: buyer.city,
      region: buyer.region ?? '',
      country: buyer.country,
      email: buyer.email,
      vat_id: buyer.vat_id ?? '',
    },
    seller: {
      name: seller.name,
      street: [seller.street],
      zip: seller.zip,
      city: seller.city,
      country: seller.country,
      email: seller.email,
      vat_id: seller.vat_id ?? '',
      tax_number: seller.tax_number ?? '',
      legal: [...seller.legal],
    },
    note: taxNote(found.tax_kind, seller.country, found.locale) ?? '',
    locale: found.locale,
  };
}

function wireLine(line: InvoiceLine): z.input<typeof invoice>['lines'][number] {
  return {
    order_id: line.orderId,
    title: line.title,
    description: line.description,
    quantity: line.quantity,
    unit_price: wireUnitPrice(divideRounded(line.net * 100n, BigInt(line.quantity))),
    net: wireAmount(line.net),
    period_from: wireTime(line.periodFrom),
    period_to: wireTime(line.periodTo),
  };
}
