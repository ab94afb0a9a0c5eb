import type { Element } from '../../epp/wire/element.ts';
import { token } from '../../epp/wire/element.ts';
import type { ContactCard } from '../commands.ts';
import { extensionIn } from './read.ts';
import { CommandRefused } from './result.ts';
import { SERVICES } from './service.ts';

const NAMESPACE = SERVICES.citizenship;

/** What TLDs for residents ask of a contact who lives elsewhere; null: the command says nothing of it. */
export function readCitizenship(
  verb: 'create' | 'update',
  extensions: readonly Element[],
): ContactCard['extra'] | null {
  const extension = extensionIn(extensions, 'citizenship');
  if (extension === null) return null;
  const [said] = extension.name === verb ? extension.children : [];
  if (said?.name !== 'citizenship' || !/^[A-Z]{2}$/.test(token(said)))
    throw new CommandRefused(2005, 'a citizenship is a code of ISO 3166-1 in capital letters', extension);
  return { eu_citizenship: token(said) };
}

/** The same of a contact that is told of; null: there is nothing to tell. */
export function citizenshipOf({ extra }: Pick<ContactCard, 'extra'>): Element | null {
  const { eu_citizenship: country } = extra;
  return typeof country === 'string' ? own('infData', [own('citizenship', [], country)]) : null;
}

function own(name: string, children: readonly Element[], text = ''): Element {
  return { namespace: NAMESPACE, name, attributes: {}, children, text };
}
