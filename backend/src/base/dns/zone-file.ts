import { readComment } from './comment.ts';
import { about, fail, reading } from './fault.ts';
import { type Name, type NameReader, namesInFile, relativeName, requireOwner } from './name.ts';
import type { Token } from './presentation.ts';
import { readFileRdata } from './rdata.ts';
import { readType } from './read-record.ts';
import type { DescribedRecord, RecordProblem } from './record.ts';
import { readDuration, requireTtl } from './ttl.ts';
import { type Entry, entriesOf } from './zone-file-lines.ts';

export const MOST_FILE_OCTETS = 512 * 1024;
export const MOST_FILE_RECORDS = 10_000;
/** After so many it is not a zone file, and nobody reads on. */
const MOST_PROBLEMS = 100;

export interface FileRecord extends DescribedRecord {
  readonly line: number;
}

/** What the file says and the system decides: the SOA, the zone's own name servers, signatures. */
export interface SkippedRecord {
  readonly line: number;
  readonly name: string;
  readonly type: string;
}

export interface ZoneFile {
  readonly records: readonly FileRecord[];
  readonly skipped: readonly SkippedRecord[];
  /** What is wrong and where, at most one for each entry, the first hundred. Line 0: with the whole file. */
  readonly problems: readonly { readonly line: number; readonly problem: RecordProblem }[];
}

/** Signatures and what belongs to them: new ones are made. */
const SIGNING_TYPES = new Set('CDNSKEY CDS DNSKEY NSEC NSEC3 NSEC3PARAM RRSIG ZONEMD'.split(' '));
const CLASSES = new Set('CH CS HS'.split(' '));

/**
 * Reads a zone file (RFC 1035 §5, RFC 2308 §4) of at most 512 KiB and 10,000 records, in time that grows with its size
 * only: $INCLUDE and $GENERATE are refused. The comment that ends a record's line is the record's.
 */
export function readZoneFile(file: string, zone: Name): ZoneFile {
  if (Buffer.byteLength(file) > MOST_FILE_OCTETS) {
    return refused({
      field: 'content',
      error: 'too_long',
      message: 'The zone file is larger than 512 KiB.',
      limit: MOST_FILE_OCTETS,
    });
  }
  const reader = new ZoneFileReader(zone);
  for (const entry of entriesOf(file)) {
    reader.read(entry);
    if (reader.problems.length === MOST_PROBLEMS) break;
    if (reader.records.length > MOST_FILE_RECORDS) {
      return refused({
        field: 'content',
        error: 'too_long',
        message: 'The zone file has more than 10,000 records.',
        limit: MOST_FILE_RECORDS,
      });
    }
  }
  return reader;
}

function refused(problem: RecordProblem): ZoneFile {
  return { records: [], skipped: [], problems: [{ line: 0, problem }] };
}

class ZoneFileReader implements ZoneFile {
  readonly records: FileRecord[] = [];
  readonly skipped: SkippedRecord[] = [];
  readonly problems: { line: number; problem: RecordProblem }[] = [];
  readonly #zone: Name;
  #names: NameReader;
  #owner: Name | null = null;
  #defaultTtl: number | null = null;
  #lastTtl: number | null = null;

  constructor(zone: Name) {
    this.#zone = zone;
    this.#names = namesInFile(zone);
  }

  read(entry: Entry): void {
    const { line, tokens } = entry;
    const found = entry.problem ?? this.#problemOf(() => this.#readEntry(entry, tokens));
    if (found !== null) this.problems.push({ line, problem: found });
  }

  #problemOf(read: () => void): RecordProblem | null {
    const result = reading(read);
    return result.ok ? null : result.problem;
  }

  #readEntry(entry: Entry, tokens: readonly Token[]): void {
    const first = tokens[0]?.raw ?? '';
    if (!entry.ownerless && first.startsWith('$')) this.#readDirective(first.toUpperCase(), tokens);
    else this.#readOwned(entry, tokens, first);
  }

  #readOwned(entry: Entry, tokens: readonly Token[], first: string): void {
    const rest = entry.ownerless ? tokens : tokens.slice(1);
    const owner = entry.ownerless ? this.#owner : about('name', () => this.#names(first));
    if (owner === null) fail('required', 'The first record has no name.', {}, 'name');
    if (!entry.disabled) this.#owner = owner;
    this.#readRecord(entry, owner, rest);
  }

  #readDirective(directive: string, tokens: readonly Token[]): void {
    const value = tokens[1]?.raw ?? '';
    if (directive === '$ORIGIN') {
      this.#names = namesInFile(this.#names(value));
    } else if (directive === '$TTL') {
      this.#defaultTtl = readDuration(value) ?? fail('invalid_format', '$TTL needs a duration.', {}, 'ttl');
    } else {
      fail('not_allowed', `${directive} is not allowed here.`, { allowed: ['$ORIGIN', '$TTL'] });
    }
  }

  #readRecord(entry: Entry, owner: Name, tokens: readonly Token[]): void {
    const { line, disabled } = entry;
    const { ttl, type, rdata } = this.#readHead(tokens);
    if (this.#isOfTheSystem(owner, type)) {
      this.skipped.push({ line, name: owner, type });
      if (type === 'SOA') this.#lastTtl ??= readDuration(rdata[6]?.raw ?? '');
      return;
    }
    const known = readType(type);
    about('name', () => requireOwner(owner, this.#zone));
    const name = relativeName(owner, this.#zone);
    const value = readFileRdata(known, rdata, this.#names);
    if (ttl !== null) requireTtl(ttl);
    const comment = readComment(entry.comment);
    this.records.push({ name, type: known, ...value, line, ttl, disabled, comment });
  }

  /** TTL and class in either order, either left out, then the type. */
  #readHead(tokens: readonly Token[]): { ttl: number | null; type: string; rdata: readonly Token[] } {
    let ttl: number | null = null;
    let at = 0;
    for (; at < 2; at += 1) {
      const word = tokens[at]?.raw.toUpperCase() ?? '';
      const seconds = readDuration(word);
      if (CLASSES.has(word)) fail('not_allowed', 'Only the class IN is served.', { allowed: ['IN'] }, 'type');
      if (seconds !== null) ttl = seconds;
      else if (word !== 'IN') break;
    }
    if (ttl !== null) this.#lastTtl = ttl;
    const type = tokens[at]?.raw.toUpperCase() ?? fail('required', 'The type is missing.', {}, 'type');
    return { ttl: ttl ?? this.#defaultTtl ?? this.#lastTtl, type, rdata: tokens.slice(at + 1) };
  }

  #isOfTheSystem(owner: Name, type: string): boolean {
    return SIGNING_TYPES.has(type) || (owner === this.#zone && (type === 'SOA' || type === 'NS'));
  }
}
