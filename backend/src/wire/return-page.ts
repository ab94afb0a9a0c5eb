import type { FastifyInstance } from 'fastify';
import { Html, html } from '../base/html.ts';
import { printAmount } from '../base/money.ts';
import { type Payment, paymentOf } from '../business/selling/payments/payment.ts';
import type { Executor } from '../db/pool.ts';
import type { Locale, Text } from '../operation.ts';
import { addressOf } from './http.ts';
import { localeOf } from './request.ts';

export interface ReturnPageOptions {
  readonly db: Executor;
  /** Counts a request by where it comes from; refuses it after too many. */
  readonly countStranger: (ip: string) => Promise<void>;
}

interface Told {
  readonly title: Text;
  readonly words: Text;
}

/** What a customer who comes back from paying is told, by the state of the payment in our books. */
const STATES: Readonly<Record<Payment['state'], Told>> = {
  pending: {
    title: { en: 'Waiting for your payment', de: 'Wir warten auf Ihre Zahlung' },
    words: {
      en: 'The payment has not arrived yet. A transfer takes a day or two.',
      de: 'Die Zahlung ist noch nicht angekommen. Eine Überweisung braucht ein bis zwei Tage.',
    },
  },
  succeeded: {
    title: { en: 'Payment received', de: 'Zahlung erhalten' },
    words: {
      en: 'Thank you. The amount is on your balance.',
      de: 'Vielen Dank. Der Betrag ist auf Ihrem Guthaben.',
    },
  },
  failed: {
    title: { en: 'The payment failed', de: 'Die Zahlung ist fehlgeschlagen' },
    words: {
      en: 'Nothing was charged. You can begin the top-up again.',
      de: 'Es wurde nichts belastet. Sie können die Aufladung neu beginnen.',
    },
  },
  cancelled: {
    title: { en: 'The payment was cancelled', de: 'Die Zahlung wurde abgebrochen' },
    words: {
      en: 'Nothing was charged. You can begin the top-up again.',
      de: 'Es wurde nichts belastet. Sie können die Aufladung neu beginnen.',
    },
  },
  refunded: {
    title: { en: 'The payment was refunded', de: 'Die Zahlung wurde erstattet' },
    words: {
      en: 'The amount goes back to where it came from.',
      de: 'Der Betrag geht dorthin zurück, woher er kam.',
    },
  },
  charged_back: {
    title: { en: 'The payment was taken back', de: 'Die Zahlung wurde zurückgeholt' },
    words: {
      en: 'Your bank took the payment back. The amount has left your balance.',
      de: 'Ihre Bank hat die Zahlung zurückgeholt. Der Betrag ist von Ihrem Guthaben abgezogen.',
    },
  },
};

const UNKNOWN: Told = {
  title: { en: 'There is no such payment', de: 'Diese Zahlung gibt es nicht' },
  words: {
    en: 'Check the address that you came by.',
    de: 'Prüfen Sie die Adresse, über die Sie gekommen sind.',
  },
};
const HOME: Told = {
  title: { en: 'The interface of this provider', de: 'Die Schnittstelle dieses Anbieters' },
  words: {
    en: 'Programs talk to it at /api/v2.',
    de: 'Programme erreichen sie unter /api/v2.',
  },
};
const LOOK_AGAIN: Text = { en: 'Look again', de: 'Erneut nachsehen' };
const REFERENCE: Text = { en: 'Reference', de: 'Referenz' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const STYLE = new Html(
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui;max-width:30rem;margin:4rem auto;padding:0 1rem}',
);

/**
 * `GET /`, where people come back to after paying (`/?payment=<uuid>`) unless the top-up named another place. It tells what
 * became of the payment by our own books: what the address says beside its id counts for nothing.
 */
export function addReturnPage(app: FastifyInstance, { db, countStranger }: ReturnPageOptions): void {
  app.get<{ Querystring: { payment?: unknown } }>('/', async (request, reply) => {
    await countStranger(addressOf(request));
    const locale = localeOf(request.headers['accept-language']);
    const { payment: asked } = request.query;
    const payment = typeof asked === 'string' && UUID.test(asked) ? await paymentOf(db, asked) : null;
    return reply
      .code(asked === undefined || payment !== null ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      .header('x-content-type-options', 'nosniff')
      .send(asked === undefined ? page(HOME, null, locale) : page(toldOf(payment), payment, locale));
  });
}

function toldOf(payment: Payment | null): Told {
  return payment === null ? UNKNOWN : STATES[payment.state];
}

function page({ title, words }: Told, payment: Payment | null, locale: Locale): string {
  const amount =
    payment === null ? null : html`<p><strong>${printAmount(payment.amount, payment.currency)}</strong></p>`;
  return html`<!doctype html>
<html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title[locale]}</title>
<style>${STYLE}</style>
<main>
<h1>${title[locale]}</h1>
${amount}
<p role="status">${words[locale]}</p>
${payment?.state === 'pending' ? html`<p><a href="/?payment=${payment.id}">${LOOK_AGAIN[locale]}</a></p>` : null}
${payment === null ? html`<p><a href="/docs">${REFERENCE[locale]}</a></p>` : null}
</main>
</html>
`.toString();
}
