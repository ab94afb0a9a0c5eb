import type { RegistryOutcome, RegistryRefusal } from '../port.ts';
import type { Element } from './wire/element.ts';
import type { EppResponse } from './wire/response.ts';

/** A registry will not do it: thrown inside the driver, a value outside of it. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly reason: RegistryRefusal;

  constructor(reason: RegistryRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** RFC 5730 §3, where the code alone says enough. */
const BY_CODE: Readonly<Record<number, RegistryRefusal>> = {
  2101: 'not_supported',
  2102: 'not_supported',
  2103: 'not_supported',
  2104: 'billing',
  2105: 'period_not_allowed',
  2106: 'transfer_locked',
  2201: 'state_conflict',
  2202: 'authcode_invalid',
  2300: 'state_conflict',
  2301: 'state_conflict',
  2302: 'domain_not_available',
  2303: 'not_found',
  2304: 'state_conflict',
  2305: 'state_conflict',
  2307: 'not_supported',
  2308: 'policy',
};

/** What a value that the registry finds fault with is of ours. */
const BY_ELEMENT: Readonly<Record<string, RegistryRefusal>> = {
  fee: 'fee_differs',
  currency: 'fee_differs',
  period: 'period_not_allowed',
  curExpDate: 'state_conflict',
  registrant: 'contact_invalid',
  contact: 'contact_invalid',
  ns: 'nameserver_invalid',
  hostObj: 'nameserver_invalid',
  hostAttr: 'nameserver_invalid',
  pw: 'authcode_invalid',
};

/** Codes that only say that something about a value is wrong. */
const OF_VALUES: ReadonlySet<number> = new Set([2003, 2004, 2005, 2302, 2303, 2304, 2306, 2308]);

/** What an answer refuses; `hint` decides where the registry does not say which value it means. */
export function refusalOf(response: EppResponse, hint: RegistryRefusal = 'policy'): Refused {
  const { code, message, details } = response;
  const why = [message, ...details.map(({ reason }) => reason)].filter((text) => text !== '').join('; ');
  return new Refused(reasonOf(response, hint), `${code} ${why}`);
}

function reasonOf({ code, details }: EppResponse, hint: RegistryRefusal): RegistryRefusal {
  if (OF_VALUES.has(code)) {
    for (const { value } of details) {
      const known = value === null ? null : reasonOfValue(value, code);
      if (known !== null) return known;
    }
    // Registries that do not name the status mean the lock that a transfer runs into.
    if (code === 2304 && hint === 'transfer_locked' && !details.some(({ value }) => value?.name === 'status'))
      return hint;
  }
  return BY_CODE[code] ?? hint;
}

function reasonOfValue({ name, attributes }: Element, code: number): RegistryRefusal | null {
  if (name === 'status') return attributes.s?.endsWith('TransferProhibited') ? 'transfer_locked' : null;
  // A name that is there is taken; one that may not be there is not to be had.
  if (name === 'name') return code === 2005 || code === 2306 ? 'domain_not_available' : null;
  return BY_ELEMENT[name] ?? null;
}

/** Codes that are about whatever the command is about, and not about how it is asked for or paid. */
const OF_SUBJECTS: ReadonlySet<number> = new Set([...OF_VALUES, 2201, 2202]);

/** What an answer refuses that is about a contact or a host: whatever is wrong with it, it cannot be used. */
export function refusalAbout(
  response: EppResponse,
  reason: 'contact_invalid' | 'nameserver_invalid',
): Refused {
  const refusal = refusalOf(response, reason);
  return OF_SUBJECTS.has(response.code) ? new Refused(reason, refusal.message) : refusal;
}

/** The answer, if the command succeeded. Throws {@link Refused}. */
export function succeeded(response: EppResponse, hint?: RegistryRefusal): EppResponse {
  if (response.code >= 2000) throw refusalOf(response, hint);
  return response;
}

/** Refusals become values; everything else stays thrown. `onRefusal` hears the registry's own words. */
export async function outcomeOf<Result>(
  command: () => Promise<RegistryOutcome<Result>>,
  onRefusal: (refusal: Refused) => void,
): Promise<RegistryOutcome<Result>> {
  try {
    return await command();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    onRefusal(error);
    return { kind: 'refused', reason: error.reason };
  }
}

/**
 * Rule F4: looks whether what is wanted is there, commands it if not, and looks again when that is refused, for what
 * refused it may be our own command of before, whose answer was lost. `look` answers null while it is not there.
 */
export async function ensured<Result>(
  look: () => Promise<Result | null>,
  command: () => Promise<RegistryOutcome<Result>>,
): Promise<RegistryOutcome<Result>> {
  const present = await look();
  if (present !== null) return done(present);
  try {
    return await command();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const after = await look();
    if (after !== null) return done(after);
    throw error;
  }
}

export function done<Result>(result: Result): RegistryOutcome<Result> {
  return { kind: 'done', result };
}
