import type { NameServer, ServerAddress } from '../../base/name-server.ts';
import type { Publication } from './port.ts';
import { askServer, rcodeOf } from './question.ts';
import { isAtLeast } from './serial.ts';

/** Asks every name server, until the signal, for the SOA of a zone whose newest version has this serial. */
export async function publicationOf(
  nameservers: readonly NameServer[],
  zone: string,
  serial: number,
  signal: AbortSignal,
): Promise<Publication> {
  const answers = await Promise.all(
    nameservers.map(async ({ addresses }) => {
      const serials = await Promise.all(addresses.map((server) => serialAt(server, zone, signal)));
      return serials.length > 0 && serials.every((seen) => seen !== null && isAtLeast(seen, serial));
    }),
  );
  return {
    serial,
    nameserversTotal: nameservers.length,
    nameserversCurrent: answers.filter((isCurrent) => isCurrent).length,
  };
}

/** The serial that a server gives with authority for a zone; null: none, or no answer in time. */
async function serialAt(server: ServerAddress, zone: string, signal: AbortSignal): Promise<number | null> {
  const answer = await askServer(server, { name: zone, type: 'SOA' }, signal).catch(() => null);
  if (answer === null || !answer.flag_aa || rcodeOf(answer) !== 0) return null;
  const soa = answer.answers?.find((record) => record.type === 'SOA');
  return soa?.data.serial ?? null;
}
