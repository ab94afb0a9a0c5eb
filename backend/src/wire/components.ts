import { z } from 'zod';
import { type Io, jsonSchema, type Schema } from './schema.ts';

/** Until all is gathered, it is open whether what an operation takes is another schema than what it gives. */
const TAKEN = '@taken';
const REFERENCE = /"#\/\$defs\/(\w+)"/g;

/**
 * The named schemas of the document (`components.schemas`), each written once. A schema that reads differently as
 * input (members with defaults may be left out, unknown ones are refused) has a second name there: `ZoneInput`.
 */
export class Components {
  readonly #named: Readonly<Record<string, z.ZodType>>;
  readonly #names: z.core.$ZodRegistry<Record<string, unknown>>;
  readonly #schemas: Readonly<Record<Io, Map<string, string>>> = { input: new Map(), output: new Map() };

  constructor(named: Readonly<Record<string, z.ZodType>>) {
    this.#named = named;
    this.#names = namesOver(named);
  }

  /** The schema of a type, with references to the named ones in it. */
  schemaOf(type: z.ZodType, io: Io): Schema {
    const { $defs = {}, ...schema } = jsonSchema(type, io, this.#names);
    for (const [name, definition] of Object.entries($defs)) this.#add(name, definition, io);
    return JSON.parse(referring(JSON.stringify(schema), io));
  }

  /** Gives a schema a name: what refers to it. */
  name(name: string, type: z.ZodType, io: Io): Schema {
    this.#add(name, this.schemaOf(type, io), io);
    return { $ref: `#/components/schemas/${name}${io === 'input' ? TAKEN : ''}` };
  }

  #add(name: string, schema: Schema, io: Io): void {
    const text = referring(JSON.stringify(schema), io);
    const before = this.#schemas[io].get(name);
    if (before !== undefined && before !== text) throw new Error(`two schemas have the name ${name}`);
    this.#schemas[io].set(name, text);
  }

  /** The document with its schemas in it, all references in their last form. */
  complete(document: (schemas: Readonly<Record<string, Schema>>) => object): object {
    const { input, output } = this.#schemas;
    // Those that definitions are only like.
    for (const [name, type] of Object.entries(this.#named)) {
      if (input.has(name) || output.has(name)) continue;
      const schema = this.schemaOf(type, 'output');
      if (!output.has(name)) this.#add(name, schema, 'output');
    }
    const twofold = this.#twofold();
    const schemas: Record<string, Schema> = {};
    for (const [name, text] of output) schemas[name] = JSON.parse(text);
    for (const [name, text] of input)
      schemas[twofold.has(name) ? inputName(name) : name] ??= JSON.parse(text);
    const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
    const text = JSON.stringify(document(this.#shared(sorted))).replace(
      /"#\/components\/schemas\/(\w+)@taken"/g,
      (_, name: string) => `"#/components/schemas/${twofold.has(name) ? inputName(name) : name}"`,
    );
    return JSON.parse(text);
  }

  /** What is written out somewhere and has a name elsewhere refers to it: definitions in two files may be alike. */
  #shared(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
    const names = new Map(
      Object.entries(schemas)
        .filter(([name]) => Object.hasOwn(this.#named, name))
        .map(([name, schema]) => [shapeOf(schema), name]),
    );
    const referring = (value: unknown, own: string): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map((item) => referring(item, own));
      const shape = shapeOf(value);
      const name = shape === null ? undefined : names.get(shape);
      if (name !== undefined && name !== own) {
        const { description } = value as Schema;
        return { ...(description && { description }), $ref: `#/components/schemas/${name}` };
      }
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, referring(member, own)]));
    };
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, referring(schema, name) as Schema]),
    );
  }

  /** Names of which input and output differ, or refer to others that do. */
  #twofold(): ReadonlySet<string> {
    const { input, output } = this.#schemas;
    const found = new Set<string>();
    for (let before = -1; before < found.size; ) {
      before = found.size;
      for (const [name, text] of input) {
        const given = output.get(name);
        if (given === undefined) continue;
        const refers = [...text.matchAll(/schemas\/(\w+)@taken/g)].some(([, other]) =>
          found.has(other ?? ''),
        );
        if (refers || text.replaceAll(TAKEN, '') !== given) found.add(name);
      }
    }
    return found;
  }
}

/** What makes two objects or choices the same; null of anything smaller. */
function shapeOf({ description: _, ...schema }: Schema): string | null {
  const { properties, anyOf, enum: choices } = schema;
  const large =
    (properties && Object.keys(properties).length > 0) || anyOf || (choices && choices.length > 1);
  return large ? JSON.stringify(schema) : null;
}

const inputName = (name: string) => `${name}Input`;

function referring(text: string, io: Io): string {
  return text.replace(REFERENCE, `"#/components/schemas/$1${io === 'input' ? TAKEN : ''}"`);
}

/** What is known of schemas anyway (descriptions, formats), and names. */
function namesOver(named: Readonly<Record<string, z.ZodType>>) {
  const ids = new Map<z.core.$ZodType, string>(Object.entries(named).map(([name, type]) => [type, name]));
  const registry = z.registry<Record<string, unknown>>();
  registry.get = (type: z.core.$ZodType) => {
    const id = ids.get(type);
    const known = z.globalRegistry.get(type) as Record<string, unknown> | undefined;
    return id === undefined ? (known as never) : ({ ...known, id } as never);
  };
  return registry;
}
