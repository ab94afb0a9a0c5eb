import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { listKeys, MOST_KEYS } from '../../business/webspaces/sftp-keys.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'webspace/sftp-keys',
  summary: 'The keys that open the SFTP of a webspace',
  audience: 'customer',
  scope: 'webspace:read',
  input: z.strictObject({ uuid }),
  output: z.object({
    uuid,
    keys: z.array(
      z.object({
        uuid,
        name: z.string(),
        public_key: z.string(),
        fingerprint: z.string(),
        created_at: timestamp,
      }),
    ),
    limit: z.int(),
  }),
  message: { en: 'These are the keys.', de: 'Das sind die Schlüssel.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: webspace,
  async read(ctx, _input, found) {
    return {
      uuid: found.id,
      keys: (await listKeys(ctx.db, found.id)).map(({ id, created_at, ...key }) => ({
        uuid: id,
        ...key,
        created_at: wireTime(created_at),
      })),
      limit: MOST_KEYS,
    };
  },
});
