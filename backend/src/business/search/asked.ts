import { domainToASCII } from 'node:url';
import { readAddress, readNetwork } from '../../base/network.ts';
import { licenseKeyHash } from '../licenses/key.ts';

/** What somebody looks for, as the text itself says. */
export type Asked =
  /** An address, or a network in prefix notation. */
  | { readonly kind: 'ip_address'; readonly network: string }
  | { readonly kind: 'license_key'; readonly hash: Buffer }
  | { readonly kind: 'email'; readonly email: string }
  /** The domain may be one that the name is below; an invoice's number looks like a name, too. */
  | {
      readonly kind: 'name';
      readonly name: string;
      readonly domains: readonly string[];
      readonly number: string;
    }
  /** More addresses than a report is about. */
  | { readonly kind: 'too_large' };

/** The largest networks that can be looked through, by their prefixes. */
const LARGEST = { 4: 16, 6: 32 } as const;
const MOST_LABELS = 10;

export function readAsked(text: string): Asked {
  if (readAddress(text) !== null) return { kind: 'ip_address', network: text };
  const network = readNetwork(text);
  if (network !== null) {
    const isTooLarge = network.prefix < LARGEST[network.family];
    return isTooLarge ? { kind: 'too_large' } : { kind: 'ip_address', network: text };
  }
  if (/^HK(-[0-9A-Z]{5}){5}$/i.test(text)) return { kind: 'license_key', hash: licenseKeyHash(text) };
  if (text.includes('@')) return { kind: 'email', email: text.toLowerCase() };
  const typed = text.toLowerCase().replace(/\.$/, '');
  // What is no name in any writing is looked for as it was typed.
  const name = domainToASCII(typed) || typed;
  const labels = name.split('.').slice(-MOST_LABELS);
  const domains = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
  return { kind: 'name', name, domains, number: text.toUpperCase() };
}
