import { z } from 'zod';
import type { ContactExtension, ExtensionField } from './contact-extension.ts';
import { NS } from './wire/namespace.ts';

const SPOKEN: ReadonlySet<string> = new Set(Object.values(NS));

const ElementName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/, 'is no name of an XML element');
const Path = z
  .string()
  .regex(
    /^[A-Za-z_][\w.-]{0,63}(\/[A-Za-z_][\w.-]{0,63}){0,5}$/,
    'is no path of XML elements such as registrant/type',
  );
const FieldName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'is no field of a contact_schema');

const Field = z.union([
  Path,
  z.strictObject({
    element: Path,
    key: z
      .string()
      .regex(/^[^\s=]{1,64}$/, 'must have neither spaces nor =')
      .optional(),
    values: z.record(z.string().max(255), z.string().max(255)).optional(),
  }),
]);

/** A {@link ContactExtension} as a file of connections describes it. */
export const ContactExtensionSettings = z
  .strictObject({
    namespace: z
      .string()
      .regex(/^[a-z][a-z0-9+.-]*:\S+$/i, 'is no namespace')
      .refine((uri) => !SPOKEN.has(uri), 'is a namespace that is spoken as its RFC says'),
    create: ElementName.default('create'),
    update: ElementName.default('update'),
    info: ElementName.default('infData'),
    fields: z.record(FieldName, Field).refine((fields) => Object.keys(fields).length > 0, 'has no fields'),
  })
  .transform(
    ({ fields, ...names }): ContactExtension => ({
      ...names,
      fields: Object.entries(fields).map(([name, field]) => fieldOf(name, field)),
    }),
  )
  .superRefine(({ fields }, ctx) => {
    for (const [at, one] of fields.entries()) {
      const other = fields.slice(0, at).find((earlier) => collide(earlier, one));
      if (other === undefined) continue;
      const message = `goes where ${other.name} goes: give both a key, or other elements`;
      ctx.addIssue({ code: 'custom', path: ['fields', one.name], message });
    }
  });

function fieldOf(name: string, given: z.output<typeof Field>): ExtensionField {
  const { element, key = null, values = {} } = typeof given === 'string' ? { element: given } : given;
  return { name, path: element.split('/'), key, values: new Map(Object.entries(values)) };
}

/** An element holds one value, or pairs by their keys, or further elements. */
function collide(a: ExtensionField, b: ExtensionField): boolean {
  const depth = Math.min(a.path.length, b.path.length);
  if (a.path.slice(0, depth).some((name, at) => b.path[at] !== name)) return false;
  return a.path.length !== b.path.length || a.key === null || b.key === null || a.key === b.key;
}
