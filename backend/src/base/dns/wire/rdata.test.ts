import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeRdata } from './rdata.ts';
import { rdataText } from './rdata-text.ts';

/** Presentation forms in, octets, and the one form that comes out. */
const VECTORS: readonly (readonly [type: string, text: string, octets: string, out?: string])[] = [
  ['A', '192.0.2.1', 'c0000201'],
  ['AAAA', '2001:DB8::0:1', '20010db8000000000000000000000001', '2001:db8::1'],
  ['AAAA', '::ffff:192.0.2.1', '00000000000000000000ffffc0000201'],
  ['NS', 'A.Ns.Test.', '01610 26e73 0474657374 00', 'a.ns.test.'],
  ['CNAME', '.', '00'],
  ['MX', '10 mail.test.', '000a 046d61696c 0474657374 00'],
  ['SRV', '1 2 443 a\\.b.test.', '0001 0002 01bb 03612e62 0474657374 00'],
  ['TXT', '"a\\"b" c "\\255\\\\"', '03612262 0163 02ff5c', '"a\\"b" "c" "\\255\\\\"'],
  ['TXT', '""', '00'],
  ['CAA', '0 issue "ca.test; a=b"', '00 05 6973737565 63612e746573743b20613d62'],
  ['URI', '10 1 "ftp://a.test/"', '000a 0001 6674703a2f2f612e746573742f'],
  ['TLSA', '3 1 1 AABB ccdd', '03 01 01 aabbccdd', '3 1 1 aabbccdd'],
  ['SSHFP', '4 2 00ff', '04 02 00ff'],
  ['DS', '60485 5 1 2BB183AF', 'ec45 05 01 2bb183af', '60485 5 1 2bb183af'],
  ['DNSKEY', '257 3 13 AQID', '0101 03 0d 010203'],
  ['NAPTR', '100 10 "u" "" "!^.*$!sip:x!" .', '0064 000a 0175 00 0c215e2e2a24217369703a7821 00'],
  ['TYPE65300', '\\# 2 abCD', 'abcd', '\\# 2 abcd'],
  ['A', '\\# 4 c0000201', 'c0000201', '192.0.2.1'],
  // RFC 9460 appendix D.
  ['SVCB', '0 foo.example.com.', '0000 03666f6f 076578616d706c65 03636f6d 00'],
  ['SVCB', '16 foo.example.com. port=53', '0010 03666f6f 076578616d706c65 03636f6d 00 0003 0002 0035'],
  [
    'SVCB',
    '1 foo.example.com. key667="hello\\210qoo"',
    '0001 03666f6f 076578616d706c65 03636f6d 00 029b 0009 68656c6c6fd2716f6f',
  ],
  [
    'SVCB',
    '16 foo.example.org. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1',
    '0010 03666f6f 076578616d706c65 036f7267 00 0000 0004 0001 0004 0001 0009 026832 0568332d3139 0004 0004 c0000201',
    '16 foo.example.org. mandatory=alpn,ipv4hint alpn=h2,h3-19 ipv4hint=192.0.2.1',
  ],
  [
    'SVCB',
    '16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"',
    '0010 03666f6f 076578616d706c65 036f7267 00 0001 000c 08 665c6f6f2c626172 02 6832',
    '16 foo.example.org. alpn=f\\\\\\\\oo\\\\,bar,h2',
  ],
  [
    'HTTPS',
    '1 . ech="AQID" ipv6hint="2001:db8::1,2001:db8::53:1" no-default-alpn alpn=h2 dohpath=/q{?dns}',
    `0001 00 0001 0003 026832 0002 0000 0005 0003 010203
     0006 0020 20010db8000000000000000000000001 20010db8000000000000000000530001 0007 0008 2f717b3f646e737d`,
    '1 . alpn=h2 no-default-alpn ech="AQID" ipv6hint=2001:db8::1,2001:db8::53:1 key7="/q{?dns}"',
  ],
];

describe('RDATA goes to the octets of its RFC and back to one form', () => {
  for (const [type, text, octets, out = text] of VECTORS)
    test(`${type} ${text}`, () => {
      const rdata = encodeRdata(type, text);
      assert.equal(rdata.toString('hex'), octets.replaceAll(/\s/g, ''));
      assert.equal(rdataText(type, rdata), out);
      assert.deepEqual(encodeRdata(type, rdataText(type, rdata)), rdata);
    });
});

const BROKEN: readonly (readonly [type: string, text: string])[] = [
  ['A', '192.0.2.999'],
  ['A', '192.0.2.1 192.0.2.2'],
  ['A', ''],
  ['AAAA', 'fe80::1%eth0'],
  ['MX', '65536 mail.test.'],
  ['MX', '-1 mail.test.'],
  ['MX', '10'],
  ['NS', 'a..test.'],
  ['NS', `${'a'.repeat(64)}.test.`],
  ['NS', `${'abcdefg.'.repeat(32)}`],
  ['TXT', ''],
  ['TXT', '"open'],
  ['TXT', '"\\256"'],
  ['TXT', `"${'a'.repeat(256)}"`],
  ['TLSA', '3 1 1 abc'],
  ['TLSA', '3 1 1'],
  ['DNSKEY', '257 3 13 A'],
  ['SVCB', '1 . port=70000'],
  ['SVCB', '1 . alpn=h2 alpn=h3'],
  ['SVCB', '1 . nonsense=1'],
  ['SVCB', '1 . ipv4hint=a'],
  ['TYPE65300', 'abcd'],
  ['TYPE65300', '\\# 3 abcd'],
];

describe('what is no RDATA of its type is refused, never guessed', () => {
  for (const [type, text] of BROKEN)
    test(`${type} ${text.slice(0, 40)}`, () => {
      assert.throws(() => encodeRdata(type, text), RangeError);
    });
});
