import { type Html, html } from '../../base/html.ts';
import { ERRORS } from '../../errors.ts';
import type { Operation } from '../../operation.ts';
import { GROUPS, groupOf } from '../group.ts';
import { errorsOf, mayGoOn, successExample } from '../openapi.ts';
import { inputSchema, outputSchema } from '../schema.ts';
import { codeExamples } from './code.ts';
import { fieldTables } from './field-table.ts';
import type { Page } from './layout.ts';
import { prose } from './prose.ts';
import type { Reference } from './reference.ts';

/** Everything there is to know for calling one operation. */
export function operationPage(operation: Operation, { base, paths, answers }: Reference): Page {
  const group = GROUPS[groupOf(operation)]?.title ?? groupOf(operation);
  const output = outputSchema(operation);
  const body = html`<p class="crumbs"><a href="/docs">Reference</a> › <a href="/docs#${groupOf(operation)}">${group}</a></p>
<h1>${operation.path}</h1>
<p class="lead">${prose(operation.summary, paths)}.</p>
<p class="route">${method(operation)} <code>${base}/${operation.path}</code></p>
${operation.description === undefined ? null : html`<p>${prose(operation.description, paths)}</p>`}
<dl class="facts">${facts(operation)}</dl>
<h2 id="example">Example</h2>
${hasOwnUuid(operation) && html`<p>With the <code>uuid</code> of a thing that you have.</p>`}
${codeExamples(operation, base).map(
  (
    { language, text },
    index,
  ) => html`<details class="code" name="code"${index === 0 && html` open`}><summary>${language}</summary>
<pre tabindex="0"><code>${text}</code></pre></details>
`,
)}
${exampleAnswer(operation, answers[operation.path])}
<h2 id="request">Request</h2>
${fieldTables(inputSchema(operation), paths, 'request')}
<h2 id="answer">Answer</h2>
<p>Inside <code>data</code> of the <a href="/docs#envelope">envelope</a>:</p>
${fieldTables(output, paths, 'answer')}
<h2 id="errors">Errors</h2>
${errorTable(operation)}`;
  return { path: `/docs/${operation.path}`, title: operation.path, body };
}

export function method(operation: Operation): Html {
  return html`<span class="method ${operation.method.toLowerCase()}">${operation.method}</span>`;
}

const AUDIENCES = {
  public: 'Anyone, without a token',
  customer: "A customer's token",
  staff: "An operator's token",
  person: "A customer's or an operator's token",
} as const;

function facts(operation: Operation): readonly Html[] {
  const shown: readonly (readonly [string, Html | false])[] = [
    ['Who may call', html`${AUDIENCES[operation.audience]}`],
    ['Limited tokens', limited(operation) !== null && html`${limited(operation)}`],
    ['Scope', operation.scope !== null && html`<code>${operation.scope}</code>`],
    ['Repeating', html`${repeating(operation)}`],
    [
      'Answers later',
      mayGoOn(operation) &&
        html`202 with <code>task</code> while the work goes on; <code>Prefer: wait=20</code> waits up to 20 seconds for its end`,
    ],
  ];
  return shown
    .map(([name, value]) => value && html`<dt>${name}</dt><dd>${value}</dd>`)
    .filter((fact) => fact !== false);
}

function limited({ security, wholeAccount }: Operation): string | null {
  if (security) return 'Refused, whatever it is that limits them';
  return wholeAccount ? 'Refused to those for certain things only: this is about the whole account' : null;
}

function repeating(operation: Operation): Html {
  if (operation.idempotent) {
    return html`With the same <code>Idempotency-Key</code> it takes effect once, and the answer is the same`;
  }
  if (operation.effect === 'none') return html`At will: it changes nothing`;
  return html`Takes effect again; it takes no <code>Idempotency-Key</code>`;
}

function hasOwnUuid({ example }: Operation): boolean {
  return Object.hasOwn(example.input ?? {}, 'uuid');
}

function exampleAnswer(operation: Operation, data: unknown): Html | null {
  if (data === undefined) return null;
  return html`<h3>Its answer</h3>
<pre tabindex="0"><code>${JSON.stringify(successExample(operation, data), null, 2)}</code></pre>`;
}

function errorTable(operation: Operation): Html {
  return html`<table class="codes">
<thead><tr><th scope="col">Error</th><th scope="col">Status</th><th scope="col">Text</th></tr></thead>
<tbody>${errorsOf(operation).map(
    (code) => html`
<tr><th scope="row"><a href="/docs/errors#${code}"><code>${code}</code></a></th><td>${ERRORS[code].status}</td><td>${ERRORS[code].en}</td></tr>`,
  )}
</tbody></table>`;
}
