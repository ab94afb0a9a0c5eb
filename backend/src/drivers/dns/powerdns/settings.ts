import type { PowerDnsZone } from './convert.ts';
import type { ZoneSettings } from './zones.ts';

/** Every change counts the serial up by one. */
const SERIAL = 'INCREASE';

/**
 * How a zone is signed: by one ECDSA P-256 key (PowerDNS's default), and
 * - with NSEC3 without salt or extra iterations (RFC 9276), so that nobody simply lists a customer's names; not
 *   narrow, since secondaries without the key must be able to serve it;
 * - with a serial that grows each week, as the signatures do that secondaries get. It goes on once a zone was signed:
 *   taken away, the serial would fall back, and secondaries would not follow.
 */
export const SIGNED: ZoneSettings = { dnssec: true, nsec3param: '1 0 0 -', soa_edit: 'INCREMENT-WEEKS' };
/** The key and its SHA-256 digest, for parents that look for them (RFC 7344). */
export const TOLD_TO_PARENTS = { 'PUBLISH-CDNSKEY': '1', 'PUBLISH-CDS': '2' };

/** Of a zone that is made: PowerDNS is its primary, and puts a zone's order right after each change for its proofs. */
export function primarySettings(tsigKeys: readonly string[]): ZoneSettings {
  return { kind: 'Master', soa_edit_api: SERIAL, api_rectify: true, master_tsig_key_ids: tsigKeys };
}

/** What an operator, or a version of this program before, has set otherwise. */
export function correctionOf(there: PowerDnsZone, tsigKeys: readonly string[]): ZoneSettings {
  const hasKeys = tsigKeys.every((key) => there.master_tsig_key_ids.includes(key));
  return {
    ...(there.kind === 'Master' ? {} : { kind: 'Master' }),
    ...(there.soa_edit_api === SERIAL ? {} : { soa_edit_api: SERIAL }),
    ...(there.api_rectify ? {} : { api_rectify: true }),
    ...(hasKeys ? {} : { master_tsig_key_ids: tsigKeys }),
  };
}
