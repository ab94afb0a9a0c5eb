import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { countCode, demandOwnSecondFactor, secondFactorCode } from '../../api/second-factor.ts';
import { task } from '../../api/task.ts';
import { wireTime } from '../../base/time.ts';
import { unfinishedTask, wireTask } from '../../business/core/tasks/task.ts';
import { ownerEmail } from '../../business/domains/contacts/owner-email.ts';
import { domain } from '../../business/domains/domain.ts';
import { AUTHCODE, authcodeSoon } from '../../business/domains/domain-jobs.ts';
import { changeDomainSettings } from '../../business/domains/settings.ts';
import {
  issueAuthcode,
  notifyAuthcodeIssued,
  openAuthcode,
} from '../../business/domains/transfer/authcode-issued.ts';
import { LASTING, transferBlocks } from '../../business/domains/transfer/transferable.ts';
import { notifyUnlocked } from '../../business/domains/transfer/unlocked.ts';
import { queueMail } from '../../business/notifications/mail/outbox.ts';
import { operation } from '../../operation.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';

export default operation({
  method: 'POST',
  path: 'domain/authcode',
  summary: 'The code that another registrar needs to have a domain transferred',
  description:
    'Made when it is asked for, known to the registry once `task` is done, and cleared there at `expires_at`. The task ' +
    'of a code ends as `cancelled` when another takes its place, or its time is over, before the registry has it. ' +
    'In a session, who has two-factor authentication gives a code; the owners of the account and of the domain are ' +
    'told by mail. To an operator who acts for a customer it is not shown: the customer has it by mail. Nothing that ' +
    'is unpaid for a later term stands in its way.',
  audience: 'customer',
  scope: 'domain:transfer',
  input: z
    .strictObject({
      ...domainReference,
      regenerate: z.boolean().default(false).describe('Make another one, also while one holds.'),
      unlock: z.boolean().default(false).describe('Take off your own transfer lock, too.'),
      code: secondFactorCode.optional(),
    })
    .superRefine(namesOneDomain),
  output: z.object({
    uuid,
    domain: z.string(),
    authcode: z.string().nullable().describe('null: it was mailed.'),
    delivery: z.enum(['response', 'email']),
    sent_to: z.string().nullable(),
    expires_at: timestamp,
    transfer_lock: z.boolean(),
    transferable: z.boolean(),
    blocked_reasons: z.array(
      z.enum(['transfer_lock', 'recent_change', 'registry_lock', 'legal', 'pending_transfer']),
    ),
    task: task.nullable().describe('null: the registry knows it already.'),
  }),
  message: { en: 'This is the authorisation code.', de: 'Das ist der Autorisierungscode.' },
  errors: [
    'not_found',
    'state_conflict',
    'transfer_locked',
    'resource_protected',
    'not_supported_for_tld',
    'two_factor_required',
    'two_factor_invalid',
    'rate_limited',
  ],
  secrets: ['authcode', 'code'],
  example: { input: { domain: 'example.com' } },
  resource: domain,
  ask: (ctx, input) => countCode(ctx, ctx.caller.userId, input.code),
  async handle(tx, ctx, input, found) {
    const { uow, sealer } = ctx;
    const tld = ctx.catalog.tlds.get(found.tld);
    if (tld?.features.authcode !== true) throw ctx.refusal('not_supported_for_tld');
    if (found.registry_state !== 'active')
      throw ctx.refusal('state_conflict', { members: { current_state: found.shown_state } });
    if (found.protection) throw ctx.refusal('resource_protected');
    const transferLock = found.transfer_lock && !input.unlock;
    const blocks = await transferBlocks(tx, found, transferLock, uow.now);
    const lasting = blocks.filter((block) => LASTING.has(block));
    if (lasting.length > 0) throw ctx.refusal('transfer_locked', { members: { blocked_reasons: lasting } });
    await demandOwnSecondFactor(tx, ctx, input.code);
    if (transferLock !== found.transfer_lock) {
      changeDomainSettings(uow, found, { ...found, transfer_lock: transferLock });
      notifyUnlocked(uow, found, ctx.ip);
    }
    const open = input.regenerate ? null : openAuthcode(found, sealer, uow.now);
    const { authcode, expiresAt } =
      open ?? (await issueAuthcode(tx, uow, sealer, found, tld.policy.authcode_days));
    const telling = open === null ? null : await unfinishedTask(tx, found.account_id, found.id, AUTHCODE);
    const { ip, requestId } = ctx;
    await notifyAuthcodeIssued(tx, uow, found, { expiresAt, ip, requestId });
    const mailed = ctx.caller.impersonatedBy !== null;
    if (mailed) {
      queueMail(uow, {
        cause: `domain.authcode:${requestId}`,
        to: { accountId: found.account_id },
        template: 'domain.authcode',
        variables: { domain: found.name, expires_at: wireTime(expiresAt) },
        secrets: { authcode },
        sealer,
      });
    }
    return {
      uuid: found.id,
      domain: found.name,
      authcode: mailed ? null : authcode,
      delivery: mailed ? ('email' as const) : ('response' as const),
      sent_to: mailed ? await ownerEmail(tx, found.account_id) : null,
      expires_at: wireTime(expiresAt),
      transfer_lock: transferLock,
      transferable: blocks.length === 0,
      blocked_reasons: [...blocks],
      task:
        open === null
          ? authcodeSoon(uow, found.account_id, found.id)
          : telling && wireTask(telling, ctx.locale),
    };
  },
});
