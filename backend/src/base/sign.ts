import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Ed25519 signatures (RFC 8032) under a named key, so that a verifier knows which public key to take. */
export interface Signer {
  readonly keyId: string;
  /** The raw 32-byte public key, base64url: the `x` of its JWK. */
  readonly publicKey: string;
  /** The claims as a JWS in compact form (RFC 7515, EdDSA as of RFC 8037). */
  jws(claims: object): string;
  /** The signature over bytes. */
  sign(bytes: Buffer): Buffer;
}

export function signerOf(keyId: string, privateKeyPkcs8: Buffer): Signer {
  const key = createPrivateKey({ key: privateKeyPkcs8, format: 'der', type: 'pkcs8' });
  const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: keyId })).toString('base64url');
  return {
    keyId,
    publicKey: rawPublicKey(createPublicKey(key)).toString('base64url'),
    jws(claims) {
      const content = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
      return `${content}.${sign(null, Buffer.from(content), key).toString('base64url')}`;
    },
    sign: (bytes) => sign(null, bytes, key),
  };
}

export function generateSigningKey(): { privateKeyPkcs8: Buffer; publicKey: Buffer } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKeyPkcs8: privateKey.export({ format: 'der', type: 'pkcs8' }),
    publicKey: rawPublicKey(publicKey),
  };
}

function rawPublicKey(key: KeyObject): Buffer {
  // The SubjectPublicKeyInfo of Ed25519 is a fixed header and the 32 bytes (RFC 8410).
  return key.export({ format: 'der', type: 'spki' }).subarray(-32);
}
