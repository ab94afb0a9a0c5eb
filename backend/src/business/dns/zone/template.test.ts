import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOMAIN_ORDER } from '../../../../test/domains.ts';
import { SERVER_ORDER } from '../../../../test/servers.ts';
import { openZones } from '../../../../test/zones.ts';

const zones = await openZones((document) => {
  Object.assign(document, {
    zone_templates: {
      parking: { ipv4: ['203.0.113.10'], ipv6: ['2001:db8:113::10'] },
      mail: { servers: [{ host: 'mx1.hosting.example', priority: 10 }] },
    },
  });
});
const customer = await zones.customer(1_000_000n);
const token = { token: customer.secret };

test('a zone begins with its template and with what its customer lists', async () => {
  const records = [{ name: 'extra', type: 'CNAME', content: 'elsewhere.example.net.' }];
  await zones.zone(customer, 'parked.com', { dns: { template: 'parking', records } });
  assert.deepEqual(await zones.served('parked.com'), [
    'extra.parked.com CNAME elsewhere.example.net.',
    'parked.com A 203.0.113.10',
    'parked.com AAAA 2001:db8:113::10',
    'www.parked.com A 203.0.113.10',
    'www.parked.com AAAA 2001:db8:113::10',
  ]);
  await zones.zone(customer, 'mailing.com', { dns: { template: 'mail' } });
  assert.deepEqual(await zones.served('mailing.com'), [
    'mailing.com MX 10 mx1.hosting.example.',
    'mailing.com TXT "v=spf1 mx -all"',
  ]);
});

test('a zone for a server of its customer’s sends the domain to its addresses, and to nobody else’s', async () => {
  const ordered = await zones.requests.call('server/order', SERVER_ORDER, token);
  const { server_uuid, config } = ordered.body.data;
  const dns = { template: 'server', server_uuid };
  await zones.zone(customer, 'served-here.com', { dns });
  const address = config.ipv4.ip_address;
  assert.deepEqual(await zones.served('served-here.com'), [
    `served-here.com A ${address}`,
    `www.served-here.com A ${address}`,
  ]);
  const other = await zones.customer(100_000n);
  const order = { ...DOMAIN_ORDER, domain: 'served-there.com', dns };
  const sent = { token: other.secret };
  const { errors } = await zones.requests.refused('validation_failed', 'domain/order', order, sent);
  assert.equal(errors[0].pointer, '/dns/server_uuid');
});

const REFUSED: readonly (readonly [what: string, pointer: string, input: object])[] = [
  [
    'a record that is none',
    '/dns/records/0/content',
    { dns: { records: [{ name: 'a', type: 'A', content: 'x' }] } },
  ],
  [
    'a record that the template has no room for',
    '/dns/template',
    { dns: { template: 'parking', records: [{ name: 'www', type: 'CNAME', content: 'a.example.net.' }] } },
  ],
  [
    'a server of nobody',
    '/dns/server_uuid',
    { dns: { template: 'server', server_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  ],
  [
    'records for name servers of others',
    '/dns',
    {
      dns: { template: 'parking' },
      nameservers: [{ hostname: 'ns1.x.example' }, { hostname: 'ns2.x.example' }],
    },
  ],
];

for (const [what, pointer, input] of REFUSED) {
  test(`an order with ${what} is refused, and orders nothing`, async () => {
    const order = { ...DOMAIN_ORDER, domain: 'refused.com', ...input };
    const { errors } = await zones.requests.refused('validation_failed', 'domain/order', order, token);
    assert.equal(errors[0].pointer, pointer);
    const { rows } = await zones.pool.pg.query("SELECT FROM zones WHERE name = 'refused.com'");
    assert.equal(rows.length, 0);
  });
}
