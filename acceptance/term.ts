/** A wire timestamp moved by whole months or hours: the last day of a shorter month stands for later days. */
export function later(timestamp: string, term: { months?: number; years?: number; hours?: number }): string {
  return Temporal.PlainDateTime.from(timestamp.replace(' ', 'T'))
    .add(term, { overflow: 'constrain' })
    .toString({ smallestUnit: 'second' })
    .replace('T', ' ');
}
