import { connect, type Socket } from 'node:net';
import { isGlobalUnicast } from './global-address.ts';
import { addressesOf, OutboundFailure, type OutboundOptions, pinnedTo, resolveInDns } from './outbound.ts';

/** Where to: a host name or an IP address. */
export interface OutboundHost {
  readonly host: string;
  readonly port: number;
}

/**
 * Connects by TCP to a host that is not ours to choose, by the rule of {@link openOutbound}: the name is resolved
 * once, every address it has must be one of the world's, and the connection goes to just these. The signal ends the
 * connection too, whenever it comes. Throws {@link OutboundFailure}, or the signal's reason.
 */
export async function connectOutbound(
  { host, port }: OutboundHost,
  signal: AbortSignal,
  { resolve = resolveInDns, permits = isGlobalUnicast }: Pick<OutboundOptions, 'resolve' | 'permits'> = {},
): Promise<Socket> {
  const addresses = await addressesOf(host, { resolve, permits, signal });
  signal.throwIfAborted();
  const socket = connect({ host, port, lookup: pinnedTo(addresses), autoSelectFamily: true });
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  const { promise, resolve: connected, reject } = Promise.withResolvers<Socket>();
  socket.once('connect', () => connected(socket));
  socket.once('error', (error: NodeJS.ErrnoException) => {
    reject(new OutboundFailure(`the connection failed (${error.code ?? error.message})`, { cause: error }));
  });
  socket.once('close', () => reject(new OutboundFailure('the connection was closed')));
  return await promise;
}
