import type { Host } from './host.ts';

/** Where the chain of a host name and its key are: one file, so that they are replaced together. */
export function certificatePaths({ settings }: Host, hostname: string) {
  const directory = `${settings.etc}/tls/${hostname}`;
  return { directory, file: `${directory}/chain-and-key.pem` };
}
