import { gzipSync } from 'node:zlib';

/** The smallest files of each kind that may be attached, and some that may not. */
export const FILES = {
  'dot.png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  'dot.jpg': Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  'dot.gif': Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64'),
  'dot.webp': Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'),
  'page.pdf': Buffer.from('%PDF-1.4\n%%EOF\n'),
  'empty.zip': Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
  'syslog.gz': gzipSync('a line\n'),
  'notes.txt': Buffer.from('Grüße\n'),
  'server.log': Buffer.from('\u001b[31merror\u001b[0m\tline\r\n'),
  'table.csv': Buffer.from('a;b\n1;2\n'),
} as const;

export const BAD_FILES = {
  'page.html': Buffer.from('<!doctype html><script>alert(1)</script>'),
  'page.txt': Buffer.from('\ufeff <html><script>alert(1)</script>'),
  'dot.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  'dot.xml.txt': Buffer.from('<?xml version="1.0"?><svg onload="alert(1)"/>'),
  'run.exe': Buffer.from('MZ\u0090\u0000\u0003'),
  'run.png': Buffer.from('MZ\u0090\u0000\u0003'),
  'binary.log': Buffer.from([0x61, 0x00, 0x62]),
  'latin.txt': Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]),
  'script.js': Buffer.from('alert(1)'),
  'run.sh': Buffer.from('#!/bin/sh\n'),
} as const;

/** A file as a request carries it. */
export function attachmentOf(filename: string, content: Buffer, content_type = 'application/octet-stream') {
  return { filename, content_type, content_base64: content.toString('base64') };
}
