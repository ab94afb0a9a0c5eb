import type { Schema } from '../schema.ts';
import { type Field, fieldsOf, formsOf } from './field.ts';
import { type Html, html } from './html.ts';
import { prose } from './prose.ts';

/** The fields of a request or an answer; a table for each form that it can take. */
export function fieldTables(schema: Schema, paths: ReadonlySet<string>, caption: string): Html {
  const forms = formsOf(schema);
  const [only] = forms;
  if (forms.length === 1 && only !== undefined) return table(only, paths, caption);
  return html`${forms.map((form, index) => {
    const telling = tellingField(forms, index);
    const title = form.description ?? (telling === null ? `Form ${index + 1}` : `With \`${telling}\``);
    return html`<h3>${prose(title, paths)}</h3>${table(form, paths, caption)}`;
  })}`;
}

/** The first field that no other form has. */
function tellingField(forms: readonly Schema[], index: number): string | null {
  const others = forms.flatMap((form, at) => (at === index ? [] : Object.keys(form.properties ?? {})));
  return Object.keys(forms[index]?.properties ?? {}).find((name) => !others.includes(name)) ?? null;
}

function table(schema: Schema, paths: ReadonlySet<string>, caption: string): Html {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return html`<p>None.</p>`;
  return html`<table class="fields" aria-label="${caption}">
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Default</th><th scope="col">Description</th></tr></thead>
<tbody>${fields.map((field) => row(field, paths))}
</tbody></table>`;
}

function row({ parents, name, type, required, schema, values, bounds }: Field, paths: ReadonlySet<string>): Html {
  return html`
<tr><th scope="row"><code><span class="path">${parents}</span><span class="name">${name}</span></code>${
    required ? html` <span class="required">required</span>` : null
  }</th><td>${type}${bounds.map((bound) => html`<span class="note">${prose(bound, paths)}</span>`)}</td><td>${
    schema.default === undefined ? null : html`<code>${JSON.stringify(schema.default)}</code>`
  }</td><td>${schema.description === undefined ? null : html`<p>${prose(schema.description, paths)}</p>`}${
    values.length === 0 ? null : html`<p>${list(values)}</p>`
  }</td></tr>`;
}

function list(values: readonly unknown[]): Html {
  const codes = values.map((value) => html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`);
  return html`${values.length === 1 ? 'Always' : 'One of'} ${codes.map((code, index) => html`${index > 0 && ', '}${code}`)}`;
}
