import type { Sealer } from '../../base/seal.ts';
import { generateSigningKey, type Signer, signerOf } from '../../base/sign.ts';
import type { Instant } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';

const PURPOSE = 'signing-key';

/** The installation's signing key, made at the first start. Its private half is sealed. */
export async function openSigner(db: Executor, sealer: Sealer, now: Instant): Promise<Signer> {
  const newest = () =>
    db.kysely
      .selectFrom('signing_keys')
      .selectAll()
      .where('retired_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .executeTakeFirst();
  let row = await newest();
  if (row === undefined) {
    const { privateKeyPkcs8, publicKey } = generateSigningKey();
    await db.kysely
      .insertInto('signing_keys')
      .values({
        id: publicKey.subarray(0, 6).toString('hex'),
        public_key: publicKey,
        private_key_sealed: sealer.seal(PURPOSE, privateKeyPkcs8),
        created_at: now,
        retired_at: null,
      })
      .execute();
    // Two processes may start at once: both take the one that the database orders first.
    row = await newest();
  }
  if (row === undefined) throw new Error('no signing key');
  return signerOf(row.id, sealer.open(PURPOSE, row.private_key_sealed));
}
