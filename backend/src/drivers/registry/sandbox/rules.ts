import { parseDecimal } from '../../../base/decimal.ts';
import { unicodeName } from '../../../base/domain-name.ts';
import type { DomainAvailability, DomainQuestion, PremiumPrices } from '../port.ts';

/** What the sandbox does with a question. */
export type SandboxReaction =
  | { readonly kind: 'answer'; readonly answer: DomainAvailability }
  /** The answer comes late. */
  | { readonly kind: 'delay'; readonly answer: DomainAvailability }
  /** None comes, and the line stays open. */
  | { readonly kind: 'silence' }
  /** The connection breaks. */
  | { readonly kind: 'break' };

/** Registered by somebody, as everybody expects. */
const WELL_KNOWN = new Set(
  `adobe airbnb amazon android apple baidu bbc bing cloudflare cnn debian dropbox ebay example facebook github
  gitlab gmail google icann instagram linkedin linux microsoft mozilla netflix nginx nodejs oracle paypal
  postgresql reddit samsung signal spotify telegram tesla tiktok twitch twitter ubuntu whatsapp wikipedia
  windows wordpress yahoo yandex youtube zoom`.split(/\s+/),
);

/** ICANN's registry agreements, specification 5: kept by the registry for its own operation. */
const KEPT = new Set(['nic', 'rdds', 'whois', 'www']);

/** The classes that the sandbox sells premium names in. */
const PREMIUM = {
  one_letter: prices('4999.00', '999.00', '4999.00', '5199.00'),
  two_letters: prices('999.00', '249.00', '999.00', '1199.00'),
  word: prices('249.00', '99.00', '249.00', '349.00'),
} as const;
export type PremiumClass = keyof typeof PREMIUM;

/** The documented behaviour of every name; the same name always gets the same answer. */
export function reactionTo({ domain, tld }: DomainQuestion): SandboxReaction {
  const label = domain.slice(0, -tld.length - 1);
  if (label.startsWith('timeout')) return { kind: 'silence' };
  if (label.startsWith('down')) return { kind: 'break' };
  if (label.startsWith('patchy') && /^(.*\.)?[a-z]{2}$/.test(tld)) return { kind: 'silence' };
  const answer = { domain, ...availabilityOf(label) };
  return label.startsWith('slow') ? { kind: 'delay', answer } : { kind: 'answer', answer };
}

/** What is known of a name before anybody has registered it. */
export interface NameRule {
  readonly available: boolean;
  readonly reason: 'taken' | 'reserved' | 'invalid' | null;
  readonly premium: PremiumPrices | null;
}

export function availabilityOf(label: string): NameRule {
  const found = premiumClass(label);
  const premium = found === null ? null : PREMIUM[found];
  if (label.startsWith('taken') || WELL_KNOWN.has(label))
    return { available: false, reason: 'taken', premium };
  if (label.startsWith('reserved') || KEPT.has(label))
    return { available: false, reason: 'reserved', premium };
  if (label.startsWith('invalid')) return { available: false, reason: 'invalid', premium };
  return { available: true, reason: null, premium };
}

/** null: an ordinary name, at the TLD's prices. */
export function premiumClass(label: string): PremiumClass | null {
  const characters = [...unicodeName(label)].length;
  if (characters === 1) return 'one_letter';
  if (characters === 2) return 'two_letters';
  return label.startsWith('premium') ? 'word' : null;
}

function prices(register: string, renew: string, transfer: string, restore: string): PremiumPrices {
  const [a, b, c, d] = [register, renew, transfer, restore].map((text) => parseDecimal(text, 4));
  return { register: a ?? 0n, renew: b ?? 0n, transfer: c ?? 0n, restore: d ?? 0n };
}
