import { formatDecimal } from '../../../../base/decimal.ts';
import type { Amount } from '../../../../base/money.ts';
import type { Instant } from '../../../../base/time.ts';
import type { Invoice } from '../invoice.ts';
import type { InvoiceLine } from '../line.ts';
import { servicePeriod } from '../period.ts';
import { PAID_FROM_BALANCE } from '../wording.ts';
import { type TaxCategory, taxCategory } from './category.ts';
import { buyerParty, sellerParty } from './party.ts';
import { type XmlElement, xmlText } from './xml.ts';

const NAMESPACES = {
  '@xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  '@xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  '@xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  '@xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
};
/** The core of EN 16931, which is ZUGFeRD's and Factur-X's profile of that name. */
const PROFILE = 'urn:cen.eu:en16931:2017';
/** UNTDID 1001. */
const TYPE = { invoice: '380', credit_note: '381' } as const;
/** UNTDID 4461, clearing between partners: it was paid from what the customer had paid in before. */
const CLEARED = '97';
/** UNTDID 5189, discount. */
const DISCOUNT = '95';
/** UN/ECE Recommendation 20, one. */
const PIECE = 'C62';
/** UNTDID 2379, CCYYMMDD. */
const DAY = '102';

/**
 * An invoice as a Cross Industry Invoice of UN/CEFACT, in the profile EN 16931 of ZUGFeRD 2.x and Factur-X 1.x. It is
 * paid: what was prepaid is the whole amount. What takes money off (discounts) is an allowance on the document, since
 * prices of items are never below zero (BR-27).
 */
export function crossIndustryInvoice(invoice: Invoice): string {
  const category = taxCategory(invoice, invoice.seller.country);
  const charged = invoice.lines.filter((line) => line.net >= 0n);
  const allowed = invoice.lines.filter((line) => line.net < 0n);
  return xmlText({
    'rsm:CrossIndustryInvoice': {
      ...NAMESPACES,
      'rsm:ExchangedDocumentContext': {
        'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': PROFILE },
      },
      'rsm:ExchangedDocument': {
        'ram:ID': invoice.number,
        'ram:TypeCode': TYPE[invoice.kind],
        'ram:IssueDateTime': day(invoice.issue_date),
      },
      'rsm:SupplyChainTradeTransaction': {
        'ram:IncludedSupplyChainTradeLineItem': charged.map((line, index) =>
          lineItem(line, index + 1, invoice, category),
        ),
        'ram:ApplicableHeaderTradeAgreement': {
          'ram:SellerTradeParty': sellerParty(invoice.seller, category),
          'ram:BuyerTradeParty': buyerParty(invoice, category),
        },
        'ram:ApplicableHeaderTradeDelivery': '',
        'ram:ApplicableHeaderTradeSettlement': settlement(invoice, category, charged, allowed),
      },
    },
  });
}

function lineItem(line: InvoiceLine, id: number, invoice: Invoice, category: TaxCategory): XmlElement {
  const quantity = { '@unitCode': PIECE, '#text': String(line.quantity) };
  return {
    'ram:AssociatedDocumentLineDocument': { 'ram:LineID': String(id) },
    'ram:SpecifiedTradeProduct': { 'ram:Name': line.description, 'ram:Description': line.title },
    'ram:SpecifiedLineTradeAgreement': {
      // The price of all of them: divided by their number it need not be a decimal.
      'ram:NetPriceProductTradePrice': {
        'ram:ChargeAmount': amount(line.net),
        'ram:BasisQuantity': quantity,
      },
    },
    'ram:SpecifiedLineTradeDelivery': { 'ram:BilledQuantity': quantity },
    'ram:SpecifiedLineTradeSettlement': {
      'ram:ApplicableTradeTax': tax(invoice, category),
      'ram:BillingSpecifiedPeriod': period(line.periodFrom, line.periodTo, invoice.seller.timezone),
      'ram:SpecifiedTradeSettlementLineMonetarySummation': { 'ram:LineTotalAmount': amount(line.net) },
    },
  };
}

