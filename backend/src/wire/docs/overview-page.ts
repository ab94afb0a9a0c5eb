import { type Html, html } from '../../base/html.ts';
import type { Operation } from '../../operation.ts';
import { GROUPS } from '../group.ts';
import type { Page } from './layout.ts';
import { method } from './operation-page.ts';
import { prose } from './prose.ts';
import type { Reference } from './reference.ts';

/** What holds for all operations, and the list of them. */
export function overviewPage(reference: Reference): Page {
  const body = html`<h1>The interface</h1>
<p class="lead">JSON over HTTP below <code>${reference.base}</code>, described by
<a href="/api/v2/openapi.json">an OpenAPI document</a> too.</p>
<h2 id="conventions">What holds everywhere</h2>
<dl class="facts">
<dt>Authentication</dt><dd><code>Authorization: Bearer $TOKEN</code>, with an access token of the scope that the operation names.</dd>
<dt>Parameters</dt><dd>Of a POST: a JSON object. Of a GET: in the query, where a list repeats its name, or as a JSON object in the body. Unknown fields are refused.</dd>
<dt>Times</dt><dd><code>YYYY-MM-DD HH:MM:SS</code>, always UTC. With <code>T</code> for the space and a <code>Z</code> behind it
that is RFC 3339, which inputs take too, with any offset.</dd>
<dt>Amounts</dt><dd>Numbers in major units of the <code>currency</code> beside them; exact integers in <code>…_minor</code>.</dd>
<dt>Language</dt><dd><code>Accept-Language</code> chooses English or German for texts. Codes never change.</dd>
<dt>Repeating</dt><dd>A POST with an <code>Idempotency-Key</code> (1 to 255 visible ASCII characters, kept for 24 hours) takes effect once; the answer is repeated with <code>Idempotent-Replayed: true</code>.</dd>
<dt>Limits</dt><dd><code>RateLimit-Limit</code>, <code>-Remaining</code> and <code>-Reset</code> tell what is left; beyond, 429 with <code>Retry-After</code>.</dd>
<dt>New fields</dt><dd>May appear in any answer: ignore what you do not know.</dd>
</dl>
<h2 id="envelope">Envelope</h2>
<p>Every answer has these members; <code>code</code> is the HTTP status. See <a href="/docs/errors">errors</a> for what an
error has besides.</p>
<pre tabindex="0"><code>${JSON.stringify(ENVELOPE, null, 2)}</code></pre>
${reference.groups.map(([group, operations]) => section(group, operations, reference.paths))}`;
  return { path: '/docs', title: 'Reference', body };
}

function section(group: string, operations: readonly Operation[], paths: ReadonlySet<string>): Html {
  return html`<h2 id="${group}">${GROUPS[group]?.title ?? group}</h2>
<p>${GROUPS[group]?.description}</p>
<table>
<thead><tr><th scope="col">Method</th><th scope="col">Operation</th><th scope="col">What for</th></tr></thead>
<tbody>${operations.map(
    (operation) => html`
<tr><td>${method(operation)}</td><th scope="row"><a href="/docs/${operation.path}">${operation.path}</a></th><td>${prose(operation.summary, paths)}</td></tr>`,
  )}
</tbody></table>`;
}

const ENVELOPE = { response: 'The license was found.', state: 'success', code: 200, data: { uuid: '…' } };
