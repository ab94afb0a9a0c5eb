import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { listAccountKeys, MOST_ACCOUNT_KEYS } from '../../business/servers/account-keys.ts';
import { operation } from '../../operation.ts';
import { mustSeeAccount } from './ssh-keys.schema.ts';

export default operation({
  method: 'GET',
  path: 'server/sshkeys',
  summary: 'The SSH keys that you keep for your servers',
  description: 'Orders and reinstallations take them as `ssh_key_uuids`.',
  audience: 'customer',
  scope: 'server:read',
  input: z.strictObject({}),
  output: z.object({
    keys: z.array(
      z.object({
        uuid,
        name: z.string(),
        public_key: z.string(),
        fingerprint: z.string().describe('As OpenSSH prints it: `SHA256:…`'),
        created_at: timestamp,
      }),
    ),
    limit: z.int(),
  }),
  message: { en: 'These are your keys.', de: 'Das sind Ihre Schlüssel.' },
  errors: ['token_restricted'],
  example: { input: {} },
  async read(ctx) {
    mustSeeAccount(ctx);
    const keys = await listAccountKeys(ctx.db, ctx.caller.accountId);
    return {
      keys: keys.map(({ id, created_at, ...key }) => ({
        uuid: id,
        ...key,
        created_at: wireTime(created_at),
      })),
      limit: MOST_ACCOUNT_KEYS,
    };
  },
});
