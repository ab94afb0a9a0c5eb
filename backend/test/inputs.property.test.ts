// Slow: 35 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ERRORS, type ErrorCode } from '../src/errors.ts';
import type { Operation } from '../src/operation.ts';
import { operations } from '../src/operations.generated.ts';
import { inputSchema } from '../src/wire/schema.ts';
import { casesOf, loadCases } from './cases/load.ts';
import { type Answered, type Call, openHarness } from './harness.ts';
import { bodies, headerFields, queries } from './hostile.ts';
import { isComplete } from './sample.ts';

/** A seed of its own in each run of the tests, so that all runs together try many. */
const RUNS = isComplete ? 60 : 20;

const harness = await openHarness();
const cases = await loadCases();
const { catalog } = harness;
const words = [
  ...['fra-epyc', 'debian-13', 'web.example.com', 'example.com', 'bücher.de', 'com', 'EUR', 'Europe/Berlin'],
  ...['2027-01-01 00:00:00', '2027-01-01', '192.0.2.7', '2001:db8::7', '198.51.100.0/24', '*', 'server:read'],
];

/** What one operation is sent: around the call that succeeds, and far from it. */
function requests(operation: Operation, given: Call) {
  const schema = inputSchema(operation);
  const uuids = [
    ...[
      given.as?.accountId ?? '',
      catalog.license_packages[0]?.uuid ?? '',
      catalog.server_packages[0]?.uuid ?? '',
    ],
    ...Object.values(given.input ?? {}).filter((value) => typeof value === 'string' && value.length === 36),
  ];
  const known = { uuids, words };
  const body = bodies(schema, known, given.input ?? {});
  return fc.record({
    body: operation.method === 'POST' ? body : fc.option(body, { nil: undefined }),
    query: operation.method === 'POST' ? fc.constant('') : queries(schema, known),
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headerFields }),
  });
}

for (const operation of operations) {
  test(`${operation.path} answers whatever it is sent, and never with a fault`, async () => {
    const given = await casesOf(cases, operation.path).succeeds(harness);
    const property = fc.asyncProperty(requests(operation, given), async ({ body, query, headers }) => {
      const answer = await harness.send(
        operation.method,
        `${operation.path}?${query}`,
        body,
        given.as,
        headers,
      );
      isWhole(answer);
    });
    try {
      // What fails is printed with its seed and path, as small as it can be made.
      await fc.assert(property, { numRuns: RUNS });
    } finally {
      assert.deepEqual(harness.logged.splice(0), []);
    }
  });
}

const ERROR_MEMBERS = [
  'response',
  'state',
  'code',
  'data',
  'error',
  'errors',
  'request_id',
  'retryable',
  'type',
  'title',
  'status',
  'detail',
  'instance',
];

/** An answer as documented: the envelope, and for errors the one body that all of them have. */
function isWhole({ status, headers, body, text }: Answered): void {
  // What a service's back end cannot do at all is refused, not failed (RFC 9110, 15.6.2).
  assert.ok(status < 500 || body.error === 'not_supported_by_backend', text);
  assert.match(headers['content-type'] ?? '', /^application\/(problem\+)?json(; charset=utf-8)?$/);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(body.code, status);
  if (status < 300) {
    assert.deepEqual(Object.keys(body), ['response', 'state', 'code', 'data']);
    assert.equal(body.state, 'success');
    return;
  }
  assert.deepEqual(Object.keys(body).slice(0, ERROR_MEMBERS.length), ERROR_MEMBERS);
  assert.deepEqual([body.state, body.data, body.status], ['error', null, status]);
  assert.equal(ERRORS[body.error as ErrorCode].status, status);
  assert.equal(body.request_id, headers['x-request-id']);
  for (const problem of body.errors) {
    assert.match(problem.pointer, /^(\/|$)/);
    assert.equal(typeof problem.message, 'string');
  }
}
