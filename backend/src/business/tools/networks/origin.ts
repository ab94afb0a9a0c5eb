import { readAddress } from '../../../base/network.ts';
import { reverseName } from '../../../base/subnet.ts';
import type { Resolver } from '../../../drivers/resolver/port.ts';

/** Who announces an address on the Internet, and the country that its registry names. */
export interface Origin {
  readonly asn: { readonly number: number; readonly name: string } | null;
  readonly country: string | null;
}

const NOWHERE: Origin = { asn: null, country: null };
/** No narrower network than these is announced, so nobody needs to be told more of the address. */
const ANNOUNCED = {
  4: { labels: 3, zone: 'origin.asn.cymru.com' },
  6: { labels: 12, zone: 'origin6.asn.cymru.com' },
};

/**
 * Looks up the origin of a public address in Team Cymru's zones, which are made from the routing tables: by its /24
 * or /48. Throws BackendUnavailable where the DNS does not answer.
 */
export async function originOf(resolver: Resolver, address: string, deadlineMs: number): Promise<Origin> {
  const read = readAddress(address);
  if (read === null) return NOWHERE;
  const { labels, zone } = ANNOUNCED[read.family];
  const reverse = reverseName(read).split('.').slice(0, -2).slice(-labels).join('.');
  const [numbers = '', , country = ''] = narrowest(await resolver.texts(`${reverse}.${zone}`, deadlineMs));
  const number = Number(/^\d{1,10}/.exec(numbers)?.[0] ?? Number.NaN);
  if (Number.isNaN(number)) return NOWHERE;
  const described = await resolver.texts(`AS${number}.asn.cymru.com`, deadlineMs);
  const name = columns(described[0] ?? '')[4] ?? '';
  return {
    asn: { number, name: name.slice(0, 200) || `AS${number}` },
    country: /^[A-Z]{2}$/.test(country) ? country : null,
  };
}

/** `13335 | 1.1.1.0/24 | AU | apnic | 2011-08-11`: the columns of the answer for the longest prefix. */
function narrowest(texts: readonly string[]): readonly string[] {
  const prefix = (answer: readonly string[]) => Number(answer[1]?.split('/')[1] ?? 0);
  return texts.map(columns).sort((a, b) => prefix(b) - prefix(a))[0] ?? [];
}

function columns(text: string): readonly string[] {
  return text.split('|').map((column) => column.replace(/\p{Cc}/gu, ' ').trim());
}
