import { z } from 'zod';
import { noInput } from '../../api/field.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'panel/public-key',
  summary: 'The key that verifies signed answers and license files',
  audience: 'public',
  scope: null,
  input: noInput,
  output: z.object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
        kid: z.string(),
        x: z.string(),
      }),
    ),
  }),
  message: { en: 'These keys verify signatures.', de: 'Diese Schlüssel prüfen Signaturen.' },
  errors: [],
  example: { input: {} },
  read: (ctx) => ({
    keys: [
      {
        kty: 'OKP' as const,
        crv: 'Ed25519' as const,
        alg: 'EdDSA' as const,
        use: 'sig' as const,
        kid: ctx.signer.keyId,
        x: ctx.signer.publicKey,
      },
    ],
  }),
});
