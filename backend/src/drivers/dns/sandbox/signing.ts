import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import type { DelegationSigner } from '../../../base/delegation-signer.ts';
import { encodeName, foldLabels, type Labels } from '../../../base/dns/wire/name.ts';
import { TYPE_NUMBERS } from '../../../base/dns/wire/type.ts';
import type { Instant } from '../../../base/time.ts';
import type { Shown } from './lookup.ts';
import type { WireRecord } from './message.ts';

/** One key signs the zone and its keys (RFC 6781 §3.1 calls it single-type). */
const FLAGS = 257;
const PROTOCOL = 3;
const ECDSAP256SHA256 = 13;
const SHA256 = 2;
const CLASS_IN = 1;
const DAY_SECONDS = 86_400;
/** Signatures are of the day, so that the same question has the same answer; they begin early for slow clocks. */
const VALID_DAYS = { before: 1, after: 14 };

export function newSigningKey(): Buffer {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'der' });
}

/** Signs the record sets of one zone with ECDSA on P-256 (RFC 6605). */
export class Signer {
  readonly #apex: Labels;
  readonly #key: KeyObject;
  /** RDATA of the DNSKEY record. */
  readonly dnskey: Buffer;

  constructor(apex: Labels, pkcs8: Buffer) {
    this.#apex = foldLabels(apex);
    this.#key = createPrivateKey({ key: pkcs8, type: 'pkcs8', format: 'der' });
    const { x = '', y = '' } = createPublicKey(this.#key).export({ format: 'jwk' });
    this.dnskey = Buffer.concat([
      Buffer.of(FLAGS >> 8, FLAGS & 0xff, PROTOCOL, ECDSAP256SHA256),
      Buffer.from(x, 'base64url'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  /** What the parent is to publish (RFC 4034 §5.1.4). */
  get ds(): DelegationSigner {
    const digest = createHash('sha256').update(encodeName(this.#apex)).update(this.dnskey).digest('hex');
    return {
      keyTag: keyTag(this.dnskey),
      algorithm: ECDSAP256SHA256,
      digestType: SHA256,
      digest: digest.toUpperCase(),
    };
  }

  /** The signature over a record set (RFC 4034 §3.1), shown beside it. */
  signature({ name, rrset }: Shown, now: Instant): WireRecord {
    const today = Math.floor(now.epochMilliseconds / 1000 / DAY_SECONDS);
    const owner = foldLabels(rrset.owner);
    const labels = owner[0]?.equals(Buffer.from('*')) === true ? owner.length - 1 : owner.length;
    const head = Buffer.alloc(18);
    head.writeUInt16BE(rrset.type, 0);
    head.writeUInt8(ECDSAP256SHA256, 2);
    head.writeUInt8(labels, 3);
    head.writeUInt32BE(rrset.ttl, 4);
    head.writeUInt32BE((today + VALID_DAYS.after) * DAY_SECONDS, 8);
    head.writeUInt32BE((today - VALID_DAYS.before) * DAY_SECONDS, 12);
    head.writeUInt16BE(keyTag(this.dnskey), 16);
    const signed = Buffer.concat([head, encodeName(this.#apex)]);
    const records = rrset.rdata
      .toSorted(Buffer.compare)
      .map((rdata) => canonicalRecord(owner, rrset.type, rrset.ttl, rdata));
    const octets = Buffer.concat([signed, ...records]);
    const signature = sign('sha256', octets, { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return {
      owner: name,
      type: TYPE_NUMBERS.RRSIG,
      ttl: rrset.ttl,
      rdata: Buffer.concat([signed, signature]),
    };
  }
}

/** RFC 4034 §6.2. */
function canonicalRecord(owner: Labels, type: number, ttl: number, rdata: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(CLASS_IN, 2);
  head.writeUInt32BE(ttl, 4);
  head.writeUInt16BE(rdata.length, 8);
  return Buffer.concat([encodeName(owner), head, rdata]);
}

/** RFC 4034 appendix B. */
function keyTag(dnskey: Buffer): number {
  let sum = 0;
  for (const [at, octet] of dnskey.entries()) sum += at % 2 === 0 ? octet << 8 : octet;
  return (sum + (sum >>> 16)) & 0xffff;
}
