import { Refused } from './refusal.ts';
import { isWritable } from './wire/document.ts';
import type { Element } from './wire/element.ts';
import type { EppResponse } from './wire/response.ts';

/** How a registry wants to be told what it asks of contacts beyond RFC 5733: in an extension of its own. */
export interface ContactExtension {
  /** Its namespace, under which it is in the registry's greeting. */
  readonly namespace: string;
  /** The element that holds the fields in a create, in an update, and in what `info` tells. */
  readonly create: string;
  readonly update: string;
  readonly info: string;
  /** In the order in which the registry wants them. */
  readonly fields: readonly ExtensionField[];
}

/** A member of a contact's `extra`, and where it goes. */
export interface ExtensionField {
  /** As the catalogue's `contact_schema` names it. */
  readonly name: string;
  /** Elements, the outermost first. */
  readonly path: readonly string[];
  /** The element's text is `key=value` then, with all its keys; null: the value alone. */
  readonly key: string | null;
  /** The registry's words for values; those that are not here are sent as they are. */
  readonly values: ReadonlyMap<string, string>;
}

type Extra = Readonly<Record<string, unknown>>;

interface Entry {
  readonly path: readonly string[];
  readonly text: string;
}

/** The extension that tells what is known of a contact; null: nothing is. */
export function writeExtra(
  extension: ContactExtension,
  extra: Extra,
  command: 'create' | 'update',
): Element | null {
  const entries = entriesOf(extension, extra);
  if (entries.length === 0) return null;
  const { namespace } = extension;
  return {
    namespace,
    name: extension[command],
    attributes: {},
    children: branches(namespace, entries),
    text: '',
  };
}

/** Whether a registry's answer to `info` tells all of it as it is. One that tells nothing is told again. */
export function tellsExtra(extension: ContactExtension, extra: Extra, { extensions }: EppResponse): boolean {
  const { namespace, info } = extension;
  const told = extensions.find((one) => one.namespace === namespace && one.name === info);
  const wanted = branches(namespace, entriesOf(extension, extra));
  return wanted.every((branch) => told !== undefined && holds(told, branch));
}

const FURTHER_PAIR = /\s[^\s=]+=/;

/** Throws Refused for a value that would be read as more than one. */
function entriesOf({ fields }: ContactExtension, extra: Extra): readonly Entry[] {
  return fields.flatMap(({ name, path, key, values }) => {
    const value = extra[name];
    if (typeof value !== 'string' && typeof value !== 'boolean') return [];
    const word = values.get(String(value)) ?? String(value);
    if (!isWritable(word)) return [];
    // Customers write their values, and pairs only for the keys that they are asked for.
    if (key !== null && FURTHER_PAIR.test(word))
      throw new Refused('contact_invalid', `the value of ${name} goes on with a pair of its own`);
    return [{ path, text: key === null ? word : `${key}=${word}` }];
  });
}

/** Paths with a common beginning share its elements. */
function branches(namespace: string, entries: readonly Entry[]): readonly Element[] {
  return [...Map.groupBy(entries, ({ path }) => path[0] ?? '')].map(([name, inside]) => {
    const deeper = inside.flatMap(({ path, text }) =>
      path.length > 1 ? [{ path: path.slice(1), text }] : [],
    );
    const texts = inside.flatMap(({ path, text }) => (path.length === 1 ? [text] : []));
    return { namespace, name, attributes: {}, children: branches(namespace, deeper), text: texts.join(' ') };
  });
}

function holds(parent: Element, wanted: Element): boolean {
  return parent.children.some(
    (child) =>
      child.name === wanted.name &&
      wanted.children.every((inner) => holds(child, inner)) &&
      wordsOf(wanted.text).every((word) => wordsOf(child.text).includes(word)),
  );
}

/** Pairs of one text come in any order. */
function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
