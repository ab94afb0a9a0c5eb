import type { BasisPoints } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import { isBefore } from '../../../base/time.ts';

interface DatedRate {
  readonly from: Instant;
  readonly rate: BasisPoints;
}

/** A member state: its standard rate at the start of 2024, and what followed. */
interface MemberState {
  readonly initial: BasisPoints;
  /** In the order of time. */
  readonly changes: readonly DatedRate[];
}

/**
 * Standard rates of value added tax of the 27 member states of the EU (Art. 96 of Directive 2006/112/EC). Source:
 * the European Commission's database "Taxes in Europe" and its page "VAT rules and rates" of Your Europe; the changes
 * by the acts named beside them. The table begins with 2024; an earlier moment has the rate of that day.
 *
 * By ISO 3166-1 alpha-2, so Greece is GR here although its VAT numbers begin with EL.
 */
const STATES: Readonly<Record<string, MemberState>> = {
  AT: { initial: 2000, changes: [] },
  BE: { initial: 2100, changes: [] },
  BG: { initial: 2000, changes: [] },
  CY: { initial: 1900, changes: [] },
  CZ: { initial: 2100, changes: [] },
  DE: { initial: 1900, changes: [] },
  DK: { initial: 2500, changes: [] },
  // 22 % since 1 January 2024; 24 % by the Security Tax Act as amended in 2025.
  EE: { initial: 2200, changes: [since('2025-07-01', 'Europe/Tallinn', 2400)] },
  ES: { initial: 2100, changes: [] },
  // Act 362/2024.
  FI: { initial: 2400, changes: [since('2024-09-01', 'Europe/Helsinki', 2550)] },
  FR: { initial: 2000, changes: [] },
  GR: { initial: 2400, changes: [] },
  HR: { initial: 2500, changes: [] },
  HU: { initial: 2700, changes: [] },
  IE: { initial: 2300, changes: [] },
  IT: { initial: 2200, changes: [] },
  LT: { initial: 2100, changes: [] },
  LU: { initial: 1700, changes: [] },
  LV: { initial: 2100, changes: [] },
  MT: { initial: 1800, changes: [] },
  NL: { initial: 2100, changes: [] },
  PL: { initial: 2300, changes: [] },
  PT: { initial: 2300, changes: [] },
  // Law 141/2025.
  RO: { initial: 1900, changes: [since('2025-08-01', 'Europe/Bucharest', 2100)] },
  SE: { initial: 2500, changes: [] },
  SI: { initial: 2200, changes: [] },
  // Act 278/2024.
  SK: { initial: 2000, changes: [since('2025-01-01', 'Europe/Bratislava', 2300)] },
};

/** A rate changes at midnight where it is in force. */
function since(day: string, timeZone: string, rate: BasisPoints): DatedRate {
  return { from: Temporal.PlainDate.from(day).toZonedDateTime(timeZone).toInstant(), rate };
}

/** Every member state's ISO 3166-1 code. */
export const MEMBER_STATES: readonly string[] = Object.keys(STATES);

export function isMemberState(country: string): boolean {
  return Object.hasOwn(STATES, country);
}

/** The standard rate of a member state at a moment; null for any other country. */
export function standardRate(country: string, at: Instant): BasisPoints | null {
  const state = isMemberState(country) ? STATES[country] : undefined;
  if (state === undefined) return null;
  const change = state.changes.findLast(({ from }) => !isBefore(at, from));
  return change?.rate ?? state.initial;
}
