import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { label, uuid } from '../../api/field.ts';
import { addAccountKey, listAccountKeys, MOST_ACCOUNT_KEYS } from '../../business/servers/account-keys.ts';
import { fingerprintOf } from '../../business/servers/ssh-key.ts';
import { operation } from '../../operation.ts';
import { mustSeeAccount, sshPublicKey } from './ssh-keys.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/sshkey-add',
  summary: 'Keep an SSH key for your servers',
  description:
    'Servers get it when they are ordered or installed anew with it, and keep it until the next time.',
  audience: 'customer',
  scope: 'server:write',
  plantsAccess: true,
  input: z.strictObject({ name: label.min(1), public_key: sshPublicKey }),
  output: z.object({ key_uuid: uuid, fingerprint: z.string() }),
  message: { en: 'The key is kept.', de: 'Der Schlüssel ist hinterlegt.' },
  errors: ['already_exists', 'limit_reached', 'token_restricted'],
  example: {
    input: {
      name: 'Laptop',
      public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUZLhDjsZCMfJ8VRtHnpQbUGYMKhdbfxWcEHkEWRsDW',
    },
  },
  async handle(tx, ctx, { name, public_key }) {
    mustSeeAccount(ctx);
    const { accountId } = ctx.caller;
    if ((await listAccountKeys(tx, accountId)).length >= MOST_ACCOUNT_KEYS)
      throw ctx.refusal('limit_reached', { members: { limit: MOST_ACCOUNT_KEYS, limited: 'keys' } });
    const id = randomUUIDv7();
    const fingerprint = fingerprintOf(public_key);
    const key = { id, name, public_key, fingerprint, created_at: ctx.now };
    if (!(await addAccountKey(tx, accountId, key))) throw ctx.refusal('already_exists');
    return { key_uuid: id, fingerprint };
  },
});
