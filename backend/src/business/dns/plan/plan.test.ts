import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base, create, ids, planned, stored, ZONE } from '../../../../test/zone-plan.ts';
import { recordKey } from '../../../base/dns/record.ts';
import type { RecordChange, ZoneInput, ZoneRecord } from '../zone/record.ts';
import { planChange, recordsNeeded } from './plan.ts';

function errors(records: readonly ZoneRecord[], input: ZoneInput): string[] {
  const planning = planChange(base(records), input, ids());
  return planning.ok ? [] : planning.errors.map(({ pointer, error }) => `${pointer} ${error}`);
}

const warnings = (records: readonly ZoneRecord[], input: ZoneInput) =>
  planned(records, input).warnings.map(({ pointer, error }) => `${pointer} ${error}`);

const www = stored('www', { name: 'www', type: 'A', content: '198.41.0.4' });
const mail = stored('mail', { name: '@', type: 'MX', content: 'www', priority: 10 });
const spf = stored('spf', { name: '@', type: 'TXT', content: 'v=spf1 mx -all' });

test('a patch creates, updates and deletes, and shows each', () => {
  const plan = planned([www, mail, spf], {
    changes: [
      create({ name: 'ftp', type: 'A', content: '198.41.0.5' }),
      { action: 'update', id: 'mail', priority: 20 },
      { action: 'delete', id: 'spf' },
    ],
  });
  assert.deepEqual(plan.diff.added.map(recordKey), ['ftp A 198.41.0.5']);
  assert.deepEqual(plan.diff.removed, [spf]);
  assert.deepEqual(plan.diff.changed, [{ before: mail, after: { ...mail, priority: 20 } }]);
  assert.equal(plan.diff.unchanged, 1);
  assert.deepEqual(plan.sizeAfter.records, 3);
  assert.deepEqual(
    plan.rrsets.toSorted((a, b) => a.type.localeCompare(b.type)),
    [
      { name: 'ftp.example.com', type: 'A', ttl: 3_600, records: ['198.41.0.5'] },
      { name: 'example.com', type: 'MX', ttl: 3_600, records: ['20 www.example.com.'] },
      { name: 'example.com', type: 'TXT', ttl: 0, records: [] },
    ],
  );
});

test('a record set is published whole, however little of it changes', () => {
  const plan = planned([www], { changes: [create({ name: 'www', type: 'A', content: '198.41.0.5' })] });
  assert.deepEqual(plan.rrsets, [
    { name: 'www.example.com', type: 'A', ttl: 3_600, records: ['198.41.0.4', '198.41.0.5'] },
  ]);
});

test('what moves to another name is published at both', () => {
  const plan = planned([www], { changes: [{ action: 'update', id: 'www', name: 'web' }] });
  assert.deepEqual(
    plan.rrsets.map(({ name, records }) => [name, records.length]),
    [
      ['www.example.com', 0],
      ['web.example.com', 1],
    ],
  );
});

test('nothing is published for comments, for disabled records, or for what is as it was', () => {
  const off = stored('off', { name: 'off', type: 'A', content: '198.41.0.4', disabled: true });
  const plan = planned([www, off], {
    changes: [
      { action: 'update', id: 'www', comment: 'ours' },
      { action: 'update', id: 'off', content: '198.41.0.5' },
      create({ name: 'x', type: 'A', content: '198.41.0.5', disabled: true }),
    ],
  });
  assert.deepEqual(plan.rrsets, []);
  assert.deepEqual([plan.diff.changed.length, plan.diff.added.length], [2, 1]);
  const same = planned([www], { changes: [{ action: 'update', id: 'www', content: '198.41.0.4' }] });
  assert.deepEqual([same.diff.changed, same.diff.unchanged, same.rrsets], [[], 1, []]);
});

test('ALIAS is left to the caller, with the sets that take its place', () => {
  const alias = stored('alias', { name: '@', type: 'ALIAS', content: 'cdn.example.net' });
  const added = planned([], { changes: [create({ name: '@', type: 'ALIAS', content: 'cdn.example.net' })] });
  assert.deepEqual(added.aliases, [{ name: 'example.com', ttl: 3_600, target: 'cdn.example.net' }]);
  assert.deepEqual(added.rrsets, []);
  const replaced = planned([alias], {
    changes: [{ action: 'update', id: 'alias', type: 'A', content: '198.41.0.4' }],
  });
  assert.deepEqual(replaced.aliases, [{ name: 'example.com', ttl: 0, target: null }]);
  assert.deepEqual(replaced.rrsets, [
    { name: 'example.com', type: 'A', ttl: 3_600, records: ['198.41.0.4'] },
  ]);
});

