import { childOf, type Element, textOf } from '../../epp/wire/element.ts';
import type { Vocabulary } from '../../epp/wire/namespace.ts';
import { CommandRefused } from './result.ts';
import { SERVICES, type Service } from './service.ts';

/** The text of an element that must be there: 2003 otherwise. */
export function requiredText(parent: Element | null, vocabulary: Vocabulary, name: string): string {
  const text = textOf(parent, vocabulary, name);
  if (text === null || text === '') throw new CommandRefused(2003, `${vocabulary}:${name} is missing`);
  return text;
}

/** Names are compared in lower case. */
export function requiredName(parent: Element, vocabulary: 'domain' | 'host'): string {
  return requiredText(parent, vocabulary, 'name').toLowerCase();
}

export function names(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.toLowerCase());
}

/** RFC 5731 §2.8, in years; null where there is none. */
export function readPeriod(parent: Element): number | null {
  const period = childOf(parent, 'domain', 'period');
  if (period === null) return null;
  const length = Number(period.text);
  if (!Number.isInteger(length) || length < 1 || length > 99)
    throw new CommandRefused(2004, 'a period is from 1 to 99', period);
  if (period.attributes.unit === 'y') return length;
  if (period.attributes.unit === 'm' && length % 12 === 0) return length / 12;
  throw new CommandRefused(2306, 'periods here are whole years', period);
}

/** RFC 5731 §2.6. */
export function readAuthInfo(parent: Element): string | null {
  const authInfo = childOf(parent, 'domain', 'authInfo');
  if (authInfo === null) return null;
  if (childOf(authInfo, 'domain', 'pw') === null)
    throw new CommandRefused(2102, 'authcodes here are passwords', authInfo);
  return passwordIn(authInfo);
}

/** XML Schema's normalizedString: unlike in names, spaces count. */
export function passwordIn(authInfo: Element): string | null {
  return childOf(authInfo, 'domain', 'pw')?.text.replace(/[\t\r\n]/g, ' ') ?? null;
}

/** The one extension of this kind in a command. */
export function extensionIn(extensions: readonly Element[], service: Service): Element | null {
  return extensions.find(({ namespace }) => namespace === SERVICES[service]) ?? null;
}
