import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs } from '../../../../test/cpu-time.ts';
import { readWhois, saysAbsent } from './whois-record.ts';

const at = (text: string) => Temporal.Instant.from(text);

test("a gTLD registry's answer, in ICANN's form", () => {
  const told = readWhois(`   Domain Name: EXAMPLE.COM\r
   Registry Domain ID: 2336799_DOMAIN_COM-VRSN\r
   Registrar WHOIS Server: whois.registrar.example\r
   Registrar URL: https://registrar.example\r
   Updated Date: 2026-08-14T07:01:34Z\r
   Creation Date: 1995-08-14T04:00:00Z\r
   Registry Expiry Date: 2027-08-13T04:00:00Z\r
   Registrar: Example Registrar, Inc.\r
   Registrar IANA ID: 376\r
   Registrar Abuse Contact Email: abuse@registrar.example\r
   Registrar Abuse Contact Phone: +1.2015550100\r
   Domain Status: clientDeleteProhibited https://icann.org/epp#clientDeleteProhibited\r
   Domain Status: clientTransferProhibited https://icann.org/epp#clientTransferProhibited\r
   Name Server: A.NS.EXAMPLE.NET\r
   Name Server: B.NS.EXAMPLE.NET\r
   DNSSEC: signedDelegation\r
>>> Last update of whois database: 2026-11-20T23:00:00Z <<<\r
NOTICE: The expiration date displayed in this record is the date the\r
registrar's sponsorship of the domain name registration in the registry is\r
currently set to expire.\r
`);
  assert.deepEqual(told, {
    registrar: {
      name: 'Example Registrar, Inc.',
      ianaId: 376,
      url: 'https://registrar.example',
      abuseEmail: 'abuse@registrar.example',
      abusePhone: '+1.2015550100',
    },
    status: ['client delete prohibited', 'client transfer prohibited'],
    nameservers: ['a.ns.example.net', 'b.ns.example.net'],
    dnssec: true,
    createdAt: at('1995-08-14T04:00:00Z'),
    updatedAt: at('2026-08-14T07:01:34Z'),
    expireAt: at('2027-08-13T04:00:00Z'),
    network: null,
  });
});

test("DENIC's short form", () => {
  const told = readWhois(`% Restricted rights.
Domain: example.de
Nserver: ns1.example.net
Nserver: ns2.example.de 192.0.2.53 2001:db8::53
Dnskey: 257 3 8 AwEAAb
Status: connect
Changed: 2018-03-12T21:44:25+01:00
`);
  assert.deepEqual(told.nameservers, ['ns1.example.net', 'ns2.example.de']);
  assert.deepEqual([told.status, told.dnssec, told.registrar], [['connect'], true, null]);
  assert.deepEqual(told.updatedAt, at('2018-03-12T20:44:25Z'));
});

test("Nominet's form, with values in lines of their own", () => {
  const told = readWhois(`
    Domain name:
        example.co.uk

    Registrar:
        Example Ltd [Tag = EXAMPLE]
        URL: https://www.example.net

    Relevant dates:
        Registered on: 26-Nov-1996
        Expiry date:  26-Nov-2027
        Last updated:  27-Oct-2026

    Registration status:
        Registered until expiry date.

    Name servers:
        ns1.example.net
        ns2.example.co.uk  192.0.2.53

    WHOIS lookup made at 12:00:00 15-Jan-2027
`);
  assert.equal(told.registrar?.name, 'Example Ltd');
  assert.equal(told.registrar.url, 'https://www.example.net');
  assert.deepEqual(told.nameservers, ['ns1.example.net', 'ns2.example.co.uk']);
  assert.deepEqual(told.createdAt, at('1996-11-26T00:00:00Z'));
  assert.deepEqual(told.expireAt, at('2027-11-26T00:00:00Z'));
  assert.deepEqual(told.updatedAt, at('2026-10-27T00:00:00Z'));
});

test("JPRS's brackets", () => {
  const told = readWhois(`Domain Information:
[Domain Name]                   EXAMPLE.JP
[Name Server]                   ns1.example.jp
[Created on]                    2001/08/22
[Expires on]                    2027/08/31
[Status]                        Active
`);
  assert.deepEqual([told.nameservers, told.status], [['ns1.example.jp'], ['active']]);
  assert.deepEqual(told.expireAt, at('2027-08-31T00:00:00Z'));
});

test('networks: of RIPE, of ARIN, and an autonomous system', () => {
  const ripe = readWhois(`% Information related to '192.0.2.0 - 192.0.2.255'

inetnum:        192.0.2.0 - 192.0.2.255
netname:        TEST-NET
country:        DE
status:         ASSIGNED PA

route:          192.0.0.0/16
`);
  assert.deepEqual(ripe.network, { cidr: '192.0.2.0/24', name: 'TEST-NET', country: 'DE' });
  const arin = readWhois(`NetRange:       198.51.100.0 - 198.51.102.255
CIDR:           198.51.100.0/23, 198.51.102.0/24
NetName:        EXAMPLE
Country:        US
`);
  assert.equal(arin.network?.cidr, '198.51.100.0/23, 198.51.102.0/24');
  const system = readWhois('aut-num:        AS64500\nas-name:        EXAMPLE-AS\n');
  assert.deepEqual(system.network, { cidr: 'AS64500', name: 'EXAMPLE-AS', country: null });
  const inet6 = readWhois('inet6num:       2001:DB8::/32\nnetname:        DOC\ncountry:        nl\n');
  assert.deepEqual(inet6.network, { cidr: '2001:db8::/32', name: 'DOC', country: 'NL' });
});

test('the words for "not registered" are known, and are not seen where they are not said', () => {
  const absent = [
    'No match for "FREE-TEST.COM".\r\n>>> Last update',
    'Domain: free-test.de\nStatus: free\n',
    '%% NOT FOUND\n',
    'free-test.nl is free\n',
    'Domain:\tfree-test.be\nStatus:\tAVAILABLE\n',
    '% nothing found\n',
    'We do not have an entry in our database matching your query.\n',
    'Domain not found.\n',
    '% No match for free-test.br\n',
    '    This domain name has not been registered.\n',
  ];
  for (const text of absent) assert.equal(saysAbsent(text), true, text);
  for (const text of ['', 'Domain: example.de\nStatus: connect\n', 'Too many requests, try again later\n']) {
    assert.equal(saysAbsent(text), false, text);
  }
});

test('hostile text takes no time to read', async () => {
  for (const unit of [' ', 'a', '.', ':', '%', 'a ', 'no ', '\n', ' :', 'status: ', '\t', 'a.:']) {
    const text = unit.repeat((256 * 1024) / unit.length);
    const cost = await cpuMs(() => [readWhois(text), saysAbsent(text)]);
    assert.ok(cost < 2_000, `${unit}: ${cost} ms`);
  }
});
