import { readComment } from './comment.ts';
import { about, fail, reading } from './fault.ts';
import { type Name, ownersInForm, relativeName, requireOwner } from './name.ts';
import { requireCleanText } from './presentation.ts';
import { type RdataInput, readRdata } from './rdata.ts';
import { type DescribedRecord, isRecordType, RECORD_TYPES, type Reading, type RecordType } from './record.ts';
import { requireTtl } from './ttl.ts';

/** A record as it is asked for, nothing of it checked yet but the JSON types. */
export interface RecordInput extends Omit<RdataInput, 'content'> {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly content?: string | undefined;
  readonly ttl?: number | undefined;
  readonly disabled?: boolean | undefined;
  readonly comment?: string | null | undefined;
}

/** A record as customers write it, in its one form, or the first thing that is wrong with it. */
export function readRecord(written: RecordInput, zone: Name): Reading<DescribedRecord> {
  return reading(() => {
    const type = readType(written.type);
    const name = about('name', () => readOwner(written.name, zone));
    const content = written.content ?? fail('required', 'The content is missing.');
    const rdata = readRdata(type, { ...written, content }, zone);
    const ttl = written.ttl === undefined ? null : requireTtl(written.ttl);
    const comment = readComment(written.comment);
    return { name, type, ...rdata, ttl, disabled: written.disabled ?? false, comment };
  });
}

/** The name of a type, in either case; fails for types that customers cannot have. */
export function readType(written: string | undefined): RecordType {
  if (written === undefined) return fail('required', 'The type is missing.', {}, 'type');
  const type = written.toUpperCase();
  if (isRecordType(type)) return type;
  const message = REFUSED_TYPES.get(type) ?? 'There are no records of this type here.';
  return fail('not_allowed', message, { allowed: RECORD_TYPES }, 'type');
}

/** Types that people ask for, and why not. */
const REFUSED_TYPES: ReadonlyMap<string, string> = new Map([
  ['SOA', 'The SOA record is kept by the system.'],
  ['LUA', 'LUA records would run programs on the name servers.'],
  ['SPF', 'SPF records are no longer in use (RFC 7208 §3.1); write it as TXT.'],
  ['DNAME', 'DNAME is not served; delegate the name or give records one by one.'],
  ['DNSKEY', 'Keys are made by the system when DNSSEC is on.'],
]);

function readOwner(written: string | undefined, zone: Name): string {
  if (written === undefined) return fail('required', 'The name is missing; the zone itself is @.');
  requireCleanText(written);
  const name = ownersInForm(zone)(written.trim());
  requireOwner(name, zone);
  return relativeName(name, zone);
}
