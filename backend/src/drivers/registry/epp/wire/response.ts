import type { Instant } from '../../../../base/time.ts';
import { instantOf } from './date-time.ts';
import { DocumentError } from './document.ts';
import { childOf, childrenOf, type Element, textOf } from './element.ts';
import { NS } from './namespace.ts';

/** A server's answer to a command (RFC 5730 §2.6). */
export interface EppResponse {
  readonly code: number;
  readonly message: string;
  /** What the result is about, and why: RFC 5730's `value` and `extValue`. */
  readonly details: readonly EppDetail[];
  readonly queue: EppQueue | null;
  readonly data: readonly Element[];
  readonly extensions: readonly Element[];
  readonly clTRID: string | null;
  readonly svTRID: string | null;
}

export interface EppDetail {
  readonly value: Element | null;
  readonly reason: string;
}

export interface EppQueue {
  readonly count: number;
  readonly id: string;
  readonly at: Instant | null;
  readonly text: string;
}

/** Throws {@link DocumentError} where it is none. */
export function readResponse(root: Element): EppResponse {
  const response = root.namespace === NS.epp && root.name === 'epp' ? childOf(root, 'epp', 'response') : null;
  const result = childOf(response, 'epp', 'result');
  const code = Number(result?.attributes.code);
  if (result === null || !Number.isInteger(code) || code < 1000 || code > 2999)
    throw new DocumentError('it is no response with a result');
  const trID = childOf(response, 'epp', 'trID');
  return {
    code,
    message: textOf(result, 'epp', 'msg') ?? '',
    details: [
      ...childrenOf(result, 'epp', 'value').map((value) => ({
        value: value.children[0] ?? null,
        reason: '',
      })),
      ...childrenOf(result, 'epp', 'extValue').map((detail) => ({
        value: childOf(detail, 'epp', 'value')?.children[0] ?? null,
        reason: textOf(detail, 'epp', 'reason') ?? '',
      })),
    ],
    queue: readQueue(childOf(response, 'epp', 'msgQ')),
    data: childOf(response, 'epp', 'resData')?.children ?? [],
    extensions: childOf(response, 'epp', 'extension')?.children ?? [],
    clTRID: textOf(trID, 'epp', 'clTRID'),
    svTRID: textOf(trID, 'epp', 'svTRID'),
  };
}

function readQueue(queue: Element | null): EppQueue | null {
  if (queue === null) return null;
  const date = textOf(queue, 'epp', 'qDate');
  return {
    count: Number(queue.attributes.count ?? 0),
    id: queue.attributes.id ?? '',
    at: date === null ? null : instantOf(date),
    text: textOf(queue, 'epp', 'msg') ?? '',
  };
}

/** The one object that a response is about: `domain:infData`, `host:chkData` … */
export function dataOf(
  { data }: EppResponse,
  vocabulary: 'domain' | 'contact' | 'host',
  name: string,
): Element | null {
  return data.find((found) => found.namespace === NS[vocabulary] && found.name === name) ?? null;
}

export function extensionOf(
  { extensions }: EppResponse,
  vocabulary: 'rgp' | 'secDNS' | 'fee' | 'launch',
  name: string,
): Element | null {
  return extensions.find((found) => found.namespace === NS[vocabulary] && found.name === name) ?? null;
}