function settlement(
  invoice: Invoice,
  category: TaxCategory,
  charged: readonly InvoiceLine[],
  allowed: readonly InvoiceLine[],
): XmlElement {
  const charges = sum(charged);
  const allowances = -sum(allowed);
  const { from, to } = servicePeriod(invoice.lines);
  return {
    'ram:InvoiceCurrencyCode': invoice.currency,
    'ram:SpecifiedTradeSettlementPaymentMeans': {
      'ram:TypeCode': CLEARED,
      'ram:Information': PAID_FROM_BALANCE[invoice.kind][invoice.locale],
    },
    'ram:ApplicableTradeTax': {
      'ram:CalculatedAmount': amount(invoice.tax),
      'ram:TypeCode': 'VAT',
      'ram:ExemptionReason': category.reason,
      'ram:BasisAmount': amount(invoice.net),
      'ram:CategoryCode': category.code,
      'ram:ExemptionReasonCode': category.reasonCode,
      'ram:RateApplicablePercent': rate(invoice, category),
    },
    'ram:BillingSpecifiedPeriod': period(from, to, invoice.seller.timezone),
    'ram:SpecifiedTradeAllowanceCharge': allowed.map((line) => ({
      'ram:ChargeIndicator': { 'udt:Indicator': 'false' },
      'ram:ActualAmount': amount(-line.net),
      'ram:ReasonCode': DISCOUNT,
      'ram:Reason': line.description,
      'ram:CategoryTradeTax': tax(invoice, category),
    })),
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation': {
      'ram:LineTotalAmount': amount(charges),
      'ram:AllowanceTotalAmount': allowed.length === 0 ? undefined : amount(allowances),
      'ram:TaxBasisTotalAmount': amount(invoice.net),
      'ram:TaxTotalAmount': { '@currencyID': invoice.currency, '#text': amount(invoice.tax) },
      'ram:GrandTotalAmount': amount(invoice.gross),
      'ram:TotalPrepaidAmount': amount(invoice.gross),
      'ram:DuePayableAmount': amount(0n),
    },
    'ram:InvoiceReferencedDocument': corrected(invoice),
  };
}

/** BG-3: what a credit note corrects. */
function corrected({ corrects_number: number, corrects_date: date }: Invoice): XmlElement | undefined {
  if (number === null || date === null) return undefined;
  return {
    'ram:IssuerAssignedID': number,
    'ram:FormattedIssueDateTime': { 'qdt:DateTimeString': dayText(date) },
  };
}

function tax(invoice: Invoice, category: TaxCategory): XmlElement {
  return {
    'ram:TypeCode': 'VAT',
    'ram:CategoryCode': category.code,
    'ram:RateApplicablePercent': rate(invoice, category),
  };
}

/** Outside the scope of tax there is no rate, not even of 0 % (BR-O-05). */
function rate(invoice: Invoice, category: TaxCategory): string | undefined {
  return category.code === 'O' ? undefined : formatDecimal(BigInt(invoice.tax_rate), 2);
}

/** Days at the seller's, the last one included (BT-73, BT-74). */
function period(from: Instant, to: Instant, timeZone: string): XmlElement {
  const dayOf = (at: Instant) => day(at.toZonedDateTimeISO(timeZone).toPlainDate().toString());
  return { 'ram:StartDateTime': dayOf(from), 'ram:EndDateTime': dayOf(to.subtract({ seconds: 1 })) };
}

function day(date: string): XmlElement {
  return { 'udt:DateTimeString': dayText(date) };
}

function dayText(date: string): XmlElement {
  return { '@format': DAY, '#text': date.replaceAll('-', '') };
}

function amount(value: Amount): string {
  return formatDecimal(value, 2);
}

function sum(lines: readonly InvoiceLine[]): Amount {
  return lines.reduce((total, { net }) => total + net, 0n);
}
