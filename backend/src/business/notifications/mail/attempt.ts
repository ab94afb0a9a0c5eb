import { domainOf } from '../../../base/mail-address.ts';
import type { Instant } from '../../../base/time.ts';
import type { Mailer } from '../../../drivers/mail/port.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import type { JobContext } from '../../../work/job.ts';
import { MAIL_SECRETS } from './outbox.ts';
import type { MailOutcome, OutgoingMail } from './outgoing.ts';
import type { MethodTitles } from './printing.ts';
import { recipientOf } from './recipient.ts';
import { isMailTemplate, renderMail } from './render.ts';
import type { Sender } from './sender.ts';
import { threadHeaders } from './thread.ts';

const LONGEST_PAUSE_MINUTES = 360;
const GIVEN_UP_HOURS = 72;

/** Renders a mail and sends it, once. Never throws: whatever goes wrong is an outcome. */
export async function attempt(
  ctx: JobContext,
  mailer: Mailer,
  mail: OutgoingMail,
  { seller, replies }: Sender,
  titleOf: MethodTitles = () => null,
): Promise<MailOutcome> {
  try {
    const recipient = recipientOf(mail);
    if ('reason' in recipient) return { kind: 'failed', reason: recipient.reason };
    // During an update processes of two versions run beside each other: left for those who know it.
    if (!isMailTemplate(mail.template)) return later(ctx.now, mail, `there is no template ${mail.template}`);
    const values = { ...mail.variables, ...secretsOf(ctx, mail) };
    const rendered = renderMail(mail.template, values, recipient, seller, titleOf);
    const domain = seller === null ? 'hostkeep.invalid' : domainOf(seller.email);
    const outcome = await mailer.send({
      // Of the row alone, so that every attempt has the same; the domain only makes it one that the world accepts.
      messageId: `${mail.id}@${domain}`,
      to: recipient.address,
      ...rendered,
      ...threadHeaders(mail.thread, { domain, replies, sealer: ctx.sealer }),
    });
    switch (outcome.kind) {
      case 'done':
        return { kind: 'sent' };
      case 'refused':
        return { kind: 'failed', reason: outcome.reason };
      case 'pending':
        return later(ctx.now, mail, outcome.step);
    }
  } catch (error) {
    ctx.log.warn({ err: error, mail: mail.id, attempts: mail.attempts }, 'a mail will be sent again');
    return later(ctx.now, mail, reasonOf(error));
  }
}

function secretsOf({ sealer }: JobContext, { secrets_sealed }: OutgoingMail) {
  return secrets_sealed === null ? {} : JSON.parse(sealer.openText(MAIL_SECRETS, secrets_sealed));
}

/** Once more after 1, 2, 4 … minutes, at most six hours; given up after three days. */
function later(now: Instant, mail: OutgoingMail, reason: string): MailOutcome {
  const end = mail.created_at.add({ hours: GIVEN_UP_HOURS });
  if (Temporal.Instant.compare(now, end) >= 0) return { kind: 'failed', reason: `given up: ${reason}` };
  const minutes = Math.min(2 ** (mail.attempts - 1), LONGEST_PAUSE_MINUTES);
  return { kind: 'later', at: now.add({ minutes }), reason };
}

function reasonOf(error: unknown): string {
  const said = error instanceof BackendUnavailable && error.cause instanceof Error ? error.cause : error;
  return said instanceof Error ? said.message : String(said);
}
