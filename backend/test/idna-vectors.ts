// Needs: vectors

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

/** A line of Unicode's conformance test for UTS 46, for what is neither transitional nor lenient. */
export interface IdnaVector {
  readonly line: number;
  readonly source: string;
  readonly unicode: string;
  readonly ascii: string;
  readonly isValid: boolean;
}

/** The file, of Unicode 13, that Debian's package librust-idna-dev has. */
export function idnaVectors(): IdnaVector[] {
  const [file] = globSync('/usr/share/cargo/registry/idna-*/tests/IdnaTestV2.txt');
  assert.ok(file !== undefined, 'run scripts/install.sh tests');
  const lines = readFileSync(file, 'utf8').split('\n');
  assert.ok(lines.includes('# Version: 13.0.0'));
  return lines
    .map((text, at) => ({ line: at + 1, text: text.replace(/#.*$/, '') }))
    .filter(({ text }) => text.trim() !== '')
    .map(({ line, text }) => vector(line, text));
}

/** What is left out is as in the column before. */
function vector(line: number, text: string): IdnaVector {
  const [written = '', toUnicode = '', unicodeStatus = '', toAscii = '', asciiStatus = ''] = text
    .split(';')
    .map((field) => field.trim());
  const source = unescaped(written);
  const unicode = toUnicode === '' ? source : unescaped(toUnicode);
  const status = unicodeStatus === '' ? '[]' : unicodeStatus;
  const forDns = asciiStatus === '' ? status : asciiStatus;
  return {
    line,
    source,
    unicode,
    ascii: toAscii === '' ? unicode : unescaped(toAscii),
    isValid: status === '[]' && forDns === '[]',
  };
}

/** `\uXXXX` and `\x{X…}` are code units and code points. */
function unescaped(text: string): string {
  return text
    .replace(/\\u([0-9A-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\x\{([0-9A-F]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}
