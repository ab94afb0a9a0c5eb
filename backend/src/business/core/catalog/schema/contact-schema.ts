import { z } from 'zod';
import { Line } from './label.ts';

const Pattern = z
  .string()
  .max(500)
  .refine((pattern) => compiles(pattern), 'is not a regular expression');

const Field = z.strictObject({
  type: z.enum(['string', 'boolean']),
  title: Line.optional(),
  description: Line.optional(),
  enum: z.array(Line).min(1).max(100).optional(),
  pattern: Pattern.optional(),
  format: z.literal('date').optional(),
  minLength: z.int().min(0).max(255).optional(),
  maxLength: z.int().min(1).max(255).optional(),
});

const FieldName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be a field name such as us_nexus_category');

/**
 * What a registry wants to know of a contact beyond the usual, as a JSON Schema of the contact's `extra`: the
 * plain part of the vocabulary, from which a form can be drawn. `{}` asks for nothing; otherwise it describes
 * an object and names all its members.
 */
export const ContactSchema = z
  .strictObject({
    type: z.literal('object').optional(),
    properties: z.record(FieldName, Field).optional(),
    required: z.array(FieldName).optional(),
    additionalProperties: z.literal(false).optional(),
  })
  .superRefine((schema, ctx) => {
    if (Object.keys(schema).length === 0) return;
    for (const key of ['type', 'properties', 'additionalProperties'] as const) {
      if (schema[key] === undefined) ctx.addIssue({ code: 'custom', path: [key], message: 'is missing' });
    }
    for (const [index, name] of (schema.required ?? []).entries()) {
      if (Object.hasOwn(schema.properties ?? {}, name)) continue;
      ctx.addIssue({
        code: 'custom',
        path: ['required', index],
        message: `${name} is not among the properties`,
      });
    }
  });
export type ContactSchema = z.output<typeof ContactSchema>;

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
