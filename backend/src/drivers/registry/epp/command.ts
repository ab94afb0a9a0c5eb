import { randomBytes } from 'node:crypto';
import { writeDocument } from './wire/document.ts';
import { type Element, element } from './wire/element.ts';

export type Verb =
  | 'check'
  | 'create'
  | 'delete'
  | 'info'
  | 'login'
  | 'logout'
  | 'poll'
  | 'renew'
  | 'transfer'
  | 'update';

/** A command of RFC 5730 §2.9 to send. */
export interface EppCommand {
  /** For logs: `domain create`. */
  readonly name: string;
  readonly verb: Verb;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly content: readonly Element[];
  readonly extensions: readonly Element[];
}

/** The document of a command; its transaction id is the last thing in it. */
export function writeCommand({ verb, attributes, content, extensions }: EppCommand, clTRID: string): string {
  return writeDocument(
    element(
      'epp',
      'epp',
      element('epp', 'command', [
        element('epp', verb, content, attributes),
        extensions.length === 0 ? null : element('epp', 'extension', extensions),
        element('epp', 'clTRID', clTRID),
      ]),
    ),
  );
}

export function writeHello(): string {
  return writeDocument(element('epp', 'epp', element('epp', 'hello')));
}

/** Unique, to find a command in our log and the registry's; registries do not deduplicate by it. */
export function newTransactionId(): string {
  return `HK-${randomBytes(12).toString('hex')}`;
}
