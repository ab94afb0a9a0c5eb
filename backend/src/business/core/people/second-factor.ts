import type { Sealer } from '../../../base/seal.ts';
import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { endSessions } from '../access/token.ts';
import { dropWantedAddress } from './email-address.ts';
import type { LockedPerson } from './person.ts';
import { removeRecoveryCodes, replaceRecoveryCodes, spendRecoveryCode } from './recovery-code.ts';
import { type SecurityChange, tell } from './security-change.ts';
import { isTotpCode, newTotpSecret, totpStep } from './totp.ts';

const PURPOSE = 'totp';

const setSecret = statement<object>('set_totp_secret', 'UPDATE users SET totp_sealed = $2 WHERE id = $1');
const confirm = statement<object>(
  'confirm_totp',
  'UPDATE users SET totp_confirmed_at = $2, totp_step = $3 WHERE id = $1',
);
const setStep = statement<object>('set_totp_step', 'UPDATE users SET totp_step = $2 WHERE id = $1');
const clear = statement<object>(
  'clear_totp',
  'UPDATE users SET totp_sealed = NULL, totp_confirmed_at = NULL, totp_step = NULL WHERE id = $1',
);

/** A secret that is not asked for yet, in place of one that never was; of somebody without a second factor. */
export async function beginSecondFactor(
  tx: Transaction,
  sealer: Sealer,
  person: LockedPerson,
): Promise<string> {
  const secret = newTotpSecret();
  await tx.run(setSecret, [person.id, sealer.seal(PURPOSE, secret)]);
  return secret;
}

/**
 * Puts the secret in force once a code shows that an app has it. Answers the recovery codes; null: the code is
 * wrong. Their other sessions end: they were opened without it.
 */
export async function confirmSecondFactor(
  tx: Transaction,
  sealer: Sealer,
  person: LockedPerson & { readonly totp_sealed: Buffer },
  code: string,
  change: SecurityChange,
): Promise<readonly string[] | null> {
  const { now } = change.uow;
  const step = totpStep(sealer.openText(PURPOSE, person.totp_sealed), code.replace(/\s/g, ''), now);
  if (step === null) return null;
  await tx.run(confirm, [person.id, now, step]);
  await switched(tx, person, change, true);
  return await replaceRecoveryCodes(tx, sealer, person.id);
}

/** Asks for no second factor any more. Their other sessions end. */
export async function removeSecondFactor(
  tx: Transaction,
  person: LockedPerson,
  change: SecurityChange,
): Promise<void> {
  await dropSecondFactor(tx, person.id);
  await switched(tx, person, change, false);
}

/** The same without telling anybody: for an operator who has lost theirs, by who runs the installation. */
export async function dropSecondFactor(tx: Transaction, personId: string): Promise<void> {
  await tx.run(clear, [personId]);
  await removeRecoveryCodes(tx, personId);
}

async function switched(
  tx: Transaction,
  person: LockedPerson,
  change: SecurityChange,
  enabled: boolean,
): Promise<void> {
  await endSessions(tx, person.id, { except: change.caller?.tokenId ?? null }, change.uow.now);
  await dropWantedAddress(tx, person);
  tell(change, person, {
    event: { type: 'account.two_factor_changed', body: { user_uuid: person.id, enabled } },
    mail: { template: 'account.two-factor-changed', variables: { enabled, ip: change.ip } },
  });
}

export type SecondFactorProof = 'not_enabled' | 'proved' | 'two_factor_required' | 'two_factor_invalid';

/**
 * Whether they may do what asks for their second factor, with this code of their app or recovery code. The code is
 * used up if the transaction commits: one of the app is good once (RFC 6238 §5.2), and so are all before it.
 * Guesses must have been counted before (`countCode` in api/second-factor.ts).
 */
export async function proveSecondFactor(
  tx: Transaction,
  sealer: Sealer,
  person: LockedPerson,
  given: string | undefined,
  now: Instant,
): Promise<SecondFactorProof> {
  if (person.totp_confirmed_at === null || person.totp_sealed === null) return 'not_enabled';
  if (given === undefined) return 'two_factor_required';
  const code = given.replace(/\s/g, '');
  if (!isTotpCode(code)) {
    return (await spendRecoveryCode(tx, sealer, person.id, code, now)) ? 'proved' : 'two_factor_invalid';
  }
  const step = totpStep(sealer.openText(PURPOSE, person.totp_sealed), code, now);
  if (step === null || (person.totp_step !== null && step <= person.totp_step)) return 'two_factor_invalid';
  await tx.run(setStep, [person.id, step]);
  return 'proved';
}
