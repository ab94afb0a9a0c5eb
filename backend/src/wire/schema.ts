import { z } from 'zod';
import type { Operation } from '../operation.ts';

/** A JSON Schema (2020-12) as it is made from the definitions: what documents read of it. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Whether a schema tells what is taken, or what is given. */
export type Io = 'input' | 'output';

/** What an operation takes. */
export function inputSchema(operation: Operation): Schema {
  return jsonSchema(operation.input, 'input');
}

/** What an operation's `data` holds. Members may be added to it at any time, so none are excluded. */
export function outputSchema(operation: Operation): Schema {
  return jsonSchema(operation.output, 'output');
}

/** `names`: what gives schemas an `id`, and so a definition of their own. */
export function jsonSchema(
  type: z.ZodType,
  io: Io,
  names?: z.core.$ZodRegistry<Record<string, unknown>>,
): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    ...(names && { metadata: names }),
    override: ({ jsonSchema }) => {
      // Every JSON number is within these: they say nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // The format says it, in fewer than 400 characters.
      if (jsonSchema.format === 'ipv4' || jsonSchema.format === 'ipv6') delete jsonSchema.pattern;
      // Its place is its name.
      delete jsonSchema.id;
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return schema as Schema;
}
