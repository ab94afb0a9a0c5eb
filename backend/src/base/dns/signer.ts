import { createHash } from 'node:crypto';
import type { DelegationSigner } from '../delegation-signer.ts';

/** A DNSKEY's RDATA (RFC 4034 §2). */
export interface DnsKey {
  readonly flags: number;
  readonly algorithm: number;
  readonly key: Buffer;
}

const DIGESTS: Readonly<Record<number, string>> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' };

/** Whether a DS is one of this key of a zone (RFC 4034 §5.1.4); one with a digest that is not known is none. */
export function isSignerOf(ds: DelegationSigner, zone: string, key: DnsKey): boolean {
  const digest = DIGESTS[ds.digestType];
  const rdata = rdataOf(key);
  if (digest === undefined || ds.algorithm !== key.algorithm || ds.keyTag !== keyTag(rdata)) return false;
  return createHash(digest).update(wireName(zone)).update(rdata).digest('hex').toUpperCase() === ds.digest;
}

/** The protocol is always 3 (RFC 4034 §2.1.2). */
function rdataOf({ flags, algorithm, key }: DnsKey): Buffer {
  return Buffer.concat([Buffer.from([flags >> 8, flags & 0xff, 3, algorithm]), key]);
}

/** RFC 4034, appendix B. */
function keyTag(rdata: Buffer): number {
  let sum = 0;
  for (const [at, octet] of rdata.entries()) sum += at % 2 === 0 ? octet << 8 : octet;
  return (sum + (sum >> 16)) & 0xffff;
}

function wireName(zone: string): Buffer {
  const labels = zone.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}
