import { type Outbound, OutboundFailure } from '../../../base/outbound.ts';
import { type Instant, wireTime } from '../../../base/time.ts';
import type { LoggedEvent } from '../events/log.ts';
import { eventMessage } from '../events/message.ts';
import type { Attempt } from './delivery.ts';
import { signatureHeaders } from './signature.ts';

/** What is kept of an answer. */
const SHOWN_BYTES = 1024;

export interface Receiver {
  readonly url: string;
  readonly secret: string;
}

/** Sends an event once. Accepted is what is answered with 2xx. */
export async function attemptDelivery(
  outbound: Outbound,
  { url, secret }: Receiver,
  event: LoggedEvent,
  now: Instant,
): Promise<Attempt> {
  const body = JSON.stringify(eventMessage(event));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Hostkeep-Webhooks/1',
    ...signatureHeaders(secret, { id: event.id, body }, now),
  };
  const begun = performance.now();
  const ended = (result: Pick<Attempt, 'status' | 'error' | 'answer'>): Attempt => ({
    at: wireTime(now),
    duration_ms: Math.round(performance.now() - begun),
    ...result,
  });
  try {
    const answer = await outbound({ url, method: 'POST', headers, body });
    const { status } = answer;
    if (status >= 200 && status <= 299) return ended({ status, error: null, answer: null });
    const error =
      status >= 300 && status <= 399 ? `a redirect (${status}), which is not followed` : `status ${status}`;
    return ended({ status, error, answer: shown(answer.body) });
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return ended({ status: null, error: error.message, answer: null });
  }
}

function shown(body: Buffer): string {
  return body.toString('utf8', 0, SHOWN_BYTES).replace(/[^\P{Cc}\n\t]/gu, ' ');
}
