import { createHash } from 'node:crypto';

const LINE = /^([a-z0-9@.-]{1,64}) ([A-Za-z0-9+/]{16,11000}={0,2})(?: ([^\p{C}\p{Zl}\p{Zp}]{0,256}))?$/u;

// How many fields follow the type's name in a key's blob (RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4, and
// OpenSSH's PROTOCOL.u2f), and how long each may be.
const FIELDS: Readonly<Record<string, readonly { readonly min: number; readonly max: number }[]>> = {
  'ssh-ed25519': [{ min: 32, max: 32 }],
  'ssh-rsa': [
    { min: 1, max: 8 },
    // 2048 to 16384 bits; an integer with its highest bit set has one more byte.
    { min: 256, max: 2049 },
  ],
  'ecdsa-sha2-nistp256': ecdsa('nistp256', 65),
  'ecdsa-sha2-nistp384': ecdsa('nistp384', 97),
  'ecdsa-sha2-nistp521': ecdsa('nistp521', 133),
  'sk-ssh-ed25519@openssh.com': [
    { min: 32, max: 32 },
    { min: 1, max: 256 },
  ],
  'sk-ecdsa-sha2-nistp256@openssh.com': [...ecdsa('nistp256', 65), { min: 1, max: 256 }],
};

function ecdsa(curve: string, point: number) {
  return [
    { min: curve.length, max: curve.length },
    { min: point, max: point },
  ];
}

/**
 * Whether a text is one line of OpenSSH's public key format: type, base64 blob, optional comment. The blob must
 * be what the type says, whole and nothing more. Options in front, as authorized_keys allows them, are refused.
 */
export function isSshPublicKey(text: string): boolean {
  const [, type = '', encoded = ''] = LINE.exec(text) ?? [];
  const fields = Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
  if (fields === undefined) return false;
  const blob = Buffer.from(encoded, 'base64');
  if (blob.toString('base64') !== encoded) return false;
  let at = 0;
  const next = (): Buffer | null => {
    if (at + 4 > blob.length) return null;
    const length = blob.readUInt32BE(at);
    const end = at + 4 + length;
    if (end > blob.length) return null;
    const field = blob.subarray(at + 4, end);
    at = end;
    return field;
  };
  if (next()?.toString('latin1') !== type) return false;
  for (const { min, max } of fields) {
    const field = next();
    if (field === null || field.length < min || field.length > max) return false;
  }
  return at === blob.length;
}

/** A key as OpenSSH prints it: `SHA256:…` of its blob. */
export function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}
