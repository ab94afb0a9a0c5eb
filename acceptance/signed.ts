import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import type { Api } from './api.ts';
import { success } from './envelope.ts';
import { type JsonObject, listAt, objectAt, stringAt } from './json.ts';

/** The claims of a signed text (JWS compact, Ed25519), checked as a licensed product checks them. */
export async function verifiedClaims(api: Api, signed: string): Promise<JsonObject> {
  const claims = await claimsIfSigned(api, signed);
  if (!claims) assert.fail(`the signature does not fit: ${signed}`);
  return claims;
}

/** Null when the signature is not the installation's, over exactly this text. */
export async function claimsIfSigned(api: Api, signed: string): Promise<JsonObject | null> {
  const [header = '', payload = '', signature = '', ...rest] = signed.split('.');
  assert.deepEqual(rest, []);
  const { alg, kid } = decoded(header);
  assert.equal(alg, 'EdDSA');
  const data = success(await api.call('GET', 'panel/public-key', { token: null }));
  const jwk = listAt(data, '/keys').find((key) => stringAt(key, '/kid') === kid);
  if (jwk === undefined) assert.fail(`panel/public-key has no key ${JSON.stringify(kid)}`);
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: stringAt(jwk, '/x') },
    format: 'jwk',
  });
  const genuine = verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
  return genuine ? decoded(payload) : null;
}

function decoded(part: string): JsonObject {
  return objectAt(JSON.parse(Buffer.from(part, 'base64url').toString('utf8')), '');
}
