import { TYPE_NUMBERS } from '../../../base/dns/wire/type.ts';
import type { Instant } from '../../../base/time.ts';
import { denials } from './denial.ts';
import { type Finding, lookup, type Shown } from './lookup.ts';
import { type Query, RCODE, type Rcode, type Response, type WireRecord } from './message.ts';
import { Signer } from './signing.ts';
import type { Zone } from './zone.ts';

const CLASS_IN = 1;
const CLASS_ANY = 255;
/** Transfers, and MAILB and MAILA, which are no record types but other questions. */
const META_TYPES = new Set([251, 252, 253, 254]);
const { DS, NS, SOA } = TYPE_NUMBERS;

/** Nothing but a code. */
export function refusal(rcode: Rcode): Response {
  return { rcode, authoritative: false, answer: [], authority: [], additional: [] };
}

/** Why a query is answered by a code alone, whatever the zones say; null: it is to be looked up. */
export function refusedBefore({ rcode, question }: Query): Rcode | null {
  if (rcode !== RCODE.NOERROR) return rcode;
  if (question === null) return RCODE.FORMERR;
  const isForeign = question.class !== CLASS_IN && question.class !== CLASS_ANY;
  return isForeign || META_TYPES.has(question.type) ? RCODE.REFUSED : null;
}

/** The answer of a zone, signed where it is and where the asker wants to see it. */
export function answerFrom(zone: Zone, query: Query, now: Instant): Response {
  const { question, edns } = query;
  if (question === null) return refusal(RCODE.FORMERR);
  const finding = lookup(zone, question.name, question.type);
  const { rcode, authoritative } = finding;
  if (zone.signingKey === null || edns?.dnssecOk !== true)
    return { rcode, authoritative, ...sections(finding, withoutSigner(finding)) };
  const signer = new Signer(zone.apex, zone.signingKey);
  const proofs = denials(zone, finding.denied, negativeTtl(zone));
  const sign = (shown: Shown) => [...records(shown), signer.signature(shown, now)];
  const authority = finding.authority.flatMap((shown) =>
    // The NS records of a delegation are the zone's below (RFC 4035 §2.2).
    !authoritative && shown.rrset.type === NS ? records(shown) : sign(shown),
  );
  return {
    rcode,
    authoritative,
    answer: finding.answer.flatMap(sign),
    authority: [...authority, ...proofs.flatMap(sign)],
    additional: finding.additional.flatMap(records),
  };
}

function sections(finding: Finding, authority: readonly Shown[]) {
  return {
    answer: finding.answer.flatMap(records),
    authority: authority.flatMap(records),
    additional: finding.additional.flatMap(records),
  };
}

/** Who does not ask for DNSSEC gets referrals without their DS. */
function withoutSigner({ authority }: Finding): readonly Shown[] {
  return authority.filter(({ rrset }) => rrset.type !== DS);
}

function negativeTtl(zone: Zone): number {
  const soa = zone.node(zone.apex)?.get(SOA)?.rdata[0];
  return soa?.readUInt32BE(soa.length - 4) ?? 0;
}

function records({ name, rrset }: Shown): WireRecord[] {
  return rrset.rdata.map((rdata) => ({ owner: name, type: rrset.type, ttl: rrset.ttl, rdata }));
}
