// Slow: 5 s

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { startNameServers } from '../../../../test/powerdns.ts';
import { recordInput } from '../../../../test/records.ts';
import { absoluteName } from '../../../base/dns/name.ts';
import { rdataText } from '../../../base/dns/record.ts';
import { planChange } from './plan.ts';

const ZONE = 'example.com';
const { api, stop } = await startNameServers();
after(stop);

async function send(method: string, path: string, body: object): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${api.url}/api/v1/servers/localhost/zones${path}`, {
    method,
    headers: { 'X-API-Key': api.key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

const nameservers = ['ns1.example.net.', 'ns2.example.net.'];
const made = await send('POST', '', { name: `${ZONE}.`, kind: 'Master', nameservers });
assert.equal(made.status, 201, made.text);

/** What PowerDNS says of a record set, which does not stay. */
async function powerDns(name: string, type: string, records: readonly string[]): Promise<string> {
  const rrset = { name: `${name}.`, type, ttl: 3600 };
  const contents = records.map((content) => ({ content, disabled: false }));
  const put = [{ ...rrset, changetype: 'REPLACE', records: contents }];
  const { status, text } = await send('PATCH', `/${ZONE}.`, { rrsets: put });
  if (status !== 204) return text;
  await send('PATCH', `/${ZONE}.`, { rrsets: [{ ...rrset, changetype: 'DELETE' }] });
  return 'taken';
}

test('whatever the rules take in any way of writing, PowerDNS takes in the form that is kept', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(recordInput, async (input) => {
      const base = {
        zone: ZONE,
        defaultTtl: 3600,
        size: { records: 0, characters: 0, aliases: 0 },
        records: [],
      };
      const planned = planChange(
        base,
        { changes: [{ action: 'create', ...input, disabled: false }] },
        randomUUID,
      );
      if (!planned.ok) return;
      for (const { name, type, ...record } of planned.plan.diff.added) {
        // An ALIAS never gets there, and an apex CNAME is refused by its neighbours.
        if (type === 'ALIAS') continue;
        const said = await powerDns(absoluteName(name, ZONE), type, [rdataText(record)]);
        assert.equal(said, 'taken', `${name} ${type} ${rdataText(record)}`);
        compared += 1;
      }
    }),
    { numRuns: 600 },
  );
  assert.ok(compared > 400, `${compared} records`);
});

/** What PowerDNS takes and the rules do not, each with the reason why. */
const REFUSED_FOR_A_REASON: readonly (readonly [type: string, text: string, message: RegExp])[] = [
  ['MX', '10 192.0.2.1.', /must be a host name/],
  ['CNAME', 'xn--a.example.net.', /broken punycode/],
  ['NS', '192.0.2.1.', /must be a host name/],
  ['TLSA', '3 1 1 ABCD', /64 hexadecimal digits/],
  ['LUA', 'A "return 1"', /run programs/],
];

test('what PowerDNS takes and the rules do not is refused with a reason', async () => {
  for (const [type, text, message] of REFUSED_FOR_A_REASON) {
    assert.equal(await powerDns('x.example.com', type, [text]), 'taken', `${type} ${text}`);
    const [, priority, content] = /^(?:(10) )?(.*)$/s.exec(text) ?? [];
    const input = { type, name: 'x', content, priority: priority === undefined ? null : Number(priority) };
    const base = {
      zone: ZONE,
      defaultTtl: 3600,
      size: { records: 0, characters: 0, aliases: 0 },
      records: [],
    };
    const planned = planChange(base, { changes: [{ action: 'create', ...input }] }, randomUUID);
    assert.ok(!planned.ok, `${type} ${text}`);
    assert.match(planned.errors[0]?.message ?? '', message);
  }
});

test('sets that the rules refuse taken together PowerDNS refuses too', async () => {
  const sets: readonly (readonly [string, string, readonly string[]])[] = [
    ['a.example.com', 'CNAME', ['b.example.com.', 'c.example.com.']],
    ['example.com', 'CNAME', ['b.example.com.']],
    ['a.example.com', 'A', ['192.0.2.300']],
    ['a.example.com', 'AAAA', ['192.0.2.1']],
    ['a.example.org', 'A', ['192.0.2.1']],
    ['a.example.com', 'A', ['192.0.2.1', '192.0.2.1']],
  ];
  for (const [name, type, records] of sets)
    assert.notEqual(await powerDns(name, type, records), 'taken', `${name} ${type} ${records}`);
});
