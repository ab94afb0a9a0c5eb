import type { ContactRole } from '../port.ts';
import type { ContactExtension } from './contact-extension.ts';
import type { Vocabulary } from './wire/namespace.ts';

/** What a registry wants of a TLD's domains; connections serve many TLDs that differ (rule F3). */
export interface Profile {
  /** RFC 5731 §1.1: name servers are objects of their own, or attributes of domains. */
  readonly hosts: 'objects' | 'attributes';
  /** Whether domains have a registrant; thin registries keep no contacts at all. */
  readonly registrant: boolean;
  /** The roles that are sent, and no others. */
  readonly contacts: readonly ContactRole[];
  /** RFC 5733 §2.3: ASCII (`int`), as people write (`loc`), or by what is in the address. */
  readonly postal: 'int' | 'loc' | 'auto';
  /** RFC 5733 §2.9: whether to say what is to be disclosed. */
  readonly disclose: boolean;
  /** null: what its registry asks of contacts beyond RFC 5733 is not told. */
  readonly contactExtension: ContactExtension | null;
  /** Extensions that are used where the server offers them. */
  readonly extensions: ReadonlySet<Extension>;
  /** RFC 3915 §4.2.5: whether a restore is to be reported before it holds. */
  readonly restoreReport: boolean;
  /** RFC 8334 §2.3: the TLD is in its claims period, so names are checked for claims too. */
  readonly claims: boolean;
  /** Names in one check. */
  readonly checkBatch: number;
}

export const EXTENSIONS = ['secDNS', 'rgp', 'fee', 'launch'] as const satisfies readonly Vocabulary[];
export type Extension = (typeof EXTENSIONS)[number];

export const DEFAULT_PROFILE: Profile = {
  hosts: 'objects',
  registrant: true,
  contacts: ['admin', 'tech', 'billing'],
  postal: 'auto',
  disclose: true,
  contactExtension: null,
  extensions: new Set(EXTENSIONS),
  restoreReport: true,
  claims: false,
  checkBatch: 50,
};
