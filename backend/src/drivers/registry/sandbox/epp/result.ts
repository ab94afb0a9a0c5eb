import { type Element, element } from '../../epp/wire/element.ts';
import type { Failure, FailureField } from '../reply.ts';

/** RFC 5730 §3: the texts that go with the codes. */
export const MESSAGES: Readonly<Record<number, string>> = {
  1000: 'Command completed successfully',
  1001: 'Command completed successfully; action pending',
  1300: 'Command completed successfully; no messages',
  1301: 'Command completed successfully; ack to dequeue',
  1500: 'Command completed successfully; ending session',
  2000: 'Unknown command',
  2001: 'Command syntax error',
  2002: 'Command use error',
  2003: 'Required parameter missing',
  2004: 'Parameter value range error',
  2005: 'Parameter value syntax error',
  2100: 'Unimplemented protocol version',
  2101: 'Unimplemented command',
  2102: 'Unimplemented option',
  2103: 'Unimplemented extension',
  2104: 'Billing failure',
  2105: 'Object is not eligible for renewal',
  2106: 'Object is not eligible for transfer',
  2200: 'Authentication error',
  2201: 'Authorization error',
  2202: 'Invalid authorization information',
  2300: 'Object pending transfer',
  2301: 'Object not pending transfer',
  2302: 'Object exists',
  2303: 'Object does not exist',
  2304: 'Object status prohibits operation',
  2305: 'Object association prohibits operation',
  2306: 'Parameter value policy error',
  2307: 'Unimplemented object service',
  2308: 'Data management policy violation',
  2400: 'Command failed',
  2500: 'Command failed; server closing connection',
  2501: 'Authentication error; server closing connection',
  2502: 'Session limit exceeded; server closing connection',
};

/** What a command is answered with. */
export interface Answer {
  readonly code: number;
  readonly details?: readonly Detail[];
  readonly queue?: Queue;
  readonly data?: readonly Element[];
  readonly extensions?: readonly Element[];
}

/** RFC 5730's `extValue`: the value that the result is about, and why. */
export interface Detail {
  readonly value: Element;
  readonly reason: string;
}

export interface Queue {
  readonly count: number;
  readonly id: string;
  readonly message: { readonly at: Temporal.Instant; readonly text: string } | null;
}

/** A command is not carried out: thrown while it is read, or made of what the registry refused. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
  readonly answer: Answer;

  constructor(code: number, reason: string, value: Element = element('epp', 'undef')) {
    super(reason);
    this.answer = { code, details: [{ value, reason }] };
  }
}

/** The element of a command that a failure is about; its value is not repeated, it may be a secret. */
const ELEMENTS: Readonly<Record<FailureField, Element>> = {
  name: element('domain', 'name'),
  period: element('domain', 'period'),
  expiry: element('domain', 'curExpDate'),
  fee: element('fee', 'fee'),
  authcode: element('domain', 'pw'),
  contact: element('domain', 'contact'),
  host: element('domain', 'hostObj'),
  ds: element('secDNS', 'dsData'),
  status: element('domain', 'status'),
  lock: element('domain', 'status', null, { s: 'serverTransferProhibited' }),
  transfer: element('domain', 'trStatus'),
  credit: element('epp', 'undef'),
  message: element('epp', 'msgQ'),
  registrar: element('epp', 'clID'),
};

export function refused({ code, field, reason }: Failure): Answer {
  return { code, details: [{ value: ELEMENTS[field], reason }] };
}
