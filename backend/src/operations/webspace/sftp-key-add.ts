import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { label, uuid } from '../../api/field.ts';
import { bumpVersion } from '../../business/selling/subscriptions/version.ts';
import { fingerprintOf, isSshPublicKey } from '../../business/servers/ssh-key.ts';
import { addKey, listKeys, MOST_KEYS } from '../../business/webspaces/sftp-keys.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { configure } from '../../business/webspaces/webspace-jobs.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, changed, mustBeOn, mustFit } from './webspace.schema.ts';

export default operation({
  method: 'POST',
  path: 'webspace/sftp-key-add',
  summary: 'Let a key open the SFTP of a webspace',
  audience: 'customer',
  scope: 'webspace:write',
  plantsAccess: true,
  input: z.strictObject({
    uuid,
    name: label.min(1),
    public_key: z
      .string()
      .trim()
      .max(12_000)
      .refine(isSshPublicKey, 'This must be one public key in the format of OpenSSH.'),
  }),
  output: z.object({ ...changed, key_uuid: uuid, fingerprint: z.string() }),
  message: { en: 'The key is being added.', de: 'Der Schlüssel wird hinzugefügt.' },
  errors: [...CHANGE_ERRORS, 'already_exists', 'limit_reached'],
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      name: 'Laptop',
      public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUZLhDjsZCMfJ8VRtHnpQbUGYMKhdbfxWcEHkEWRsDW',
    },
  },
  resource: webspace,
  async handle(tx, ctx, input, found) {
    mustBeOn(ctx, found);
    mustFit(ctx, 'keys', MOST_KEYS, (await listKeys(tx, found.id)).length);
    const id = randomUUIDv7();
    const fingerprint = fingerprintOf(input.public_key);
    const key = { id, name: input.name, public_key: input.public_key, fingerprint };
    if (!(await addKey(tx, found.id, key, ctx.uow.now))) throw ctx.refusal('already_exists');
    bumpVersion(ctx.uow, found.id);
    return {
      uuid: found.id,
      key_uuid: id,
      fingerprint,
      version: found.version + 1,
      task: configure(ctx.uow, found),
    };
  },
});
