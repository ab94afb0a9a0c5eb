import type { Schema } from '../schema.ts';

/** One field of a request or an answer, as a row of a table. */
export interface Field {
  /** From the root, e.g. `ip_bindings[].` */
  readonly parents: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly schema: Schema;
  /** The values it can have, where they can be listed. */
  readonly values: readonly unknown[];
  /** Bounds and patterns in words. */
  readonly bounds: readonly string[];
}

/** The forms that an object can take: itself, or its alternatives. Each is told by fields that only it has. */
export function formsOf(schema: Schema): readonly Schema[] {
  return alternatives(schema) ?? [schema];
}

/** Every field of an object, the fields of its objects right behind them. */
export function fieldsOf(schema: Schema, parents = ''): readonly Field[] {
  const parts = schema.allOf ?? [schema];
  return parts.flatMap((part) =>
    Object.entries(part.properties ?? {}).flatMap(([name, property]) => [
      {
        parents,
        name,
        type: typeOf(property),
        required: part.required?.includes(name) === true,
        schema: property,
        values: valuesOf(property),
        bounds: boundsOf(property),
      },
      ...nested(property, `${parents}${name}`),
    ]),
  );
}

function nested(schema: Schema, path: string): readonly Field[] {
  const forms = alternatives(schema);
  if (forms !== null) return forms.flatMap((form) => nested(form, path));
  if (schema.items !== undefined) return nested(schema.items, `${path}[]`);
  return schema.properties === undefined && schema.allOf === undefined ? [] : fieldsOf(schema, `${path}.`);
}

function alternatives(schema: Schema): readonly Schema[] | null {
  return schema.anyOf ?? schema.oneOf ?? null;
}

function typeOf(schema: Schema): string {
  const forms = alternatives(schema);
  if (forms !== null) return [...new Set(forms.map(typeOf))].join(' or ');
  if (typeof schema.type === 'object') return schema.type.join(' or ');
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`;
  if (typeof schema.additionalProperties === 'object' && schema.properties === undefined) {
    return `object of ${typeOf(schema.additionalProperties)}`;
  }
  if (schema.type === 'string' && schema.format !== undefined) return `string (${schema.format})`;
  if (schema.type !== undefined) return String(schema.type);
  if (schema.allOf !== undefined) return 'object';
  if (schema.const !== undefined) return typeof schema.const;
  return schema.enum === undefined
    ? 'any'
    : [...new Set(schema.enum.map((value) => typeof value))].join(' or ');
}

function valuesOf(schema: Schema): readonly unknown[] {
  const forms = alternatives(schema);
  if (forms !== null) return forms.flatMap(valuesOf);
  if (schema.items !== undefined) return valuesOf(schema.items);
  return schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
}

function boundsOf(schema: Schema): readonly string[] {
  const forms = alternatives(schema);
  if (forms !== null) return [...new Set(forms.flatMap(boundsOf))];
  const bounds = [
    range(schema.minimum ?? schema.exclusiveMinimum, schema.maximum ?? schema.exclusiveMaximum, ''),
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minItems, schema.maxItems, 'items'),
    schema.multipleOf === undefined || schema.multipleOf === 1 ? '' : `a multiple of ${schema.multipleOf}`,
    schema.pattern === undefined || schema.format !== undefined || schema.description !== undefined
      ? ''
      : `matches \`${schema.pattern}\``,
    ...(schema.items === undefined ? [] : boundsOf(schema.items)),
  ];
  return bounds.filter((bound) => bound !== '');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const of = unit === '' ? '' : ` ${unit}`;
  if (least !== undefined && least === most) return `${least}${of}`;
  if (least !== undefined && most !== undefined) return `${least} to ${most}${of}`;
  if (least !== undefined) return `at least ${least}${of}`;
  return most === undefined ? '' : `at most ${most}${of}`;
}
