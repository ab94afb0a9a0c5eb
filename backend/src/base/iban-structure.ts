/**
 * The registry of ISO 13616 (release 100): how each country's BBAN is put together. A part is what it is, how
 * long, and of which characters: `b` bank, `s` branch (sort code), `a` account, `k` national check digits, `x`
 * anything else (account type, holder, currency); `n` digits, `a` capital letters, `c` either. Check digits that
 * stand by themselves are no part of the account number.
 */
const REGISTRY = {
  AD: 'b4n s4n a12c',
  AE: 'b3n a16n',
  AL: 'b3n s4n k1n a16c',
  AT: 'b5n a11n',
  AZ: 'b4a a20c',
  BA: 'b3n s3n a8n k2n',
  BE: 'b3n a7n k2n',
  BG: 'b4a s4n x2n a8c',
  BH: 'b4a a14c',
  BI: 'b5n s5n a11n k2n',
  BR: 'b8n s5n a10n x1a x1c',
  BY: 'b4c x4n a16c',
  CH: 'b5n a12c',
  CR: 'b4n a14n',
  CY: 'b3n s5n a16c',
  CZ: 'b4n a16n',
  DE: 'b8n a10n',
  DJ: 'b5n s5n a11n k2n',
  DK: 'b4n a10n',
  DO: 'b4c a20n',
  EE: 'b2n s2n a11n k1n',
  EG: 'b4n s4n a17n',
  ES: 'b4n s4n k2n a10n',
  FI: 'b3n a11n',
  FK: 'b2a a12n',
  FO: 'b4n a10n',
  FR: 'b5n s5n a11c k2n',
  GB: 'b4a s6n a8n',
  GE: 'b2a a16n',
  GI: 'b4a a15c',
  GL: 'b4n a10n',
  GR: 'b3n s4n a16c',
  GT: 'b4c x4c a16c',
  HN: 'b4a a20n',
  HR: 'b7n a10n',
  HU: 'b3n s4n k1n a15n k1n',
  IE: 'b4a s6n a8n',
  IL: 'b3n s3n a13n',
  IQ: 'b4a s3n a12n',
  IS: 'b2n s2n x2n a6n x10n',
  IT: 'k1a b5n s5n a12c',
  JO: 'b4a s4n a18c',
  KW: 'b4a a22c',
  KZ: 'b3n a13c',
  LB: 'b4n a20c',
  LC: 'b4a a24c',
  LI: 'b5n a12c',
  LT: 'b5n a11n',
  LU: 'b3n a13c',
  LV: 'b4a a13c',
  LY: 'b3n s3n a15n',
  MC: 'b5n s5n a11c k2n',
  MD: 'b2c a18c',
  ME: 'b3n a13n k2n',
  MK: 'b3n a10c k2n',
  MN: 'b4n a12n',
  MR: 'b5n s5n a11n k2n',
  MT: 'b4a s5n a18c',
  MU: 'b4a b2n s2n a12n x3n x3a',
  NI: 'b4a a20n',
  NL: 'b4a a10n',
  NO: 'b4n a6n k1n',
  OM: 'b3n a16c',
  PK: 'b4a a16c',
  PL: 'b8n a16n',
  PS: 'b4a a21c',
  PT: 'b4n s4n a11n k2n',
  QA: 'b4a a21c',
  RO: 'b4a a16c',
  RS: 'b3n a13n k2n',
  RU: 'b9n s5n a15c',
  SA: 'b2n a18c',
  SC: 'b4a b2n s2n a16n x3a',
  SD: 'b2n a12n',
  SE: 'b3n a16n k1n',
  SI: 'b5n a8n k2n',
  SK: 'b4n a16n',
  SM: 'k1a b5n s5n a12c',
  SO: 'b4n s3n a12n',
  ST: 'b4n s4n a11n k2n',
  SV: 'b4a a20n',
  TL: 'b3n a14n k2n',
  TN: 'b2n s3n a13n k2n',
  TR: 'b5n x1n a16c',
  UA: 'b6n a19c',
  VA: 'b3n a15n',
  VG: 'b4a a16n',
  XK: 'b2n s2n a10n k2n',
  YE: 'b4a s4n a18c',
} as const;

/** Countries of the SEPA schemes; territories that use another country's IBANs are in with it. */
const SEPA = new Set(
  (
    'AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL ' +
    'PT RO RS SE SI SK SM VA'
  ).split(' '),
);

export interface IbanParts {
  readonly bank: string | null;
  readonly branch: string | null;
  readonly account: string | null;
}

/** How a country's IBANs are put together. */
export interface IbanStructure {
  /** Of the whole IBAN. */
  readonly length: number;
  readonly sepa: boolean;
  /** The parts of a BBAN; null for what is not of the country's form. */
  read(bban: string): IbanParts | null;
}

type Part = { readonly role: string; readonly length: number; readonly characters: string };

const CHARACTERS: Readonly<Record<string, string>> = { n: '[0-9]', a: '[A-Z]', c: '[A-Z0-9]' };
const PREFIX_LENGTH = 4;

/** Every country of the registry, by ISO 3166-1 alpha-2 code (and XK). */
export const IBAN_STRUCTURES: ReadonlyMap<string, IbanStructure> = new Map(
  Object.entries(REGISTRY).map(([country, text]) => [country, structure(country, text)]),
);

function structure(country: string, text: string): IbanStructure {
  const parts = text.split(' ').map(readPart);
  const form = new RegExp(`^${parts.map(({ characters, length }) => `${characters}{${length}}`).join('')}$`);
  const length = parts.reduce((sum, part) => sum + part.length, PREFIX_LENGTH);
  const read = (bban: string): IbanParts | null => {
    if (!form.test(bban)) return null;
    const of = (role: string) => collect(parts, role, bban);
    return { bank: of('b'), branch: of('s'), account: of('a') };
  };
  return { length, sepa: SEPA.has(country), read };
}

function readPart(text: string): Part {
  const [role = '', characters = ''] = [text[0], CHARACTERS[text.at(-1) ?? '']];
  return { role, characters, length: Number(text.slice(1, -1)) };
}

function collect(parts: readonly Part[], role: string, bban: string): string | null {
  let at = 0;
  let found = '';
  for (const part of parts) {
    if (part.role === role) found += bban.slice(at, at + part.length);
    at += part.length;
  }
  return found === '' ? null : found;
}
