import { type XmlElement as Element, XmlDocument } from 'libxml2-wasm';

const NAMESPACES = {
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
};

const LINE = '//ram:IncludedSupplyChainTradeLineItem';
const LINE_NET = `${LINE}//ram:LineTotalAmount`;
const ALLOWANCE = '//ram:ApplicableHeaderTradeSettlement/ram:SpecifiedTradeAllowanceCharge';
const TAX = '//ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax';
const SUM = '//ram:SpecifiedTradeSettlementHeaderMonetarySummation';
const SELLER = '//ram:SellerTradeParty';
const BUYER = '//ram:BuyerTradeParty';

/**
 * The business rules of EN 16931 that apply to what is issued here, and are broken by a Cross Industry Invoice: by
 * the names that the standard gives them. Written after its text, since no package brings the official Schematron.
 */
export function brokenRules(xml: string): string[] {
  using document = XmlDocument.fromString(xml);
  const all = (path: string): string[] =>
    document.find(path, NAMESPACES).map((node) => (node as Element).content.trim());
  const has = (path: string) => all(path).some((text) => text !== '');
  const cents = (path: string) => all(path).reduce((sum, text) => sum + Math.round(Number(text) * 100), 0);
  const category = all(`${TAX}/ram:CategoryCode`)[0] ?? '';
  const everywhere = all('//ram:CategoryCode');
  const rates = all('//ram:RateApplicablePercent').map(Number);
  const vat = `/ram:SpecifiedTaxRegistration/ram:ID[@schemeID='VA']`;
  const taxed =
    has(`${SELLER}${vat}`) || has(`${SELLER}/ram:SpecifiedTaxRegistration/ram:ID[@schemeID='FC']`);
  const untaxed = category !== 'S' && category !== 'Z';
  const rate = rates[0] ?? 0;
  const taxOff =
    cents(`${TAX}/ram:CalculatedAmount`) - Math.round((cents(`${TAX}/ram:BasisAmount`) * rate) / 100);
  const rules: Record<string, boolean> = {
    'BR-01': has('//ram:GuidelineSpecifiedDocumentContextParameter/ram:ID'),
    'BR-02': has('//rsm:ExchangedDocument/ram:ID'),
    'BR-03': has('//rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString'),
    'BR-04': has('//rsm:ExchangedDocument/ram:TypeCode'),
    'BR-05': has('//ram:InvoiceCurrencyCode'),
    'BR-06': has(`${SELLER}/ram:Name`),
    'BR-07': has(`${BUYER}/ram:Name`),
    'BR-09': has(`${SELLER}/ram:PostalTradeAddress/ram:CountryID`),
    'BR-11': has(`${BUYER}/ram:PostalTradeAddress/ram:CountryID`),
    'BR-16': has(`${LINE}//ram:LineID`),
    'BR-22': all(`${LINE}//ram:BilledQuantity`).length === all(LINE).length,
    'BR-25': all(`${LINE}//ram:Name`).every((name) => name !== ''),
    'BR-27': all(`${LINE}//ram:NetPriceProductTradePrice/ram:ChargeAmount`).every(
      (price) => Number(price) >= 0,
    ),
    'BR-33': all(ALLOWANCE).length === all(`${ALLOWANCE}/ram:Reason`).length,
    'BR-49': has('//ram:SpecifiedTradeSettlementPaymentMeans/ram:TypeCode'),
    'BR-55':
      !has('//ram:InvoiceReferencedDocument') || has('//ram:InvoiceReferencedDocument/ram:IssuerAssignedID'),
    'BR-CO-10': cents(`${SUM}/ram:LineTotalAmount`) === cents(LINE_NET),
    'BR-CO-11': cents(`${SUM}/ram:AllowanceTotalAmount`) === cents(`${ALLOWANCE}/ram:ActualAmount`),
    'BR-CO-13':
      cents(`${SUM}/ram:TaxBasisTotalAmount`) === cents(LINE_NET) - cents(`${ALLOWANCE}/ram:ActualAmount`),
    'BR-CO-14': cents(`${SUM}/ram:TaxTotalAmount`) === cents(`${TAX}/ram:CalculatedAmount`),
    'BR-CO-15':
      cents(`${SUM}/ram:GrandTotalAmount`) ===
      cents(`${SUM}/ram:TaxBasisTotalAmount`) + cents(`${SUM}/ram:TaxTotalAmount`),
    'BR-CO-16':
      cents(`${SUM}/ram:DuePayableAmount`) ===
      cents(`${SUM}/ram:GrandTotalAmount`) - cents(`${SUM}/ram:TotalPrepaidAmount`),
    'BR-CO-17': Math.abs(taxOff) < 100,
    'BR-CO-18': all(TAX).length === 1,
    'BR-CO-26': has(`${SELLER}/ram:ID`) || has(`${SELLER}${vat}`),
    [`BR-${category}-01`]: everywhere.every((code) => code === category),
    [`BR-${category}-02`]:
      category === 'O'
        ? !has(`${SELLER}${vat}`) && !has(`${BUYER}${vat}`)
        : taxed && (category !== 'AE' || has(`${BUYER}${vat}`)),
    [`BR-${category}-05`]:
      category === 'O' ? rates.length === 0 : rates.every((each) => (category === 'S') === each > 0),
    [`BR-${category}-08`]: cents(`${TAX}/ram:BasisAmount`) === cents(`${SUM}/ram:TaxBasisTotalAmount`),
    [`BR-${category}-09`]: category === 'S' || cents(`${TAX}/ram:CalculatedAmount`) === 0,
    [`BR-${category}-10`]: has(`${TAX}/ram:ExemptionReason`) === untaxed,
  };
  return Object.entries(rules)
    .filter(([, holds]) => !holds)
    .map(([name]) => name);
}
