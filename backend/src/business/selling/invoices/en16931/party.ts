import type { Seller } from '../../../core/catalog/schema/seller.ts';
import type { Invoice } from '../invoice.ts';
import type { TaxCategory } from './category.ts';
import type { XmlElement } from './xml.ts';

/** An electronic address is an e-mail address here (EAS code list). */
const EMAIL = 'EM';
const VAT_NUMBER = 'VA';
const TAX_NUMBER = 'FC';

/** BG-4. Outside the scope of tax no VAT number may appear (BR-O-02); then the tax number identifies (BR-CO-26). */
export function sellerParty(seller: Seller, category: TaxCategory): XmlElement {
  const outside = category.code === 'O';
  const registrations = [
    ...(seller.vat_id === undefined || outside ? [] : [{ 'ram:ID': identifier(seller.vat_id, VAT_NUMBER) }]),
    ...(seller.tax_number === undefined ? [] : [{ 'ram:ID': identifier(seller.tax_number, TAX_NUMBER) }]),
  ];
  return {
    'ram:ID': outside || seller.vat_id === undefined ? (seller.tax_number ?? seller.vat_id) : undefined,
    'ram:Name': seller.name,
    'ram:Description': seller.legal.length === 0 ? undefined : seller.legal.join(', '),
    'ram:DefinedTradeContact': {
      'ram:PersonName': seller.name,
      'ram:TelephoneUniversalCommunication':
        seller.phone === undefined ? undefined : { 'ram:CompleteNumber': seller.phone },
      'ram:EmailURIUniversalCommunication': { 'ram:URIID': seller.email },
    },
    'ram:PostalTradeAddress': {
      'ram:PostcodeCode': seller.zip,
      'ram:LineOne': seller.street,
      'ram:CityName': seller.city,
      'ram:CountryID': seller.country,
    },
    'ram:URIUniversalCommunication': { 'ram:URIID': identifier(seller.email, EMAIL) },
    'ram:SpecifiedTaxRegistration': registrations,
  };
}

/**
 * BG-7. The standard wants the buyer's country (BR-11): who has given no address is taxed like a consumer at the
 * seller's home, and counted there.
 */
export function buyerParty({ buyer, seller }: Invoice, category: TaxCategory): XmlElement {
  const [street, ...more] = buyer.street;
  return {
    'ram:ID': buyer.customer_number,
    'ram:Name': buyer.company ?? buyer.name,
    'ram:DefinedTradeContact': buyer.company === null ? undefined : { 'ram:PersonName': buyer.name },
    'ram:PostalTradeAddress': {
      'ram:PostcodeCode': given(buyer.zip),
      'ram:LineOne': street,
      'ram:LineTwo': given(more.join(', ')),
      'ram:CityName': given(buyer.city),
      'ram:CountryID': buyer.country === '' ? seller.country : buyer.country,
      'ram:CountrySubDivisionName': buyer.region ?? undefined,
    },
    'ram:URIUniversalCommunication': { 'ram:URIID': identifier(buyer.email, EMAIL) },
    'ram:SpecifiedTaxRegistration':
      buyer.vat_id === null || category.code === 'O'
        ? undefined
        : { 'ram:ID': identifier(buyer.vat_id, VAT_NUMBER) },
  };
}

function identifier(id: string, scheme: string): XmlElement {
  return { '@schemeID': scheme, '#text': id };
}

function given(text: string): string | undefined {
  return text === '' ? undefined : text;
}
