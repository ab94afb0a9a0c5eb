import type { ContactSchema } from '../../core/catalog/schema/contact-schema.ts';

/** What a TLD wants to know of a contact and does not find. */
export interface ExtraProblem {
  readonly field: string;
  readonly error: 'required' | 'unknown_field' | 'invalid_type' | 'invalid_format' | 'not_allowed';
  readonly message: string;
}

/** Compares a contact's `extra` with a TLD's schema. What other TLDs ask for may stand there too. */
export function extraProblems(
  schema: ContactSchema,
  extra: Readonly<Record<string, unknown>>,
): readonly ExtraProblem[] {
  const missing = (schema.required ?? [])
    .filter((field) => extra[field] === undefined)
    .map((field) => ({
      field,
      error: 'required' as const,
      message: `${schema.properties?.[field]?.title ?? field} is required under this TLD.`,
    }));
  const wrong = Object.entries(schema.properties ?? {}).flatMap(([field, wanted]) =>
    extra[field] === undefined ? [] : fieldProblems(field, wanted, extra[field]),
  );
  return [...missing, ...wrong];
}

type Field = NonNullable<ContactSchema['properties']>[string];

function fieldProblems(field: string, wanted: Field, value: unknown): ExtraProblem[] {
  if (typeof value !== wanted.type)
    return [{ field, error: 'invalid_type', message: `This must be a ${wanted.type}.` }];
  if (typeof value !== 'string') return [];
  if (wanted.enum !== undefined && !wanted.enum.includes(value))
    return [{ field, error: 'not_allowed', message: `This must be one of ${wanted.enum.join(', ')}.` }];
  const { minLength = 0, maxLength = 255 } = wanted;
  const length = [...value].length;
  const fits =
    length >= minLength &&
    length <= maxLength &&
    (wanted.pattern === undefined || new RegExp(wanted.pattern, 'u').test(value)) &&
    (wanted.format === undefined || isDate(value));
  if (fits) return [];
  return [
    { field, error: 'invalid_format', message: wanted.description ?? 'This is not as the TLD wants it.' },
  ];
}

function isDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}
