import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import { html } from '../base/html.ts';
import { printAmount } from '../base/money.ts';
import { receiveWebhook } from '../business/selling/payments/webhook.ts';
import type { Pool } from '../db/pool.ts';
import type { PaymentProvider, Webhook } from '../drivers/payment/port.ts';
import { Refusal } from '../errors.ts';

/** The provider that plays, and its part for who pays. */
export interface PlayedProvider extends PaymentProvider {
  find(ref: string): Promise<PlayedPayment | null>;
  happen(ref: string, happening: 'pay' | 'decline'): Promise<Webhook | null>;
  repeat(ref: string): Promise<Webhook | null>;
}

interface PlayedPayment {
  readonly ref: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly state: 'open' | 'paid' | 'declined';
  readonly return_url: string | null;
}

export interface SandboxPaymentOptions {
  readonly pool: Pool;
  readonly sandbox: PlayedProvider;
  readonly offered: () => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

const METHOD = 'sandbox';
const PATH = '/sandbox/pay/:ref';
const FORM_LIMIT = 1024;
const REF = /^sp_[0-9a-f]{24}$/;

/** The sandbox's payment page: whoever has its address says whether they have paid. Only where play money is offered. */
export async function addSandboxPaymentPage(
  app: FastifyInstance,
  { pool, sandbox, offered, clock, log }: SandboxPaymentOptions,
): Promise<void> {
  const paymentAt = async (ref: string): Promise<PlayedPayment> => {
    const payment = offered() && REF.test(ref) ? await sandbox.find(ref) : null;
    if (payment === null) throw new Refusal('not_found');
    return payment;
  };
  // Of its own, so that forms are understood nowhere else.
  await app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    pages.get<{ Params: { ref: string } }>(PATH, async (request, reply) =>
      sendPage(reply, await paymentAt(request.params.ref)),
    );
    pages.post<{ Params: { ref: string } }>(PATH, async (request, reply) => {
      const payment = await paymentAt(request.params.ref);
      const answer = request.body instanceof URLSearchParams ? request.body.get('answer') : null;
      if (answer !== 'pay' && answer !== 'decline')
        throw new Refusal('validation_failed', { members: { fields: ['/answer'] } });
      // Who comes again was perhaps not heard: their account was busy.
      const webhook = (await sandbox.happen(payment.ref, answer)) ?? (await sandbox.repeat(payment.ref));
      if (webhook !== null) {
        const receiving = { method: METHOD, provider: sandbox, now: clock.now(), log };
        await receiveWebhook(pool, webhook, receiving);
      }
      return payment.return_url === null
        ? sendPage(reply, await paymentAt(payment.ref))
        : reply.header('cache-control', 'no-store').redirect(payment.return_url, 303);
    });
  });
}

function sendPage(reply: FastifyReply, payment: PlayedPayment): FastifyReply {
  const amount = printAmount(payment.amount, payment.currency);
  const form = html`<form method="post">
<button name="answer" value="pay">Pay ${amount}</button>
<button name="answer" value="decline">Decline</button>
</form>`;
  const page = html`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sandbox payment</title>
<style>body{font:1rem system-ui;max-width:30rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}</style>
<h1>${amount}</h1>
<p>Play money: nobody is charged.</p>
${payment.state === 'open' ? form : html`<p>This payment is ${payment.state}.</p>`}
</html>
`;
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    .header('x-content-type-options', 'nosniff')
    .send(page.toString());
}
