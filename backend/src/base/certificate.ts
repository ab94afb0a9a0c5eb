import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { Instant } from './time.ts';

/** A certificate and its private key, both in PEM. */
export interface KeyedCertificate {
  readonly key: string;
  readonly cert: string;
}

/** Who signs certificates. */
export interface Authority extends KeyedCertificate {
  readonly commonName: string;
}

export interface Validity {
  readonly from: Instant;
  readonly until: Instant;
}

/** An authority that vouches for itself: whoever is to trust it is given its certificate. */
export function newAuthority(commonName: string, validity: Validity): Authority {
  return { commonName, ...newCertificate({ commonName, names: [], validity, authority: null }) };
}

/**
 * A new key on P-256 with an X.509 v3 certificate (RFC 5280) for this subject and these host names and addresses, in
 * DER by hand: Node makes keys, but no certificates. Without an authority it is one itself.
 */
export function newCertificate(subject: {
  readonly commonName: string;
  readonly names: readonly string[];
  readonly validity: Validity;
  readonly authority: Authority | null;
}): KeyedCertificate {
  const { commonName, names, validity, authority } = subject;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const extensions = [
    ...(authority === null
      ? [extension(BASIC_CONSTRAINTS, sequence(tag(BOOLEAN, Buffer.from([0xff]))))]
      : []),
    ...(names.length === 0 ? [] : [extension(SUBJECT_ALTERNATIVE_NAME, sequence(...names.map(alternative)))]),
  ];
  const signed = sequence(
    tag(VERSION, tag(INTEGER, Buffer.from([2]))),
    tag(INTEGER, serialNumber()),
    algorithm,
    distinguishedName(authority?.commonName ?? commonName),
    sequence(generalizedTime(validity.from), generalizedTime(validity.until)),
    distinguishedName(commonName),
    publicKey.export({ format: 'der', type: 'spki' }),
    ...(extensions.length === 0 ? [] : [tag(EXTENSIONS, sequence(...extensions))]),
  );
  const signer = authority === null ? privateKey : createPrivateKey(authority.key);
  const signature = tag(BIT_STRING, Buffer.from([0]), sign('sha256', signed, signer));
  const der = sequence(signed, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

const BOOLEAN = 0x01;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALTERNATIVE_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';

function distinguishedName(commonName: string): Buffer {
  return sequence(tag(SET, sequence(oid(COMMON_NAME), tag(UTF8_STRING, Buffer.from(commonName)))));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), tag(OCTET_STRING, value));
}

function alternative(name: string): Buffer {
  if (isIPv4(name)) return tag(IP_ADDRESS, Buffer.from(name.split('.').map(Number)));
  return tag(DNS_NAME, Buffer.from(name));
}

/** Positive, and unique by chance. */
function serialNumber(): Buffer {
  const octets = randomBytes(16);
  octets[0] = ((octets[0] ?? 0) & 0x3f) | 0x40;
  return octets;
}

function tag(type: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([type, ...size]), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return tag(SEQUENCE, ...contents);
}

function oid(hexadecimal: string): Buffer {
  return tag(OBJECT_IDENTIFIER, Buffer.from(hexadecimal, 'hex'));
}

function generalizedTime(at: Instant): Buffer {
  const digits = at.toString({ smallestUnit: 'second' }).replace(/[-:TZ]/g, '');
  return tag(GENERALIZED_TIME, Buffer.from(`${digits}Z`));
}
