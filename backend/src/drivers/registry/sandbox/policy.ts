import type { ContactRole } from '../port.ts';

/** How the sandbox behaves under a TLD. Lengths are in days; 0: there is no such period. */
export interface RegistryPolicy {
  /** Years that one command may register or renew for. */
  readonly periods: readonly number[];
  /** renew: by the registry, which charges for it; expire: the registry deletes it; never: it has no end. */
  readonly atExpiry: 'renew' | 'expire' | 'never';
  /** How long a domain can still be renewed after its end, where it expires. */
  readonly renewableDays: number;
  /** A renewal is accepted at most so long before the end; null: at any time. */
  readonly renewWithinDays: number | null;
  /** While these run, deleting the domain pays back what they were begun with (RFC 3915 §3.1). */
  readonly addDays: number;
  readonly renewDays: number;
  readonly autoRenewDays: number;
  readonly transferDays: number;
  readonly redemptionDays: number;
  readonly pendingDeleteDays: number;
  readonly transfer: 'authcode' | 'push' | 'none';
  /** What a transfer adds to the term. */
  readonly transferYears: number;
  /** How long the losing registrar may object; 0: a transfer is through at once. */
  readonly losingDays: number;
  /** After a registration and after a transfer. */
  readonly lockDays: number;
  /** Besides the registrant. */
  readonly requiredRoles: readonly ContactRole[];
  /** Where the registrant must live, unless their contact's `extra` names a citizenship; null: anywhere. */
  readonly residence: readonly string[] | null;
}

const UP_TO_TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** ICANN's registries: the Consensus Policies on transfers and expired registrations, and what is usual beside them. */
const GENERIC: RegistryPolicy = {
  periods: UP_TO_TEN,
  atExpiry: 'renew',
  renewableDays: 0,
  renewWithinDays: null,
  addDays: 5,
  renewDays: 5,
  autoRenewDays: 45,
  transferDays: 5,
  redemptionDays: 30,
  pendingDeleteDays: 5,
  transfer: 'authcode',
  transferYears: 1,
  losingDays: 5,
  lockDays: 60,
  requiredRoles: [],
  residence: null,
};

/** Registries of countries mostly pay nothing back, and transfer at once to whoever has the code. */
const COUNTRY: RegistryPolicy = {
  ...GENERIC,
  addDays: 0,
  renewDays: 0,
  autoRenewDays: 0,
  transferDays: 0,
  pendingDeleteDays: 0,
  losingDays: 0,
  lockDays: 0,
};
const EXPIRING: RegistryPolicy = { ...COUNTRY, atExpiry: 'expire', pendingDeleteDays: 5 };
const ENDLESS: RegistryPolicy = { ...COUNTRY, periods: [1], atExpiry: 'never', redemptionDays: 40 };

const ROLLING: RegistryPolicy = { ...COUNTRY, periods: [1], redemptionDays: 40 };
const EEA = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
  ' ',
);

const PROFILES = {
  endless: ENDLESS,
  nicat: { ...ENDLESS, redemptionDays: 0 },
  denic: { ...ENDLESS, redemptionDays: 30, requiredRoles: ['admin', 'tech'] },
  rolling: ROLLING,
  switch: { ...ROLLING, transferYears: 0 },
  eu: { ...COUNTRY, redemptionDays: 40, residence: EEA },
  fr: COUNTRY,
  it: { ...COUNTRY, periods: [1], autoRenewDays: 15 },
  nominet: {
    ...EXPIRING,
    renewableDays: 90,
    renewWithinDays: 180,
    redemptionDays: 0,
    pendingDeleteDays: 0,
    transfer: 'push',
    transferYears: 0,
  },
  au: {
    ...EXPIRING,
    periods: [1, 2, 3, 4, 5],
    addDays: 3,
    renewableDays: 30,
    renewWithinDays: 90,
    redemptionDays: 0,
    transferYears: 0,
  },
  iis: { ...EXPIRING, renewableDays: 60, redemptionDays: 0, pendingDeleteDays: 0, transferYears: 0 },
  nz: { ...EXPIRING, addDays: 5, redemptionDays: 90, pendingDeleteDays: 0, transferYears: 0 },
  expiring: EXPIRING,
  local: { ...EXPIRING, transfer: 'none' },
  generic: GENERIC,
} as const satisfies Record<string, RegistryPolicy>;

/** Every other TLD of one label is generic. */
const SUFFIXES: Readonly<Record<keyof typeof PROFILES, string>> = {
  generic: 'com.co',
  endless: 'nl no',
  nicat: 'at co.at',
  denic: 'de',
  rolling: 'be lu',
  switch: 'ch li',
  eu: 'eu xn--e1a4c xn--qxa6a',
  fr: 'fr pm re tf wf yt',
  it: 'it',
  nominet: 'co.uk me.uk org.uk uk',
  au: 'au com.au net.au org.au',
  nz: 'co.nz net.nz nz org.nz',
  iis: 'nu se',
  expiring: `ae cn co.id co.in co.za com.cn com.mx com.pl com.sg com.tw cz dk ee fi gr hk id ie in lt mx pl ro
    sg si tw xn--fiqs8s`,
  local: `bg cl co.il co.jp co.kr co.th com.ar com.br com.es com.my com.pt com.tr com.ua com.vn es hu is jp kr lv
    pt rs ru sk vn xn--p1ai`,
};

const BY_SUFFIX: ReadonlyMap<string, RegistryPolicy> = new Map(
  Object.entries(SUFFIXES).flatMap(([profile, suffixes]) =>
    suffixes.split(/\s+/).map((suffix) => [suffix, PROFILES[profile as keyof typeof SUFFIXES]] as const),
  ),
);

/** A registrable name: one label and the TLD that it is under. */
export interface SandboxName {
  readonly name: string;
  readonly label: string;
  readonly tld: string;
  readonly policy: RegistryPolicy;
}

/** The rules that a name is under; null: it is none that the sandbox registers, but a TLD, or below another's name. */
export function readName(name: string): SandboxName | null {
  const dot = name.indexOf('.');
  const [label, tld] = [name.slice(0, dot), name.slice(dot + 1)];
  if (dot < 1 || BY_SUFFIX.has(name) || name.length > 253) return null;
  if (!name.split('.').every((part) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(part))) return null;
  const policy = BY_SUFFIX.get(tld) ?? (tld.includes('.') ? undefined : PROFILES.generic);
  return policy === undefined ? null : { name, label, tld, policy };
}
