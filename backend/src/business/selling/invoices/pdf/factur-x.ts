import type { Sheet } from './sheet.ts';

/** The name that readers look for. */
export const ATTACHMENT = 'factur-x.xml';

/** What PDF/A wants to be told of the metadata that Factur-X adds, and the metadata: nothing in it varies. */
const METADATA = `
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
  xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
  <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
    <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
    <pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>
    <pdfaSchema:prefix>fx</pdfaSchema:prefix>
    <pdfaSchema:property><rdf:Seq>
      ${property('DocumentFileName', 'The name of the embedded XML document')}
      ${property('DocumentType', 'The type of the hybrid document in capital letters, e.g. INVOICE or ORDER')}
      ${property('Version', 'The actual version of the standard applying to the embedded XML document')}
      ${property('ConformanceLevel', 'The conformance level of the embedded XML document')}
    </rdf:Seq></pdfaSchema:property>
  </rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">
  <fx:DocumentType>INVOICE</fx:DocumentType>
  <fx:DocumentFileName>${ATTACHMENT}</fx:DocumentFileName>
  <fx:Version>1.0</fx:Version>
  <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
</rdf:Description>`;

function property(name: string, description: string): string {
  return `<rdf:li rdf:parseType="Resource">
        <pdfaProperty:name>${name}</pdfaProperty:name>
        <pdfaProperty:valueType>Text</pdfaProperty:valueType>
        <pdfaProperty:category>external</pdfaProperty:category>
        <pdfaProperty:description>${description}</pdfaProperty:description>
      </rdf:li>`;
}

/** Makes a PDF/A-3 a Factur-X (ZUGFeRD 2.x) document: the XML is the same invoice in another form. */
export function embedInvoice(sheet: Sheet, xml: string, at: Date): void {
  // The declared types do not know what the attachment is to the document; PDF/A-3 wants it said.
  const options: PDFKit.Mixins.PDFAttachmentOptions & { readonly relationship: 'Alternative' } = {
    name: ATTACHMENT,
    type: 'text/xml',
    description: 'Factur-X/ZUGFeRD invoice',
    creationDate: at,
    modifiedDate: at,
    relationship: 'Alternative',
  };
  sheet.doc.file(Buffer.from(xml), options);
  sheet.doc.appendXML(METADATA);
}