test('one TTL for a record set: a differing one changes all and shows (rule F8)', () => {
  const plan = planned([www], {
    changes: [create({ name: 'www', type: 'A', content: '198.41.0.5', ttl: 600 })],
  });
  assert.deepEqual(plan.diff.changed, [{ before: www, after: { ...www, ttl: 600 } }]);
  assert.deepEqual(plan.rrsets[0]?.ttl, 600);
  assert.deepEqual(
    plan.warnings.map(({ pointer, error }) => `${pointer} ${error}`),
    ['/changes/0/ttl ttl_of_set'],
  );
  const joined = planned([{ ...www, ttl: 900 }], {
    changes: [create({ name: 'www', type: 'A', content: '198.41.0.5' })],
  });
  assert.equal(joined.diff.added[0]?.ttl, 900);
  assert.deepEqual(joined.warnings, []);
});

test('a type that changes takes its numbers with it only if the new one has them', () => {
  const plan = planned([mail, www, spf], {
    changes: [{ action: 'update', id: 'mail', type: 'TXT', content: 'hello' }],
  });
  assert.equal(plan.diff.changed[0]?.after.priority, null);
  assert.deepEqual(
    errors([www], { changes: [{ action: 'update', id: 'www', type: 'MX', content: 'www' }] }),
    ['/changes/0/priority required'],
  );
});

test('records that cannot be together are refused where they were asked for (rule F8)', () => {
  const cname = stored('cname', { name: 'www', type: 'CNAME', content: 'a.example.net' });
  const sub = stored('sub', { name: 'sub', type: 'NS', content: 'ns.example.net' });
  const ds = stored('ds', { name: 'sub', type: 'DS', content: `1 13 2 ${'ab'.repeat(32)}` });
  const cases: [ZoneRecord[], RecordChange, string][] = [
    [[www], create({ name: 'www', type: 'CNAME', content: 'a.b' }), '/changes/0/type not_allowed'],
    [[cname], create({ name: 'www', type: 'TXT', content: 'x' }), '/changes/0/type not_allowed'],
    [[cname], create({ name: 'www', type: 'CNAME', content: 'a.b' }), '/changes/0/type not_allowed'],
    [[], create({ name: '@', type: 'CNAME', content: 'a.b' }), '/changes/0/type not_allowed'],
    [[www], create({ name: 'www', type: 'A', content: '198.41.0.4' }), '/changes/0/content not_allowed'],
    [[www], create({ name: 'www', type: 'ALIAS', content: 'a.b' }), '/changes/0/type not_allowed'],
    [[], create({ name: '@', type: 'NS', content: 'a.b' }), '/changes/0/type not_allowed'],
    [[], create({ name: '@', type: 'SOA', content: 'a. b. 1 2 3 4 5' }), '/changes/0/type not_allowed'],
    [[], create({ name: 'x', type: 'LUA', content: 'A ""' }), '/changes/0/type not_allowed'],
    [[www], create({ name: 'www', type: 'DS', content: ds.content }), '/changes/0/type not_allowed'],
    [[sub, ds], { action: 'delete', id: 'sub' }, '/changes/0 not_allowed'],
    [[], { action: 'delete', id: 'none' }, '/changes/0/id not_allowed'],
    [[{ ...www, managed_by: 'system' }], { action: 'delete', id: 'www' }, '/changes/0/id not_allowed'],
  ];
  for (const [records, change, expected] of cases) {
    assert.deepEqual(errors(records, { changes: [change] }), [expected], JSON.stringify(change));
  }
});

test('a disabled record is beside a CNAME until it is enabled', () => {
  const cname = stored('cname', { name: 'www', type: 'CNAME', content: 'a.example.net' });
  const off = { ...www, disabled: true };
  assert.deepEqual(errors([cname, off], { changes: [{ action: 'update', id: 'www', comment: 'x' }] }), []);
  assert.deepEqual(errors([cname, off], { changes: [{ action: 'update', id: 'www', disabled: false }] }), [
    '/changes/0/type not_allowed',
  ]);
});

test('a patch is judged by what it comes to, not by its order', () => {
  const plan = planned([www], {
    changes: [
      create({ name: 'www', type: 'CNAME', content: 'a.example.net' }),
      { action: 'delete', id: 'www' },
    ],
  });
  assert.deepEqual(
    plan.rrsets.map(({ type, records }) => [type, records.length]),
    [
      ['A', 0],
      ['CNAME', 1],
    ],
  );
  assert.deepEqual(
    errors([www], {
      changes: [
        { action: 'update', id: 'www', ttl: 60 },
        { action: 'delete', id: 'www' },
      ],
    }),
    ['/changes/1/id not_allowed'],
  );
});

