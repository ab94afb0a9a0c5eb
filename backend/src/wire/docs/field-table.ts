import { type Html, html } from '../../base/html.ts';
import type { Schema } from '../schema.ts';
import { type Field, fieldsOf, formsOf } from './field.ts';
import { prose } from './prose.ts';

type Side = 'request' | 'answer';

/** The fields of a request or an answer; a table for each form that it can take. */
export function fieldTables(schema: Schema, paths: ReadonlySet<string>, of: Side): Html {
  const forms = formsOf(schema);
  const [only] = forms;
  if (forms.length === 1 && only !== undefined) return table(only, paths, of);
  return html`${forms.map((form, index) => {
    const telling = tellingField(forms, index);
    const title = form.description ?? (telling === null ? `Form ${index + 1}` : `With \`${telling}\``);
    return html`<h3>${prose(title, paths)}</h3>${table(form, paths, of)}`;
  })}`;
}

/** The first field that no other form has. */
function tellingField(forms: readonly Schema[], index: number): string | null {
  const others = forms.flatMap((form, at) => (at === index ? [] : Object.keys(form.properties ?? {})));
  return Object.keys(forms[index]?.properties ?? {}).find((name) => !others.includes(name)) ?? null;
}

function table(schema: Schema, paths: ReadonlySet<string>, of: Side): Html {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return html`<p>None.</p>`;
  return html`<table class="fields" aria-label="Fields of the ${of}">
<thead><tr><th scope="col">Field</th><th scope="col">Type</th>${
    of === 'request' && html`<th scope="col">Default</th>`
  }<th scope="col">Description</th></tr></thead>
<tbody>${fields.map((field) => row(field, paths, of))}
</tbody></table>`;
}

function row(field: Field, paths: ReadonlySet<string>, of: Side): Html {
  const { schema, values, bounds } = field;
  return html`
<tr><th scope="row"><code><span class="path">${field.parents}</span><span class="name">${field.name}</span></code>${presence(field, of)}</th><td>${
    field.type
  }${bounds.map((bound) => html`<span class="note">${prose(bound, paths)}</span>`)}</td>${
    of === 'request' &&
    html`<td class="default">${schema.default !== undefined && literal(schema.default)}</td>`
  }<td>${schema.description !== undefined && html`<p>${prose(schema.description, paths)}</p>`}${
    values.length > 0 && html`<p>${list(values)}</p>`
  }</td></tr>`;
}

/** What is unusual: that a request must have the field, that an answer may lack it. */
function presence(field: Field, of: Side): Html | null {
  if (of === 'request') return field.required ? html` <span class="required">required</span>` : null;
  return field.required ? null : html` <span class="note">may be missing</span>`;
}

function list(values: readonly unknown[]): Html {
  const codes = values.map(literal);
  return html`${values.length === 1 ? 'Always' : 'One of'} ${codes.map((code, index) => html`${index > 0 && ', '}${code}`)}`;
}

/** A value as JSON, but texts without their quotes. */
function literal(value: unknown): Html {
  return html`<code>${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}</code>`;
}
