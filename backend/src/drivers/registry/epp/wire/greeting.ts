import { DocumentError } from './document.ts';
import { childOf, type Element, textOf, textsOf } from './element.ts';
import { NS, type Vocabulary } from './namespace.ts';

/** What a server says of itself (RFC 5730 §2.4). */
export interface Greeting {
  readonly server: string;
  readonly languages: readonly string[];
  readonly versions: readonly string[];
  readonly objects: readonly string[];
  readonly extensions: readonly string[];
}

/** Throws {@link DocumentError} where it is none. */
export function readGreeting(root: Element): Greeting {
  const greeting = root.namespace === NS.epp && root.name === 'epp' ? childOf(root, 'epp', 'greeting') : null;
  const menu = childOf(greeting, 'epp', 'svcMenu');
  if (greeting === null || menu === null) throw new DocumentError('it is no greeting');
  return {
    server: textOf(greeting, 'epp', 'svID') ?? '',
    languages: textsOf(menu, 'epp', 'lang'),
    versions: textsOf(menu, 'epp', 'version'),
    objects: textsOf(menu, 'epp', 'objURI'),
    extensions: textsOf(childOf(menu, 'epp', 'svcExtension'), 'epp', 'extURI'),
  };
}

/** Those of the vocabularies spoken here that the server offers. */
export function offeredBy({ objects, extensions }: Greeting): ReadonlySet<Vocabulary> {
  const offered = new Set([...objects, ...extensions]);
  return new Set(
    Object.entries(NS)
      .filter(([, namespace]) => offered.has(namespace))
      .map(([vocabulary]) => vocabulary as Vocabulary),
  );
}
