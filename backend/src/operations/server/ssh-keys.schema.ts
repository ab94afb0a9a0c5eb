import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { listAccountKeys } from '../../business/servers/account-keys.ts';
import { isSshPublicKey } from '../../business/servers/ssh-key.ts';
import type { InputProblem, Refusal, RefusalDetail } from '../../errors.ts';

/** How many keys a server is installed with at most. */
const MOST_KEYS = 20;

export const sshPublicKey = z
  .string()
  .max(12_000)
  .refine(isSshPublicKey, 'This must be one public key in the format of OpenSSH.');

/** The keys that a server is installed with: given whole, or kept in the account. */
export const installedKeys = {
  ssh_keys: z
    .array(sshPublicKey)
    .max(MOST_KEYS, 'At most 20 keys.')
    .optional()
    .describe('Public keys in the format of OpenSSH.'),
  ssh_key_uuids: z
    .array(uuid)
    .max(MOST_KEYS, 'At most 20 keys.')
    .optional()
    .describe('Keys of the account, from `server/sshkeys`; together with `ssh_keys` at most 20.'),
};

/** Refuses tokens for certain things only: the keys are the account's. */
export function mustSeeAccount(ctx: {
  readonly caller: { readonly resourceAllowlist: readonly string[] | null };
  refusal(code: 'token_restricted'): Refusal;
}): void {
  if (ctx.caller.resourceAllowlist !== null) throw ctx.refusal('token_restricted');
}

interface ChosenKeys {
  readonly ssh_keys?: readonly string[] | undefined;
  readonly ssh_key_uuids?: readonly string[] | undefined;
}

/** The public keys that were chosen, each once; null: nothing was chosen. Refuses keys that the account does not have. */
export async function chosenKeys(
  ctx: { refusal(code: 'validation_failed', detail?: RefusalDetail): Refusal },
  db: Parameters<typeof listAccountKeys>[0],
  accountId: string,
  { ssh_keys, ssh_key_uuids }: ChosenKeys,
): Promise<readonly string[] | null> {
  if (ssh_keys === undefined && ssh_key_uuids === undefined) return null;
  const uuids = ssh_key_uuids ?? [];
  const kept = uuids.length === 0 ? [] : await listAccountKeys(db, accountId);
  const byId = new Map(kept.map((key) => [key.id, key.public_key]));
  const problems = uuids.flatMap((id, index): InputProblem[] =>
    byId.has(id)
      ? []
      : [
          {
            pointer: `/ssh_key_uuids/${index}`,
            error: 'not_allowed',
            message: 'The account has no such key.',
          },
        ],
  );
  const chosen = [...new Set([...(ssh_keys ?? []), ...uuids.flatMap((id) => byId.get(id) ?? [])])];
  if (chosen.length > MOST_KEYS) {
    const message = `At most ${MOST_KEYS} keys.`;
    problems.push({ pointer: '/ssh_key_uuids', error: 'too_long', message, limit: MOST_KEYS });
  }
  if (problems.length > 0) {
    const fields = problems.map(({ pointer }) => pointer);
    throw ctx.refusal('validation_failed', { errors: problems, members: { fields } });
  }
  return chosen;
}