test('every wrong record of a request is named once, and nothing is planned', () => {
  assert.deepEqual(
    errors([], {
      records: [
        { name: 'a', type: 'A', content: 'x', ttl: 1 },
        { name: 'b', type: 'A', content: '198.41.0.4' },
        { name: 'c', type: 'A', content: '198.41.0.4', ttl: 1 },
      ],
    }),
    ['/records/0/content invalid_format', '/records/2/ttl out_of_range'],
  );
  const planning = planChange(base([]), { zonefile: 'a 60 A 198.41.0.4\nb 60 A x\n' }, ids());
  assert.ok(!planning.ok);
  assert.equal(planning.errors[0]?.pointer, '/zonefile');
  assert.match(planning.errors[0]?.message ?? '', /^Line 2: /);
});

test('a record set that fits in no answer is refused', () => {
  const text = { name: 'x', type: 'TXT', content: 'x'.repeat(40_000) };
  assert.deepEqual(
    errors([stored('a', text)], { changes: [create({ ...text, content: 'y'.repeat(40_000) })] }),
    ['/changes/0/content too_long'],
  );
  const many = Array.from({ length: 1_001 }, (_, at) => ({
    name: 'x',
    type: 'A',
    content: `198.41.${at >> 8}.${at & 255}`,
  }));
  assert.deepEqual(errors([], { records: many }), ['/records/1000/type too_long']);
});

test('replacing keeps the ids of what stays, and pairs what is left of one name and type', () => {
  const old = stored('old', { name: 'www', type: 'A', content: '198.41.0.9' });
  const plan = planned([old, www, spf], {
    records: [
      { name: 'www', type: 'A', content: '198.41.0.4' },
      { name: 'www', type: 'A', content: '198.41.0.5' },
      { name: 'new', type: 'A', content: '198.41.0.5' },
    ],
  });
  assert.deepEqual(plan.diff.changed, [{ before: old, after: { ...old, content: '198.41.0.5' } }]);
  assert.deepEqual(plan.diff.removed, [spf]);
  assert.deepEqual(
    plan.diff.added.map(({ id }) => id),
    ['new-1'],
  );
  assert.equal(plan.diff.unchanged, 1);
});

test('SOA and name servers of the zone are left out of a replacement with a warning, and stay (rule F8)', () => {
  const ns: ZoneRecord = {
    ...stored('ns', { name: '@', type: 'NS', content: 'ns.example.net' }),
    managed_by: 'system',
  };
  const input = {
    records: [
      { name: '@', type: 'SOA', content: 'a. b. 1 2 3 4 5' },
      { name: '@', type: 'NS', content: 'other.example.net' },
    ],
  };
  const plan = planned([ns], input);
  assert.deepEqual([plan.diff.removed, plan.diff.added, plan.rrsets], [[], [], []]);
  assert.deepEqual(warnings([ns], input), ['/records/0 managed_by_system', '/records/1 managed_by_system']);
  assert.deepEqual(warnings([ns], { zonefile: '@ SOA a. b. 1 2 3 4 5\n@ NS c.\n' }), [
    '/zonefile managed_by_system',
    '/zonefile managed_by_system',
  ]);
});

test('a zone that is full takes changes, but no more records', () => {
  const full = { ...base([www]), size: { records: 20_000, characters: 0, aliases: 0 } };
  const more = planChange(
    full,
    { changes: [create({ name: 'x', type: 'A', content: '198.41.0.4' })] },
    ids(),
  );
  assert.ok(!more.ok);
  assert.equal(more.errors[0]?.limit, 20_000);
  assert.ok(planChange(full, { changes: [{ action: 'update', id: 'www', ttl: 60 }] }, ids()).ok);
});

