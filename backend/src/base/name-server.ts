import { isIPv4 } from 'node:net';
import { isHostname } from './hostname.ts';
import { isResolverAddress } from './resolver-address.ts';

/** Where a name server listens. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

/** A name server that zones are delegated to. */
export interface NameServer {
  readonly hostname: string;
  /** Where to ask it; every address is asked, since the world may use any. */
  readonly addresses: readonly ServerAddress[];
}

const DNS_PORT = 53;

/**
 * Name servers as an operator lists them: `ns1.example.net=192.0.2.53,ns1.example.net=[2001:db8::53]`, each as often
 * as it has addresses, with a port (`[2001:db8::53]:5300`) where that is not 53. null: not understood.
 */
export function parseNameServers(text: string): readonly NameServer[] | null {
  const servers = new Map<string, ServerAddress[]>();
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [hostname = '', at = '', ...more] = part.trim().toLowerCase().split('=');
    const address = parseServerAddress(at);
    if (!isHostname(hostname) || address === null || more.length > 0) return null;
    servers.set(hostname, [...(servers.get(hostname) ?? []), address]);
  }
  return [...servers].map(([hostname, addresses]) => ({ hostname, addresses }));
}

/** An IP address, with a port in the form of RFC 5952 §6 if it is not 53. */
export function parseServerAddress(text: string): ServerAddress | null {
  const [, inside, behind] = /^\[([^\]]+)\](?::(\d+))?$/.exec(text) ?? [];
  if (inside !== undefined) {
    return isResolverAddress(inside) && !isIPv4(inside) ? placed(inside, behind) : null;
  }
  if (!isResolverAddress(text)) return null;
  const [address = '', port] = text.includes('.') && !text.includes('::') ? text.split(':') : [text];
  return placed(address, port);
}

function placed(address: string, port: string | undefined): ServerAddress | null {
  const number = Number(port ?? DNS_PORT);
  return number >= 1 && number <= 65_535 ? { address, port: number } : null;
}
