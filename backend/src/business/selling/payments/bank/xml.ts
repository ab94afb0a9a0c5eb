import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element: its text, or its children and attributes (`@name`) with its text as `#text`. */
export type XmlNode = string | { readonly [name: string]: XmlNode | readonly XmlNode[] };

export type XmlReading =
  | { readonly ok: true; readonly root: XmlNode }
  | { readonly ok: false; readonly problem: string };

const MOST_CHARACTERS = 16 * 1024 * 1024;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  processEntities: false,
  maxNestedTags: 40,
});

/**
 * Reads an XML document without a document type: there is nothing that it could define, include or expand.
 * Prefixes of names are left out.
 */
export function readXml(text: string): XmlReading {
  if (text.length > MOST_CHARACTERS) return { ok: false, problem: 'it is larger than 16 MiB' };
  if (/<!(DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i.test(text))
    return { ok: false, problem: 'it has a document type' };
  const valid = XMLValidator.validate(text);
  if (valid !== true) return { ok: false, problem: `it is no XML: ${valid.err.msg}` };
  try {
    return { ok: true, root: parser.parse(text) };
  } catch (error) {
    return { ok: false, problem: `it is no XML: ${(error as Error).message}` };
  }
}

/** The elements of this name, on a path of names; none where there are none. */
export function elements(node: XmlNode | undefined, ...path: readonly string[]): readonly XmlNode[] {
  const [name, ...rest] = path;
  if (node === undefined) return [];
  if (name === undefined) return [node];
  if (typeof node === 'string' || !Object.hasOwn(node, name)) return [];
  const found = node[name] ?? [];
  const children: readonly XmlNode[] = isList(found) ? found : [found];
  return children.flatMap((child) => elements(child, ...rest));
}

/** The text of the first element on the path, or null where it has none. */
export function textAt(node: XmlNode | undefined, ...path: readonly string[]): string | null {
  const [found] = elements(node, ...path);
  const text = typeof found === 'string' ? found : found?.['#text'];
  return typeof text === 'string' && text !== '' ? decoded(text) : null;
}

const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** XML's five entities and references to characters: all that there is without a document type. */
function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return PREDEFINED[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function isList(found: XmlNode | readonly XmlNode[]): found is readonly XmlNode[] {
  return Array.isArray(found);
}
