import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';
import type { Element } from './element.ts';
import { prefixOf } from './namespace.ts';

/** What was received is no XML that EPP allows; the message says why, and repeats nothing of it. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

const MOST_NESTED = 40;

const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  cdataPropName: CDATA,
  ignoreDeclaration: true,
  ignorePiTags: true,
  processEntities: false,
  maxNestedTags: MOST_NESTED,
});

const builder = new XMLBuilder({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  textNodeName: TEXT,
  suppressEmptyNode: true,
  processEntities: true,
});

/**
 * Reads a document. A document type is refused before anything is read, so there is nothing that it could define,
 * include or expand; what remains are XML's five entities and references to characters. Throws {@link DocumentError}.
 */
export function readDocument(text: string): Element {
  if (/<!(?!\[CDATA\[|--)/.test(text)) throw new DocumentError('it has a document type');
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new DocumentError(`it is no XML: ${valid.err.code}, line ${valid.err.line}`);
  let nodes: unknown;
  try {
    nodes = parser.parse(text);
  } catch {
    throw new DocumentError(`it is no XML, or nested more than ${MOST_NESTED} deep`);
  }
  const roots = nodesOf(nodes).filter((node) => nameOf(node) !== null);
  const [root] = roots;
  if (root === undefined || roots.length > 1) throw new DocumentError('it has not one root element');
  return resolved(
    root,
    { declared: new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]), outer: null },
    1,
  );
}

/** A document in UTF-8. */
export function writeDocument(root: Element): string {
  const body: unknown = builder.build([unresolved(root, null)]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${String(body)}`;
}

type Node = Readonly<Record<string, unknown>>;

function nodesOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter((node): node is Node => typeof node === 'object') : [];
}

/** The qualified name of an element; null for what is not an element. */
function nameOf(node: Node): string | null {
  return Object.keys(node).find((key) => ![TEXT, CDATA, ATTRIBUTES].includes(key)) ?? null;
}

/** Namespaces by the prefixes that an element declares, and those around it; shared, for there may be many. */
interface Scope {
  readonly declared: ReadonlyMap<string, string>;
  readonly outer: Scope | null;
}

function namespaceOf(prefix: string, scope: Scope | null): string {
  for (let within = scope; within !== null; within = within.outer) {
    const namespace = within.declared.get(prefix);
    if (namespace !== undefined) return namespace;
  }
  return '';
}

function resolved(node: Node, outer: Scope, depth: number): Element {
  if (depth > MOST_NESTED) throw new DocumentError(`it is nested more than ${MOST_NESTED} deep`);
  const qualified = nameOf(node) ?? '';
  const declared = new Map<string, string>();
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(node[ATTRIBUTES] ?? {})) {
    const text = decoded(String(value));
    if (name === 'xmlns') declared.set('', text);
    else if (name.startsWith('xmlns:')) declared.set(name.slice('xmlns:'.length), text);
    else if (!name.includes(':')) attributes[name] = text;
  }
  const scope = declared.size === 0 ? outer : { declared, outer };
  const [local = '', prefix = ''] = qualified.split(':').reverse();
  const namespace = namespaceOf(prefix, scope);
  if (prefix !== '' && namespace === '') throw new DocumentError('it uses a prefix that it does not declare');
  const children: Element[] = [];
  let text = '';
  for (const child of nodesOf(node[qualified])) {
    if (typeof child[TEXT] === 'string') text += decoded(child[TEXT]);
    else if (CDATA in child)
      text += nodesOf(child[CDATA])
        .map((part) => String(part[TEXT] ?? ''))
        .join('');
    else if (nameOf(child) !== null) children.push(resolved(child, scope, depth + 1));
  }
  return { namespace, name: local, attributes, children, text };
}

/** Each element declares the prefix that it uses where its parent has another. */
function unresolved({ namespace, name, attributes, children, text }: Element, parent: string | null): Node {
  const prefix = prefixOf(namespace);
  const declared = namespace === parent ? {} : { [prefix === '' ? 'xmlns' : `xmlns:${prefix}`]: namespace };
  return {
    [prefix === '' ? name : `${prefix}:${name}`]: [
      ...(text === '' ? [] : [{ [TEXT]: permitted(text) }]),
      ...children.map((child) => unresolved(child, namespace)),
    ],
    [ATTRIBUTES]: {
      ...declared,
      ...Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, permitted(value)])),
    },
  };
}

/** XML 1.0 §2.2: what no document may contain, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Whether the text can be sent as it is. */
export function isWritable(text: string): boolean {
  return permitted(text) === text;
}

function permitted(text: string): string {
  return text.toWellFormed().replace(FORBIDDEN, ' ');
}

const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&([^;&]*)(;?)/g, (_, reference: string, end: string) => {
    const known = Object.hasOwn(PREDEFINED, reference) ? PREDEFINED[reference] : characterOf(reference);
    if (known === undefined || known === null || end === '')
      throw new DocumentError('it uses an entity that XML does not define');
    return known;
  });
}

/** What a reference by number stands for; null: nothing that XML has. */
function characterOf(reference: string): string | null {
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(reference) ?? [];
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  if (!(code <= 0x10ffff)) return null;
  const character = String.fromCodePoint(code);
  return isWritable(character) ? character : null;
}
