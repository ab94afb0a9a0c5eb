import { type Html, html } from '../../base/html.ts';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { Operation } from '../../operation.ts';
import { errorsOf } from '../openapi.ts';
import type { Page } from './layout.ts';
import type { Reference } from './reference.ts';

/** Every error with an anchor of its name, which the `type` of error bodies points to. */
export function errorsPage({ groups }: Reference): Page {
  const operations = groups.flatMap(([, members]) => members);
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const body = html`<p class="crumbs"><a href="/docs">Reference</a> › Errors</p>
<h1>Errors</h1>
<p>An error has the members of the envelope and those of RFC 9457. Decide on <code>error</code> alone: the texts are for
people, come in the language of <code>Accept-Language</code>, and may change. Where <code>retryable</code> is true, the
same request may succeed later. <code>errors</code> lists what is wrong with single fields, each with a JSON Pointer
(RFC 6901) into the request. Words in braces stand for members of the error body.</p>
<pre tabindex="0"><code>${JSON.stringify(EXAMPLE, null, 2)}</code></pre>
${codes.map((code) => section(code, operations))}`;
  return { path: '/docs/errors', title: 'Errors', body };
}

function section(code: ErrorCode, operations: readonly Operation[]): Html {
  const { status, title, en, de, retryable } = ERRORS[code];
  const users = operations.filter((operation) => errorsOf(operation).includes(code));
  return html`<section class="error" id="${code}" aria-labelledby="${code}-title">
<h2 id="${code}-title"><code>${code}</code></h2>
<p>${status} ${title}${retryable === true && ' · retryable'}</p>
<p>${en}</p>
<p lang="de">${de}</p>
<p class="note">${raisers(users, operations.length)}</p>
</section>`;
}

function raisers(users: readonly Operation[], all: number): Html {
  if (users.length === 0) return html`Answered before any operation is reached.`;
  if (users.length === all) return html`Any operation.`;
  if (users.length > 12) return html`${users.length} of ${all} operations.`;
  return html`${users.map(({ path }, index) => html`${index > 0 && ', '}<a href="/docs/${path}">${path}</a>`)}`;
}

const ID = '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11';
const EXAMPLE = {
  response: 'Your balance is 3.1 EUR short for this order.',
  state: 'error',
  code: 402,
  data: null,
  error: 'insufficient_funds',
  errors: [],
  request_id: ID,
  retryable: false,
  type: 'https://hosting.example/docs/errors#insufficient_funds',
  title: 'Insufficient funds',
  status: 402,
  detail: 'Your balance is 3.1 EUR short for this order.',
  instance: `urn:uuid:${ID}`,
  required: 9.99,
  available: 6.89,
  shortfall: 3.1,
  currency: 'EUR',
};
