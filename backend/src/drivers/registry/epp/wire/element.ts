import { NS, type Vocabulary } from './namespace.ts';

/** An XML element whose names are resolved: prefixes are gone. */
export interface Element {
  readonly namespace: string;
  readonly name: string;
  /** By their names; those with a namespace of their own are left out. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** The character data directly in it, entities resolved. */
  readonly text: string;
}

type Content = Element | string | null;

/** An element to send, in one of EPP's vocabularies; parts that are null are left out. */
export function element(
  vocabulary: Vocabulary,
  name: string,
  content: Content | readonly Content[] = null,
  attributes: Readonly<Record<string, string>> = {},
): Element {
  const parts: readonly Content[] = isList(content) ? content : [content];
  return {
    namespace: NS[vocabulary],
    name,
    attributes,
    children: parts.filter((part) => part !== null && typeof part !== 'string'),
    text: parts.filter((part) => typeof part === 'string').join(''),
  };
}

/** Elements of one vocabulary: `const domain = writer('domain'); domain('name', 'example.com')`. */
export function writer(vocabulary: Vocabulary) {
  return (
    name: string,
    content: Content | readonly Content[] = null,
    attributes: Readonly<Record<string, string>> = {},
  ): Element => element(vocabulary, name, content, attributes);
}

/** The children of this name; of any name without one. */
export function childrenOf(
  parent: Element | null,
  vocabulary: Vocabulary,
  name?: string,
): readonly Element[] {
  if (parent === null) return [];
  return parent.children.filter(
    (child) => child.namespace === NS[vocabulary] && (name === undefined || child.name === name),
  );
}

/** The first such child. */
export function childOf(parent: Element | null, vocabulary: Vocabulary, name: string): Element | null {
  return childrenOf(parent, vocabulary, name)[0] ?? null;
}

/** The text of the first such child, without spaces around it (XML Schema's token); null where there is none. */
export function textOf(parent: Element | null, vocabulary: Vocabulary, name: string): string | null {
  const child = childOf(parent, vocabulary, name);
  return child === null ? null : token(child);
}

export function textsOf(parent: Element | null, vocabulary: Vocabulary, name: string): readonly string[] {
  return childrenOf(parent, vocabulary, name).map(token);
}

/** XML Schema's token: spaces at the ends are gone and those inside are single. */
export function token({ text }: Element): string {
  return text.trim().replace(/\s+/g, ' ');
}

function isList(content: Content | readonly Content[]): content is readonly Content[] {
  return Array.isArray(content);
}
