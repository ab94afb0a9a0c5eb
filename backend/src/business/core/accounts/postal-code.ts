interface Form {
  readonly pattern: RegExp;
  readonly example: string;
}

const form = (pattern: RegExp, example: string): Form => ({ pattern, example });
const THREE_TWO = form(/^\d{3} ?\d{2}$/, '110 00');
const FOUR = form(/^\d{4}$/, '1010');
const FIVE = form(/^\d{5}$/, '10115');
const BRITISH = form(/^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/, 'SW1A 1AA');

/** Postal codes as the countries' posts write them, in capitals. Other countries' codes are taken as they come. */
const FORMS: Readonly<Record<string, Form>> = {
  AT: FOUR,
  AX: form(/^22\d{3}$/, '22100'),
  BE: FOUR,
  BG: FOUR,
  CA: form(/^[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d$/, 'K1A 0B1'),
  CH: FOUR,
  CY: FOUR,
  CZ: THREE_TWO,
  DE: FIVE,
  DK: FOUR,
  EE: FIVE,
  ES: form(/^(0[1-9]|[1-4]\d|5[0-2])\d{3}$/, '28001'),
  FI: FIVE,
  FR: FIVE,
  GB: BRITISH,
  GG: BRITISH,
  GR: THREE_TWO,
  HR: FIVE,
  HU: FOUR,
  IE: form(/^([AC-FHKNPRTV-Y]\d\d|D6W) ?[AC-FHKNPRTV-Y\d]{4}$/, 'D02 AF30'),
  IM: BRITISH,
  IS: form(/^\d{3}$/, '101'),
  IT: FIVE,
  JE: BRITISH,
  LI: form(/^94\d\d$/, '9490'),
  LT: form(/^(LT-)?\d{5}$/, 'LT-01103'),
  LU: form(/^(L-)?\d{4}$/, '1009'),
  LV: form(/^(LV-)?\d{4}$/, 'LV-1010'),
  MC: form(/^980\d\d$/, '98000'),
  MT: form(/^[A-Z]{3} ?\d{2,4}$/, 'VLT 1117'),
  NL: form(/^[1-9]\d{3} ?[A-Z]{2}$/, '1012 AB'),
  NO: FOUR,
  PL: form(/^\d{2}-\d{3}$/, '00-001'),
  PT: form(/^\d{4}-\d{3}$/, '1000-001'),
  RO: form(/^\d{6}$/, '010011'),
  SE: THREE_TWO,
  SI: form(/^(SI-)?\d{4}$/, '1000'),
  SK: THREE_TWO,
  US: form(/^\d{5}(-\d{4})?$/, '20500'),
};

/** What a postal code of the country looks like, where this one cannot be one; null where it can. */
export function postalCodeProblem(country: string, code: string): { readonly example: string } | null {
  const known = Object.hasOwn(FORMS, country) ? FORMS[country] : undefined;
  return known === undefined || known.pattern.test(code) ? null : { example: known.example };
}