test('records that are likely not meant are warned of', () => {
  const cname = stored('cname', { name: 'alias', type: 'CNAME', content: 'www' });
  const cases: [ZoneRecord[], RecordChange, string[]][] = [
    [
      [spf, cname, www],
      create({ name: '@', type: 'MX', content: 'alias', priority: 1 }),
      ['/changes/0/content target_is_cname'],
    ],
    [
      [spf],
      create({ name: '@', type: 'MX', content: 'gone', priority: 1 }),
      ['/changes/0/content target_missing'],
    ],
    [[www], create({ name: '@', type: 'MX', content: 'www', priority: 1 }), ['/changes/0 spf_missing']],
    [[spf], create({ name: '@', type: 'TXT', content: 'v=spf1 -all' }), ['/changes/0 spf_more_than_one']],
    [[www, spf, mail], { action: 'delete', id: 'www' }, ['/changes/0 target_missing']],
    [[], create({ name: 'x', type: 'CNAME', content: 'gone' }), ['/changes/0/content target_missing']],
    [
      [],
      create({ name: 'x', type: 'A', content: '10.0.0.1', ttl: 60 }),
      ['/changes/0/ttl ttl_low', '/changes/0/content address_not_public'],
    ],
    [[], create({ name: 'sub', type: 'NS', content: 'ns.example.net' }), ['/changes/0 delegation']],
    [
      [],
      create({ name: '@', type: 'CAA', content: '0 issue "no issuer?"' }),
      ['/changes/0/content caa_without_effect'],
    ],
    [
      [www],
      create({ name: 'sip', type: 'SRV', content: 'www', priority: 1, weight: 1, port: 1 }),
      ['/changes/0/name name_not_a_service'],
    ],
  ];
  for (const [records, change, expected] of cases) {
    assert.deepEqual(warnings(records, { changes: [change] }), expected, JSON.stringify(change));
  }
});

test('a service binding leads to addresses, over other bindings too', () => {
  const change = create({ name: 'x', type: 'HTTPS', content: '@ alpn=h2', priority: 1 });
  const other = stored('other', { name: '@', type: 'HTTPS', content: 'www', priority: 0 });
  assert.deepEqual(warnings([spf], { changes: [change] }), ['/changes/0/content target_without_address']);
  assert.deepEqual(warnings([spf, other, www], { changes: [change] }), []);
});

test('targets covered by a wildcard, delegated away or outside the zone are not missing', () => {
  const wildcard = stored('wildcard', { name: '*', type: 'A', content: '198.41.0.4' });
  const sub = stored('sub', { name: 'sub', type: 'NS', content: 'ns.example.net' });
  for (const content of ['anything', 'a.b.sub.example.com', 'x.example.net']) {
    assert.deepEqual(
      warnings([wildcard, sub], { changes: [create({ name: 'c', type: 'CNAME', content })] }),
      [],
    );
  }
});

test('name servers that change beside a DS are warned of, and what is below a delegation', () => {
  const sub = stored('sub', { name: 'sub', type: 'NS', content: 'ns.example.net' });
  const ds = stored('ds', { name: 'sub', type: 'DS', content: `1 13 2 ${'ab'.repeat(32)}` });
  assert.deepEqual(
    warnings([sub, ds], { changes: [{ action: 'update', id: 'sub', content: 'ns.example.org' }] }),
    ['/changes/0 ds_may_break'],
  );
  assert.deepEqual(warnings([sub], { changes: [create({ name: 'x.sub', type: 'TXT', content: 'x' })] }), [
    '/changes/0 below_delegation',
  ]);
});

/** A name of more than a hundred labels, which shares no name above it with another one. */
function deepName(at: number): string {
  const labels = Array.from({ length: 112 }, (_, label) => String.fromCharCode(97 + ((label + at) % 26)));
  return [...labels, `x${at}`].join('.');
}

test('names of a hundred labels are looked up no more often than short ones, above them and above their targets', (t) => {
  const lookups = t.mock.method(Map.prototype, 'get').mock;
  const countOf = (nameAt: (at: number) => string) => {
    const records = Array.from({ length: 200 }, (_, at) => ({
      type: 'MX',
      name: nameAt(at),
      content: `mail.${nameAt(at)}.${ZONE}.`,
      priority: 10,
    }));
    lookups.resetCalls();
    const { diff, warnings: found } = planned([], { records });
    const count = lookups.callCount();
    assert.equal(diff.added.length, 200);
    assert.equal(found.length, 100);
    return count;
  };
  const short = countOf((at) => `x${at}`);
  const deep = countOf(deepName);
  assert.ok(deep <= short * 1.2, `${deep} look-ups rather than ${short}`);
});

test('of names of very many labels no list is made of what is near them: all of the zone is read instead', () => {
  const records = Array.from({ length: 500 }, (_, at) => ({
    type: 'A',
    name: deepName(at),
    content: '192.0.2.1',
  }));
  assert.equal(recordsNeeded(ZONE, records.map(create), []), null);
  assert.notEqual(recordsNeeded(ZONE, records.slice(0, 20).map(create), []), null);
});
