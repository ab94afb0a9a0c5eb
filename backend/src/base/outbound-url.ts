import { isIP } from 'node:net';
import { isHostname } from './hostname.ts';

const MOST_CHARACTERS = 2_000;
const HTTPS_PORT = 443;
/** Below it are other protocols, which might take a request for something of theirs. */
const FIRST_FREE_PORT = 1024;

/** The host of an address as the resolver and the socket take it: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/**
 * An address that requests may go to, as far as its text tells: https, a full host name or an IP address, port 443
 * or one from 1024 on, no password, no fragment. null: it is none. The parser is the WHATWG's, so 2130706433,
 * 0x7f.1 and 017700000001 are 127.0.0.1 here already, and an address with a zone is none.
 */
export function parseOutboundUrl(text: string): URL | null {
  const url = text.length <= MOST_CHARACTERS ? URL.parse(text) : null;
  if (url === null || url.protocol !== 'https:') return null;
  if (url.username !== '' || url.password !== '' || url.hash !== '') return null;
  const port = Number(url.port || HTTPS_PORT);
  if (port !== HTTPS_PORT && port < FIRST_FREE_PORT) return null;
  const host = hostOf(url);
  return isIP(host) !== 0 || isHostname(host) ? url : null;
}
