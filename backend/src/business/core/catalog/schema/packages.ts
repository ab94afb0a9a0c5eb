import { z } from 'zod';
import { Line, Name, Prose, Uuid } from './label.ts';
import { Price, Pricings } from './price.ts';
import { LongTerms, Terms } from './term.ts';

const identity = {
  uuid: Uuid,
  /** Shown to people; never accepted as an identifier. */
  id: z.int().min(1),
  name: Line,
  /** False: no new orders; what was sold is renewed at these prices. */
  sold: z.boolean().default(true),
};
const described = { description: Prose.default(''), features: z.array(Line).max(50).default([]) };

/**
 * A server of fixed size. Memory in MiB, disk in GiB, uplink in Mbit/s; `setup` is charged once. `traffic` is what a
 * billing period includes, in GiB, both directions together; null: it is not limited.
 */
export const ServerPackage = z.strictObject({
  ...identity,
  host: Name,
  cores: z.int().min(1),
  memory: z.int().min(1),
  disk: z.int().min(1),
  uplink: z.int().min(1),
  traffic: z.int().min(1).nullable().default(null),
  pricings: Pricings,
  setup: Price.default(0n),
  durations: Terms,
});
export type ServerPackage = z.output<typeof ServerPackage>;

/** A licence of the control panel. */
export const LicensePackage = z.strictObject({
  ...identity,
  ...described,
  ip_limit: z.int().min(1),
  pricings: Pricings,
  durations: Terms,
  trial_days: z.int().min(0).max(365).default(0),
});
export type LicensePackage = z.output<typeof LicensePackage>;

const count = z.int().min(0).nullable();
const NOT_BUILT = 'is not available on this platform';

/**
 * What a webspace may use: disk MiB, traffic GiB a month, memory MiB per PHP process; null is unlimited.
 * What the platform cannot deliver cannot be promised: mail, FTP, cron and shell are fixed at none.
 */
export const WebspaceLimits = z.strictObject({
  disk: z.int().min(1),
  traffic: count,
  domains: count,
  subdomains: count,
  mailboxes: z.literal(0, NOT_BUILT).default(0),
  databases: count,
  ftp_accounts: z.literal(0, NOT_BUILT).default(0),
  cron_jobs: z.literal(0, NOT_BUILT).default(0),
  memory_limit: z.int().min(16),
  php_versions: z
    .array(z.string().regex(/^[0-9]+\.[0-9]+$/, "must be a version in quotes such as '8.4'"))
    .min(1)
    .max(20),
  ssh: z.literal(false, NOT_BUILT).default(false),
  backups: z.int().min(0),
});
export type WebspaceLimits = z.output<typeof WebspaceLimits>;

export const WebspacePackage = z.strictObject({
  ...identity,
  ...described,
  limits: WebspaceLimits,
  pricings: Pricings,
  setup: Price.default(0n),
  durations: LongTerms,
});
export type WebspacePackage = z.output<typeof WebspacePackage>;
