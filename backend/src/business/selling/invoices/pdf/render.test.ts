import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XMLValidator } from 'fast-xml-parser';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { sampleInvoice, sampleInvoices, sampleLine } from '../../../../../test/invoices.ts';
import { crossIndustryInvoice } from '../en16931/cross-industry-invoice.ts';
import type { Invoice } from '../invoice.ts';
import { renderInvoice } from './render.ts';

/** A rendered invoice as a reader sees it. */
async function read(invoice: Invoice) {
  const xml = crossIndustryInvoice(invoice);
  const bytes = await renderInvoice(invoice, xml);
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const document = await task.promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    const texts = items.map((item) => ('str' in item ? item.str : ''));
    pages.push(texts.join(' ').replace(/\s+/g, ' '));
  }
  const names = [...((await document.getAttachments())?.keys() ?? [])];
  const attached = await Promise.all(names.map((name) => document.getAttachmentContent(name)));
  const { metadata } = await document.getMetadata();
  await task.destroy();
  return { xml, bytes, pages, names, attached, metadata };
}

test('it says in German what an invoice must say, with umlauts and the sign of the euro', async () => {
  const { pages } = await read(sampleInvoice());
  const [page = ''] = pages;
  for (const text of [
    'Rechnung',
    'INV-2027-000042',
    '15.01.2027',
    'Käufer & Söhne GmbH',
    'Jörg Müßig',
    'Königsallee 27',
    'Server web1, 1 Monat',
    '15.01.2027 – 15.02.2027',
    'USt. 19 %',
    '3,99 €',
    'DE136695976',
    'Aus Ihrem Guthaben bezahlt',
    'Seite 1 von 1',
  ]) {
    assert.ok(page.includes(text), `${text} is missing in: ${page}`);
  }
});

test('it says in English to an English customer, and which country’s tax it is', async () => {
  const { pages } = await read(sampleInvoices().get('one-stop shop') as Invoice);
  for (const text of ['Invoice', '15 Jan 2027', '€3.35', 'VAT 20 % (AT)', 'AUSTRIA', 'Page 1 of 1']) {
    assert.ok(pages[0]?.includes(text), `${text} is missing in: ${pages[0]}`);
  }
});

test('who charges no tax says why, and a correction what it corrects', async () => {
  const samples = sampleInvoices();
  const page = async (name: string) => (await read(samples.get(name) as Invoice)).pages[0] ?? '';
  assert.match(await page('reverse charge'), /Steuerschuldnerschaft des Leistungsempfängers/);
  assert.match(await page('small business'), /§ 19 UStG/);
  assert.match(await page('outside the EU'), /Im Inland nicht steuerbar/);
  assert.match(await page('credit note'), /Rechnungskorrektur .*INV-2027-000042/);
});

test('the structured invoice is attached, byte for byte, and the metadata says so', async () => {
  const { xml, names, attached, metadata, bytes } = await read(sampleInvoice());
  assert.deepEqual(names, ['factur-x.xml']);
  assert.equal(Buffer.from(attached[0] ?? []).toString(), xml);
  const raw = bytes.toString('latin1');
  assert.match(raw, /\/AFRelationship \/Alternative/);
  assert.match(raw, /\/AF \[/);
  assert.match(raw, /\/OutputIntents/);
  const packet = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(bytes.toString())?.[0] ?? '';
  assert.equal(XMLValidator.validate(packet), true);
  assert.match(packet, /<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B</);
  assert.match(packet, /<fx:ConformanceLevel>EN 16931</);
  assert.ok(metadata !== null);
});

test('the same invoice gives the same bytes', async () => {
  const invoice = sampleInvoice();
  const once = () => renderInvoice(invoice, crossIndustryInvoice(invoice));
  assert.ok((await once()).equals(await once()));
});

test('letters that the font does not have are question marks, never missing glyphs', async () => {
  const invoice = sampleInvoice({ lines: [sampleLine({ title: 'Server 東京😀, Łódź Αθήνα Київ' })] });
  assert.ok((await read(invoice)).pages[0]?.includes('Server ???, Łódź Αθήνα Київ'));
});

test('500 lines fill pages in their order, each numbered, and others get their turns meanwhile', async () => {
  const lines = Array.from({ length: 500 }, (_, index) =>
    sampleLine({ orderId: `order ${index}`, title: `Server web${index}, 1 Monat`, net: BigInt(index + 1) }),
  );
  const invoice = sampleInvoice({ lines });
  let turns = 0;
  const turn = () => {
    turns += 1;
    waiting = setImmediate(turn);
  };
  let waiting = setImmediate(turn);
  await renderInvoice(invoice, '');
  clearImmediate(waiting);
  assert.ok(turns >= 15, `${turns} turns`);
  const { pages } = await read(invoice);
  const found = pages.flatMap((page) =>
    [...page.matchAll(/Server web(\d+),/g)].map((match) => Number(match[1])),
  );
  assert.deepEqual(
    found,
    lines.map((_, index) => index),
  );
  assert.ok(pages.length > 10);
  assert.match(pages.at(-1) ?? '', /1\.252,50 €/);
  assert.ok(pages.every((page, index) => page.includes(`Seite ${index + 1} von ${pages.length}`)));
});
