import { isIP } from 'node:net';

/** Where a server of ours listens. */
export interface Listening {
  readonly host: string;
  readonly port: number;
}

/** Reads `2424` (on this machine only), `192.0.2.1:2424` or `[2001:db8::1]:2424`; null: it is neither. */
export function parseListening(text: string): Listening | null {
  const match = /^(?:(?:\[([^\]]+)\]|([^:]+)):)?(\d{1,5})$/.exec(text.trim());
  if (match === null) return null;
  const host = match[1] ?? match[2] ?? '127.0.0.1';
  const port = Number(match[3]);
  if (port > 65_535 || isIP(host) === 0 || (match[1] !== undefined && isIP(host) !== 6)) return null;
  return { host, port };
}
