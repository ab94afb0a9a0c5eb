import type { EppRegistrar } from './registrar.ts';

/** A TLD as the catalogue maps it to a connection. */
export interface MappedTld {
  readonly tld: string;
  readonly registry: string;
  /** By the names of the fields that it asks for of contacts. */
  readonly contact_schema: { readonly properties?: Readonly<Record<string, unknown>> | undefined };
}

type Connections = ReadonlyMap<string, Pick<EppRegistrar, 'objectionTo' | 'untoldFields'>>;

/** Why TLDs cannot be mapped as they are: nothing could ever be registered under them. Empty: all can. */
export function mappingObjections(tlds: readonly MappedTld[], connections: Connections): readonly string[] {
  return tlds.flatMap(({ tld, registry }) => {
    const objection = connections.get(registry)?.objectionTo(tld) ?? null;
    return objection === null ? [] : [`${tld}: registry: ${registry}: ${objection}`];
  });
}

/** TLDs that ask customers for what their registries are never told; empty: none. */
export function untoldFields(tlds: readonly MappedTld[], connections: Connections): readonly string[] {
  return tlds.flatMap(({ tld, registry, contact_schema }) => {
    const fields = connections.get(registry)?.untoldFields(tld, Object.keys(contact_schema.properties ?? {}));
    return fields === undefined || fields.length === 0 ? [] : [`.${tld} (${fields.join(', ')})`];
  });
}
