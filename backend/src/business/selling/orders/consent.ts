import { sha256 } from '../../../base/canonical.ts';
import type { Locale } from '../../../operation.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';

/** What a customer agreed to with an order: the receipt says which texts, when (the order's time) and from where. */
export interface Consent {
  /** The version of the terms, as the catalogue names it. */
  readonly version: string;
  /** SHA-256 of the texts in the language in which they were shown: JSON of [language, tos, cancellation]. */
  readonly hash: Buffer;
  readonly ip: string;
}

const hashes = new WeakMap<CatalogVersion, Map<Locale, Buffer>>();

/** The receipt for the terms that a version of the catalogue has, shown in a language. */
export function consentTo(catalog: CatalogVersion, locale: Locale, ip: string): Consent {
  const known = hashes.get(catalog) ?? new Map<Locale, Buffer>();
  hashes.set(catalog, known);
  const { version, ...texts } = catalog.content.terms;
  const hash =
    known.get(locale) ?? sha256(JSON.stringify([locale, texts[locale].tos, texts[locale].cancellation]));
  known.set(locale, hash);
  return { version, hash, ip };
}
