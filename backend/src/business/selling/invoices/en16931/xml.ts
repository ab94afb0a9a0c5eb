import { XMLBuilder } from 'fast-xml-parser';

/** An element by its name: text, child elements in their order, or several of the name. `@name` is an attribute. */
export interface XmlElement {
  readonly [name: string]: string | XmlElement | readonly (string | XmlElement)[] | undefined;
}

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  format: true,
  indentBy: '  ',
  suppressEmptyNode: true,
  // The markup's own characters in texts become entities.
  processEntities: true,
});

/** A document in UTF-8. Members that are undefined are left out. */
export function xmlText(root: XmlElement): string {
  return builder.build({ '?xml': { '@version': '1.0', '@encoding': 'UTF-8' }, ...clean(root) });
}

/** XML 1.0 §2.2: what no document may contain, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function clean(element: XmlElement): XmlElement {
  return Object.fromEntries(
    Object.entries(element).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, Array.isArray(value) ? value.map(cleanOne) : cleanOne(value as string | XmlElement)]];
    }),
  );
}

function cleanOne(value: string | XmlElement): string | XmlElement {
  return typeof value === 'string' ? value.toWellFormed().replace(FORBIDDEN, ' ') : clean(value);
}
