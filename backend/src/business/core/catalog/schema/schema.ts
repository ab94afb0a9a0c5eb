import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { checkReferences } from '../references.ts';
import { hasCents } from './currency.ts';
import { Datacenter, Host } from './host.ts';
import { HostName, Line, Name, Prose } from './label.ts';
import { AffiliateTerms, Life, TopUpLimits } from './life.ts';
import { IsoImage } from './medium.ts';
import { OperatingSystem } from './operating-system.ts';
import { LicensePackage, ServerPackage, WebspacePackage } from './packages.ts';
import { Percent } from './price.ts';
import { Seller, TaxPolicy } from './seller.ts';
import { Support } from './support.ts';
import { LongTermUnit } from './term.ts';
import { Tld, TldDefaults, TldName } from './tld.ts';
import { completeTlds, reduceTlds } from './tld-defaults.ts';
import { WebHost } from './web-host.ts';
import { ZoneHistory, ZoneTemplates } from './zone-template.ts';

const TermsText = z.strictObject({ tos: Prose.min(1), cancellation: Prose.min(1) });

const DurationDiscount = z.strictObject({
  duration: z.int().min(1).max(36),
  duration_unit: LongTermUnit,
  percent: Percent,
});
export type DurationDiscount = z.output<typeof DurationDiscount>;

/** The document's sections, with every TLD complete. */
const Sections = z
  .strictObject({
    format: z.literal(1),
    /** ISO 4217, with the two decimals that the ledger's minor units are. */
    currency: z.string().refine(hasCents, 'must be the code of a currency with two decimals, such as EUR'),
    prices_include_tax: z.literal(true),
    /** At the seller's home; the prices include it. */
    tax_rate: Percent,
    tax: TaxPolicy.prefault({}),
    /** null: not said yet, and nothing is invoiced. */
    seller: Seller.nullable().default(null),
    life: Life.prefault({}),
    affiliate: AffiliateTerms,
    topup: TopUpLimits,
    support: Support.prefault({}),
    /** The texts that a customer accepts with an order; the order remembers the version. */
    terms: z.strictObject({ version: Line, en: TermsText, de: TermsText }),
    /** Checked when somebody searches a name without a TLD. */
    default_tld: TldName,
    /** Checked after the submitted TLD, in this order. */
    suggested_tlds: z.array(TldName).max(50),
    /** The host names of our name servers, the primary first; none: no zones are hosted. */
    nameservers: z.array(HostName).max(13).default([]),
    zone_templates: ZoneTemplates.prefault({}),
    zone_history: ZoneHistory.prefault({}),
    tld_defaults: TldDefaults.default({}),
    tld_profiles: z.record(Name, TldDefaults).default({}),
    tlds: z.array(Tld).max(5000),
    datacenters: z.array(Datacenter).max(1000),
    hosts: z.array(Host).max(1000),
    operating_systems: z.array(OperatingSystem).max(500),
    /** What customers may put into the drives of servers. */
    iso_images: z.array(IsoImage).max(500).default([]),
    server_packages: z.array(ServerPackage).max(1000),
    license_packages: z.array(LicensePackage).max(1000),
    webspace_packages: z.array(WebspacePackage).max(1000),
    /** Where webspaces are. */
    web_hosts: z.array(WebHost).max(1000).default([]),
    /** Taken off the price of a server's first and every further term of exactly this length. */
    duration_discounts: z.array(DurationDiscount).max(50),
  })
  .superRefine(checkReferences);

/**
 * Everything that is sold, at one price version. Parsing takes the document as YAML or JSON has it and gives
 * complete TLDs and exact prices; it refuses unknown fields, and names that refer to nothing.
 */
export const Catalog = z.preprocess(completeTlds, Sections);
export type Catalog = z.output<typeof Sections>;

/** A catalogue as plain JSON values: what is stored, and what is printed as YAML. */
export type CatalogDocument = Readonly<Record<string, unknown>>;

/** What the schema supplies by itself, and a reader does not miss. */
const UNSAID: CatalogDocument = {
  sold: true,
  deprecated: false,
  arch: 'x86_64',
  setup: 0,
  license_price: 0,
  trial_days: 0,
  traffic: null,
  rescue: null,
  description: '',
  features: [],
};
const PRUNED = [
  'hosts',
  'operating_systems',
  'server_packages',
  'license_packages',
  'webspace_packages',
  'web_hosts',
] as const;

/**
 * The document of a catalogue, from which {@link catalogFromDocument} makes an equal one. Prices are JSON
 * numbers of at most eleven digits: JSON text and jsonb carry those exactly.
 */
export function catalogDocument(catalog: Catalog): CatalogDocument {
  const sections = z.encode(Sections, catalog);
  const pruned = PRUNED.map((name) => [name, (sections[name] ?? []).map(withoutUnsaid)]);
  return { ...reduceTlds(sections), ...Object.fromEntries(pruned) };
}

/** Reads a stored document. Throws ZodError on one that no release of this format wrote. */
export function catalogFromDocument(document: unknown): Catalog {
  return Catalog.parse(document);
}

function withoutUnsaid(item: object): object {
  return Object.fromEntries(
    Object.entries(item).filter(
      ([name, value]) => !Object.hasOwn(UNSAID, name) || !isDeepStrictEqual(value, UNSAID[name]),
    ),
  );
}
