import { hash } from 'node:crypto';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * One text for one JSON value, whatever the order of its members and its white space (the idea of RFC 8785:
 * members sorted by UTF-16 code units, numbers as ECMAScript prints them). The caller bounds the depth.
 */
export function canonicalJson(value: Json | undefined): string {
  if (value === undefined) return 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.keys(value)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}

export function sha256(text: string | Buffer): Buffer {
  return hash('sha256', text, 'buffer');
}
