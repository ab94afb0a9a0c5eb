import { isDeepStrictEqual } from 'node:util';

/** A part of the document before it is checked. */
type Fields = Readonly<Record<string, unknown>>;

/** What holds where neither an entry nor the operator's defaults say anything. Part of format 1: never changes. */
const FORMAT_DEFAULTS: Fields = {
  profile: null,
  sold: true,
  trade: null,
  whois_privacy: null,
  promo: null,
  policy: {
    renew_not_before_days: null,
    transfer_lock_days: 60,
    icann: null,
    contact_roles: [],
    ds_ttl_hours: 24,
    ns_ttl_hours: 48,
    authcode_days: 14,
  },
  contact_schema: {},
  idn: null,
};
const MERGED_BY_FIELD = ['features', 'policy'];

/** The document with every entry of `tlds` completed from its profile and from `tld_defaults`. */
export function completeTlds(document: unknown): unknown {
  if (!isFields(document) || !Array.isArray(document.tlds)) return document;
  const inherited = inheritance(document);
  const tlds = document.tlds.map((entry: unknown) =>
    isFields(entry) ? withDerivedFeatures(merge(inherited(entry.profile), entry)) : entry,
  );
  return { ...document, tlds };
}

/** The inverse: the same document with every entry reduced to what {@link completeTlds} does not give back. */
export function reduceTlds(document: Fields & { tlds: readonly Fields[] }): Fields {
  const inherited = inheritance(document);
  const tlds = document.tlds.map((entry) => {
    const own = isFields(entry.features) ? entry.features : {};
    const { whois_privacy: _price, authcode: _model, ...features } = own;
    return difference({ ...entry, features }, inherited(entry.profile));
  });
  return { ...document, tlds };
}

/**
 * Where the value at `path` (from the document's root) was written: in the entry itself, in its profile or in
 * `tld_defaults`. A mistake there shows in every entry that inherits it, but must be put right in one place.
 */
export function writtenAt(document: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const [section, index, field, inner] = path;
  if (!isFields(document) || section !== 'tlds' || typeof index !== 'number' || typeof field !== 'string')
    return path;
  const entry: unknown = Array.isArray(document.tlds) ? document.tlds[index] : undefined;
  if (!isFields(entry)) return path;
  const profile = profileOf(document, entry.profile);
  const writes = (fields: Fields) =>
    Object.hasOwn(fields, field) &&
    (!MERGED_BY_FIELD.includes(field) || typeof inner !== 'string' || hasInner(fields[field], inner));
  if (writes(entry)) return path;
  if (profile !== null && writes(profile)) return ['tld_profiles', String(entry.profile), ...path.slice(2)];
  if (isFields(document.tld_defaults) && writes(document.tld_defaults))
    return ['tld_defaults', ...path.slice(2)];
  return path;
}

/** What an entry of the given profile has before it says anything itself. */
function inheritance(document: Fields): (profile: unknown) => Fields {
  const defaults = merge(FORMAT_DEFAULTS, isFields(document.tld_defaults) ? document.tld_defaults : {});
  const known = new Map<unknown, Fields>();
  return (profile) => {
    const fields = known.get(profile) ?? merge(defaults, profileOf(document, profile) ?? {});
    known.set(profile, fields);
    return fields;
  };
}

function profileOf(document: Fields, name: unknown): Fields | null {
  const profiles = document.tld_profiles;
  if (!isFields(profiles) || typeof name !== 'string' || !Object.hasOwn(profiles, name)) return null;
  const profile = profiles[name];
  return isFields(profile) ? profile : null;
}

function merge(base: Fields, over: Fields): Fields {
  const merged = { ...base, ...over };
  for (const field of MERGED_BY_FIELD) {
    const [below, above] = [base[field], over[field]];
    if (isFields(below) && isFields(above)) merged[field] = { ...below, ...above };
  }
  return merged;
}

function difference(entry: Fields, base: Fields): Fields {
  const fields = Object.entries(entry).flatMap(([name, value]) => {
    const inherits = base[name];
    if (isDeepStrictEqual(value, inherits)) return [];
    if (!MERGED_BY_FIELD.includes(name) || !isFields(value) || !isFields(inherits)) return [[name, value]];
    const rest = difference(value, inherits);
    return Object.keys(rest).length === 0 ? [] : [[name, rest]];
  });
  return Object.fromEntries(fields);
}

/** Two features follow from other fields, so that nobody writes the same thing twice. */
function withDerivedFeatures(entry: Fields): Fields {
  if (!isFields(entry.features)) return entry;
  const model = isFields(entry.policy) ? entry.policy.transfer_model : undefined;
  const derived = { whois_privacy: entry.whois_privacy !== null, authcode: model === 'authcode' };
  return { ...entry, features: { ...derived, ...entry.features } };
}

function hasInner(value: unknown, name: string): boolean {
  return isFields(value) && Object.hasOwn(value, name);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
