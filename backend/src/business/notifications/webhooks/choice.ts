import { EVENTS } from '../../../unit-of-work/event.ts';

/** Sent to the one webhook that is tried out with it, whatever that has chosen; to no other. */
export const TEST_EVENT = 'webhook.test';

const TYPES = Object.keys(EVENTS).filter((type) => type !== TEST_EVENT);

function groupOf(type: string): string {
  return `${type.slice(0, type.indexOf('.'))}.*`;
}

/** What can be chosen: everything, a group (`server.*`), a type. What is chosen by group takes in later types too. */
export const EVENT_CHOICES: readonly string[] = ['*', ...new Set(TYPES.map(groupOf)), ...TYPES];

export function isChosen(choices: readonly string[], type: string): boolean {
  if (type === TEST_EVENT) return false;
  return choices.includes('*') || choices.includes(type) || choices.includes(groupOf(type));
}

/** Whether something is chosen that was not before, of later types too. */
export function choosesMore(before: readonly string[], choices: readonly string[]): boolean {
  // A group is its own group, so that it is asked for like a type.
  return choices.some((choice) => !isChosen(before, choice));
}
