import type { RecordField, RecordProblem } from '../../../base/dns/record.ts';
import type { InputProblem } from '../../../errors.ts';

/** Where in the request a record is: an item of a list, or a line of the zone file. */
export type RecordPosition =
  | { readonly list: 'changes' | 'records'; readonly index: number }
  | { readonly list: 'zonefile'; readonly line: number };

/** Something that works but is likely not meant. */
export interface ZoneWarning {
  readonly pointer: string;
  readonly error: string;
  readonly message: string;
}

export function problemAt(
  place: RecordPosition,
  problem: Omit<RecordProblem, 'field'>,
  field: Member,
): InputProblem {
  const { error, allowed, limit } = problem;
  return {
    pointer: pointerTo(place, field),
    error,
    message: messageAt(place, problem.message),
    ...(allowed === undefined ? {} : { allowed }),
    ...(limit === undefined ? {} : { limit }),
  };
}

export function warningAt(
  place: RecordPosition,
  error: string,
  message: string,
  field?: Member,
): ZoneWarning {
  return { pointer: pointerTo(place, field), error, message: messageAt(place, message) };
}

type Member = RecordField | 'id' | undefined;

function pointerTo(place: RecordPosition, member: Member): string {
  if (place.list === 'zonefile') return '/zonefile';
  const item = `/${place.list}/${place.index}`;
  return member === undefined ? item : `${item}/${member}`;
}

/** A JSON pointer ends at the text, so the line is in the message. */
function messageAt(place: RecordPosition, message: string): string {
  return place.list === 'zonefile' && place.line > 0 ? `Line ${place.line}: ${message}` : message;
}
