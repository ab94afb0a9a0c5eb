import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { KEY_PURPOSE, license } from '../../business/licenses/license.ts';
import { operation } from '../../operation.ts';
import { wirePackage } from './license.schema.ts';

export default operation({
  method: 'GET',
  path: 'panel/license-file',
  summary: 'A signed license file for machines without network',
  description:
    'The content is a JWS (EdDSA): the product verifies it offline with the key of `panel/public-key`.',
  audience: 'customer',
  scope: 'panel:read_key',
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, filename: z.string(), content: z.string(), key_id: z.string() }),
  message: { en: 'This is the license file.', de: 'Das ist die Lizenzdatei.' },
  errors: ['not_found', 'state_conflict'],
  secrets: ['content'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: license,
  read(ctx, _input, found) {
    if (found.state !== 'active' && found.state !== 'cancel_scheduled') {
      throw ctx.refusal('state_conflict', {
        members: { current_state: found.state, allowed_states: ['active', 'cancel_scheduled'] },
      });
    }
    const { package: pack } = wirePackage(ctx.catalog, found.item);
    const content = ctx.signer.jws({
      license_uuid: found.id,
      license_key: ctx.sealer.openText(KEY_PURPOSE, found.key_sealed),
      package: pack.name,
      features: pack.info.features,
      ip_addresses: (found.bindings ?? []).map((bound) => bound.ip_address),
      expire_at: wireTime(found.expire_at),
      issued_at: wireTime(ctx.now),
    });
    return { uuid: found.id, filename: `license-${found.number}.jws`, content, key_id: ctx.signer.keyId };
  },
});
