import { isHostname } from '../../../base/hostname.ts';
import type { Instant } from '../../../base/time.ts';
import type { WhoisRecord } from '../port.ts';

/** What an answer tells, whatever protocol it came by. */
export type Told = Pick<
  WhoisRecord,
  'registrar' | 'status' | 'nameservers' | 'dnssec' | 'createdAt' | 'updatedAt' | 'expireAt' | 'network'
>;

export const TOLD_NOTHING: Told = {
  registrar: null,
  status: [],
  nameservers: [],
  dnssec: null,
  createdAt: null,
  updatedAt: null,
  expireAt: null,
  network: null,
};

const LONGEST_TEXT = 300;
const MOST_VALUES = 50;

/** A text of somebody else's for people to read: in one line, not too long; null if nothing is left. */
export function plainText(text: string | null | undefined): string | null {
  const plain = (text ?? '').replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ').trim();
  return plain === '' ? null : [...plain].slice(0, LONGEST_TEXT).join('');
}

/** Host names, each once; what is none is left out. */
export function hostNames(texts: readonly string[]): readonly string[] {
  const names = texts.map((text) => text.trim().replace(/\.$/, '').toLowerCase()).filter(isHostname);
  return [...new Set(names)].slice(0, MOST_VALUES);
}

/** EPP's `clientTransferProhibited` and whatever else in RDAP's words (RFC 8056 §2), each once. */
export function statuses(texts: readonly string[]): readonly string[] {
  const words = texts.map((text) => {
    const [status = ''] = text.trim().split(/\s+https?:|[,;(]/);
    const spaced = status.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[\s_-]+/g, ' ');
    const word = spaced.trim().toLowerCase();
    return word === 'ok' ? 'active' : word;
  });
  return [...new Set(words.filter((word) => /^[a-z][a-z ]{0,59}$/.test(word)))].slice(0, MOST_VALUES);
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** The orders in which registries write a day; with a clock behind it or not. */
const DAYS: readonly { readonly form: RegExp; readonly order: string }[] = [
  { form: /^(\d{4})[-./ ]?(\d{2})[-./ ]?(\d{2})(?!\d)/, order: 'ymd' },
  { form: /^(\d{1,2})[./](\d{1,2})[./](\d{4})(?!\d)/, order: 'dmy' },
  { form: /^(\d{1,2})[-. ]([a-z]{3})[a-z]*[-. ](\d{4})(?!\d)/i, order: 'dmy' },
  { form: /^(?:[a-z]{3} )?([a-z]{3})[a-z]* +(\d{1,2}),? (\d{4})(?!\d)/i, order: 'mdy' },
];
const CLOCK = /^[T ]+(\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d+)?\s*(Z|[+-]\d{2}:?\d{2})?/i;

/** A moment as registries write it; a day alone is its beginning, a clock without an offset UTC's. null: it is none. */
export function moment(text: string | null | undefined): Instant | null {
  const written = (text ?? '').trim();
  for (const { form, order } of DAYS) {
    const found = form.exec(written);
    if (found === null) continue;
    const part = (which: string) => found[1 + order.indexOf(which)] ?? '';
    const month = MONTHS.indexOf(part('m').toLowerCase()) + 1 || Number(part('m'));
    const day = `${part('y')}-${String(month).padStart(2, '0')}-${part('d').padStart(2, '0')}`;
    const [, clock = '00:00', offset = 'Z'] = CLOCK.exec(written.slice(found[0].length)) ?? [];
    return instantOf(`${day}T${clock}${offset}`);
  }
  return null;
}

function instantOf(text: string): Instant | null {
  try {
    return Temporal.Instant.from(text);
  } catch {
    return null;
  }
}
