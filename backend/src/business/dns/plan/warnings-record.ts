import { isHostName } from '../../../base/dns/name.ts';
import { unicodeName } from '../../../base/domain-name.ts';
import { mixesScripts } from '../../../base/scripts.ts';
import { scopeOf } from '../../../base/special-purpose.ts';
import type { ZoneRecord } from '../zone/record.ts';
import { type RecordPosition, warningAt, type ZoneWarning } from './position.ts';

/** Below this most of what is asked reaches the name servers, and nothing is gained. */
const LOW_TTL = 300;

/** Tags that are registered for CAA (RFC 8659 §7, RFC 9495 and IANA). */
const CAA_TAGS = new Set('contactemail contactphone iodef issue issuemail issuevmc issuewild'.split(' '));
/** RFC 8659 §4.2: an issuer or none, then parameters. */
const CAA_ISSUER = /^\s*([a-z0-9-]+(\.[a-z0-9-]+)*)?\s*(;.*)?$/i;
/** RFC 4035 §5, RFC 8624: no resolver should rely on these any more. */
const WEAK_ALGORITHMS = new Set([1, 3, 5, 6, 7, 12]);
const SHA1 = '1';

/** What can be said of a record alone. */
export function recordWarnings(record: ZoneRecord, place: RecordPosition): ZoneWarning[] {
  const warnings: ZoneWarning[] = [];
  const warn = (error: string, message: string, field: 'name' | 'content' | 'ttl') =>
    warnings.push(warningAt(place, error, message, field));
  const { name, type, content, ttl } = record;
  if (ttl < LOW_TTL) warn('ttl_low', `A TTL below ${LOW_TTL} seconds makes answers slower.`, 'ttl');
  if ((type === 'A' || type === 'AAAA') && scopeOf(content) !== 'global') {
    warn('address_not_public', `${content} cannot be reached from the Internet.`, 'content');
  }
  if ((type === 'A' || type === 'AAAA' || type === 'MX') && hasUnderscore(name)) {
    warn('name_not_a_host', 'Hosts have no underscores in their names.', 'name');
  }
  if (name.split('.').some(mixesLetters)) {
    warn(
      'name_mixes_scripts',
      'Letters of different scripts look alike here: is this name what it seems?',
      'name',
    );
  }
  if (type === 'SRV' && !/^(\*\.)?_[^.]+\._[^.]+/.test(name)) {
    warn('name_not_a_service', 'SRV records are asked for at names such as _sip._tcp.', 'name');
  }
  if (type === 'TLSA' && !/^(\*|_[0-9]+)\._[^.]+/.test(name)) {
    warn('name_not_a_service', 'TLSA records are asked for at names such as _443._tcp.', 'name');
  }
  if (type === 'CAA') {
    const problem = caaProblem(content);
    if (problem !== null) warn('caa_without_effect', problem, 'content');
  }
  if (type === 'DS') {
    const [, algorithm, digestType] = content.split(' ');
    if (WEAK_ALGORITHMS.has(Number(algorithm)) || digestType === SHA1) {
      warn('ds_weak', 'This algorithm or digest is no longer trusted everywhere.', 'content');
    }
  }
  if (type === 'NS' && name.startsWith('*')) {
    warn('wildcard_delegation', 'Name servers differ in what a wildcard with NS records means.', 'name');
  }
  return warnings;
}

function mixesLetters(label: string): boolean {
  return label.startsWith('xn--') && mixesScripts(unicodeName(label));
}

function hasUnderscore(name: string): boolean {
  return name.includes('_') && !isHostName(name);
}

function caaProblem(content: string): string | null {
  const [, flags, tag = '', value = ''] = /^(\d+) (\S+) "(.*)"$/s.exec(content) ?? [];
  if (!CAA_TAGS.has(tag)) return `No certificate authority is known to look at ${tag}.`;
  if (flags !== '0' && flags !== '128') return 'Of the flags only 128 has a meaning.';
  if (tag.startsWith('issue') && !CAA_ISSUER.test(value)) {
    return 'This names no certificate authority, so none may issue.';
  }
  return tag === 'iodef' && !/^(mailto|https?):/i.test(value) ? 'iodef is a mailto or https address.' : null;
}
