import type { HostInfo } from './host.ts';
import { type Element, token } from './wire/element.ts';

type Addresses = Pick<HostInfo, 'ipv4' | 'ipv6'>;

/** The addresses in elements of RFC 5732's `addrType`; without a version they are IPv4. */
export function readAddresses(elements: readonly Element[]): Addresses {
  const isV6 = ({ attributes }: Element) => attributes.ip === 'v6';
  return {
    ipv4: elements.filter((address) => !isV6(address)).map(token),
    ipv6: elements.filter(isV6).map(token),
  };
}

/** The reverse, under the element's name there: `addr` of hosts, `hostAddr` of domains. */
export function writeAddresses(
  write: (name: string, content: string, attributes: Record<string, string>) => Element,
  name: string,
  { ipv4, ipv6 }: Addresses,
): readonly Element[] {
  return [
    ...ipv4.map((address) => write(name, address, { ip: 'v4' })),
    ...ipv6.map((address) => write(name, address, { ip: 'v6' })),
  ];
}
