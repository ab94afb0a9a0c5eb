import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Html, html } from '../base/html.ts';
import type { Locale, Text } from '../operation.ts';
import { BASE_PATH } from './http.ts';
import { localeOf } from './request.ts';

interface Field {
  readonly name: string;
  readonly label: Text;
  readonly type: 'text' | 'password';
  readonly autocomplete: string;
  readonly optional?: boolean;
}

/** A page that a mailed link opens: it asks for what is missing and calls one operation. */
interface LinkPage {
  /** As `business/core/people/mailed-link.ts` writes it into mails. */
  readonly path: string;
  readonly operation: string;
  readonly title: Text;
  readonly button: Text;
  readonly fields: readonly Field[];
}

const password = (name: string): Field => ({
  name,
  label: { en: 'New password', de: 'Neues Passwort' },
  type: 'password',
  autocomplete: 'new-password',
});

const PAGES: readonly LinkPage[] = [
  {
    path: '/verify-email',
    operation: 'account/email-verify',
    title: { en: 'Confirm your e-mail address', de: 'E-Mail-Adresse bestätigen' },
    button: { en: 'Confirm', de: 'Bestätigen' },
    fields: [],
  },
  {
    path: '/reset-password',
    operation: 'account/password-reset-confirm',
    title: { en: 'Choose a new password', de: 'Neues Passwort wählen' },
    button: { en: 'Change the password', de: 'Passwort ändern' },
    fields: [
      password('new_password'),
      {
        name: 'code',
        label: {
          en: 'Code of your second factor, if you use one',
          de: 'Code des zweiten Faktors, falls aktiv',
        },
        type: 'text',
        autocomplete: 'one-time-code',
        optional: true,
      },
    ],
  },
  {
    path: '/accept-invitation',
    operation: 'account/user-accept',
    title: { en: 'Accept the invitation', de: 'Einladung annehmen' },
    button: { en: 'Join', de: 'Beitreten' },
    fields: [
      {
        name: 'first_name',
        label: { en: 'First name', de: 'Vorname' },
        type: 'text',
        autocomplete: 'given-name',
      },
      {
        name: 'last_name',
        label: { en: 'Last name', de: 'Nachname' },
        type: 'text',
        autocomplete: 'family-name',
      },
      password('password'),
    ],
  },
  {
    path: '/verify-contact',
    operation: 'domain/contact-verify',
    title: {
      en: 'Confirm your e-mail address as the owner of a domain',
      de: 'E-Mail-Adresse als Inhaber einer Domain bestätigen',
    },
    button: { en: 'Confirm', de: 'Bestätigen' },
    fields: [],
  },
  {
    path: '/confirm-owner-change',
    operation: 'domain/contact-approve',
    title: { en: 'Agree to another owner of a domain', de: 'Einem Inhaberwechsel zustimmen' },
    button: { en: 'Agree', de: 'Zustimmen' },
    fields: [],
  },
];

// The secret stands behind the #: it is in no request line, no log and no Referer. So a script has to send it, once,
// when somebody presses the button: whatever opens links ahead of people uses none up.
const SCRIPT = `
const form = document.querySelector('form');
const said = document.querySelector('output');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const fields = [...new FormData(form)].filter(([, value]) => value !== '');
  const body = JSON.stringify({ ...Object.fromEntries(fields), token: location.hash.slice(1) });
  const headers = { 'content-type': 'application/json', 'accept-language': document.documentElement.lang };
  const answer = await fetch(form.action, { method: 'POST', headers, body }).then((got) => got.json());
  const wrong = (answer.errors ?? []).map(({ pointer, message }) => {
    const label = form.elements[pointer.slice(1)]?.labels?.[0]?.firstChild.textContent;
    return label === undefined ? message : label + ': ' + message;
  });
  said.textContent = wrong.length > 0 ? wrong.join(' ') : answer.response;
  if (answer.state === 'success') form.remove();
});
`;
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');
const STYLE = `:root{color-scheme:light dark}body{font:1rem system-ui;max-width:26rem;margin:4rem auto;padding:0 1rem}
label{display:block;margin:1rem 0}input{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.5rem}
button{font:inherit;padding:.5rem 1rem}`;

/** The pages that links in mails open, in the reader's language. */
export function addLinkPages(app: FastifyInstance): void {
  for (const page of PAGES) {
    app.get(page.path, (request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .header(
          'content-security-policy',
          `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${SCRIPT_HASH}'; connect-src 'self'; ` +
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        )
        .header('x-content-type-options', 'nosniff')
        .send(render(page, localeOf(request.headers['accept-language']))),
    );
  }
}

function render({ operation, title, button, fields }: LinkPage, locale: Locale): string {
  return html`<!doctype html>
<html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title[locale]}</title>
<style>${new Html(STYLE)}</style>
<h1>${title[locale]}</h1>
<form method="post" action="${BASE_PATH}/${operation}">
${fields.map((field) => input(field, locale))}
<button>${button[locale]}</button>
</form>
<p><output></output></p>
<script>${new Html(SCRIPT)}</script>
</html>
`.toString();
}

function input({ name, label, type, autocomplete, optional }: Field, locale: Locale): Html {
  const required = optional ? null : html` required`;
  return html`<label>${label[locale]}<input name="${name}" type="${type}" autocomplete="${autocomplete}"${required}></label>
`;
}
