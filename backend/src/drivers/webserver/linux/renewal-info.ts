import { createHash } from 'node:crypto';
import { AuthorityKeyIdentifierExtension, X509Certificate } from '@peculiar/x509';
import { z } from 'zod';
import type { Instant } from '../../../base/time.ts';

const DEADLINE_MS = 10_000;

const Directory = z.object({ renewalInfo: z.url().optional() });
const moment = z.iso.datetime({ offset: true }).transform((text) => Temporal.Instant.from(text));
const Suggestion = z.object({ suggestedWindow: z.object({ start: moment, end: moment }) });

/** What an authority wants done about a certificate of its own (RFC 9773). */
export interface RenewalInfo {
  /** Names the certificate in an order that replaces it. */
  readonly certificateId: string;
  /** Inside of the window that the authority suggests, and the same each time that it suggests that window. */
  readonly renewAt: Instant;
}

/** Asks the authority; null where it has no such service, or does not answer as it should: its word is advice. */
export async function renewalInfo(directoryUrl: string, pem: string): Promise<RenewalInfo | null> {
  const certificateId = certificateIdOf(pem);
  if (certificateId === null) return null;
  try {
    const { renewalInfo: url } = Directory.parse(await fetched(directoryUrl));
    if (url === undefined) return null;
    const { suggestedWindow } = Suggestion.parse(await fetched(`${url.replace(/\/$/, '')}/${certificateId}`));
    return { certificateId, renewAt: within(suggestedWindow, certificateId) };
  } catch {
    return null;
  }
}

/** RFC 9773 §4.1: the authority's key identifier and the serial number, in base64url; null without the former. */
export function certificateIdOf(pem: string): string | null {
  const certificate = new X509Certificate(pem);
  const keyId = certificate.getExtension(AuthorityKeyIdentifierExtension)?.keyId;
  if (keyId === undefined) return null;
  // The number's DER is what counts, which begins with a zero where a minus would else be read.
  const { serialNumber } = certificate;
  const serial = /^[89a-f]/i.test(serialNumber) ? `00${serialNumber}` : serialNumber;
  return [keyId, serial].map((hex) => Buffer.from(hex, 'hex').toString('base64url')).join('.');
}

async function fetched(url: string): Promise<unknown> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return await answer.json();
}

/** Spreads certificates over the window, as RFC 9773 §4.2 wants it, without having to remember where each is. */
function within({ start, end }: { start: Instant; end: Instant }, certificateId: string): Instant {
  const length = Math.max(0, end.epochMilliseconds - start.epochMilliseconds);
  const share = createHash('sha256').update(certificateId).digest().readUInt32BE() / 2 ** 32;
  return start.add({ milliseconds: Math.floor(length * share) });
}
