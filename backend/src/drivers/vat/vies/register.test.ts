import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { vatRegisterContract } from '../../../../test/contracts/vat.ts';
import { BackendUnavailable } from '../../outcome.ts';
import { ViesRegister } from './register.ts';

// A server on loopback that answers as the service is documented to; its numbers are those of the service's own
// test operation, check-vat-test-service.

const VALID = 'DE100';
const INVALID = 'DE200';
const SILENT = 'DE999';
const REFUSED_REQUESTER = 'FR202';

const ERRORS: Readonly<Record<string, string>> = {
  '201': 'INVALID_INPUT',
  '300': 'SERVICE_UNAVAILABLE',
  '301': 'MS_UNAVAILABLE',
  '302': 'TIMEOUT',
  '400': 'VAT_BLOCKED',
  '401': 'IP_BLOCKED',
  '500': 'GLOBAL_MAX_CONCURRENT_REQ',
  '501': 'GLOBAL_MAX_CONCURRENT_REQ_TIME',
  '600': 'MS_MAX_CONCURRENT_REQ',
  '601': 'MS_MAX_CONCURRENT_REQ_TIME',
};

interface Question {
  readonly countryCode: string;
  readonly vatNumber: string;
  readonly requesterMemberStateCode?: string;
  readonly requesterNumber?: string;
}
type Reaction = (question: Question, response: ServerResponse) => void;

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const failed = (error: string) => ({ actionSucceed: false, errorWrappers: [{ error }] });

const documented: Reaction = (question, response) => {
  const { countryCode, vatNumber, requesterNumber } = question;
  if (requesterNumber === REFUSED_REQUESTER.slice(2)) {
    return json(response, 400, failed('INVALID_REQUESTER_INFO'));
  }
  const error = ERRORS[vatNumber];
  if (error !== undefined) return json(response, 200, failed(error));
  if (countryCode + vatNumber === SILENT) return;
  const valid = vatNumber === VALID.slice(2);
  json(response, 200, {
    countryCode,
    vatNumber,
    requestDate: '2027-01-15T12:00:00.000Z',
    valid,
    requestIdentifier: requesterNumber === undefined ? '' : 'WAPIAAAAW1234567',
    name: valid ? 'Beispiel GmbH ' : '---',
    address: '---',
  });
};

const asked: Question[] = [];
let reaction = documented;
const server = createServer(async (request: IncomingMessage, response) => {
  assert.deepEqual(
    [request.method, request.url, request.headers['content-type']],
    ['POST', '/rest-api/check-vat-number', 'application/json'],
  );
  const chunks: Buffer[] = await request.toArray();
  const question: Question = JSON.parse(Buffer.concat(chunks).toString());
  asked.push(question);
  reaction(question, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const baseUrl = `http://127.0.0.1:${port}/rest-api`;
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked.length = 0;
  reaction = documented;
});

const check = (vatId: string, requester: string | null = null, deadlineMs = 5_000) =>
  new ViesRegister(baseUrl).check(vatId, requester, deadlineMs);

vatRegisterContract('vies', () => new ViesRegister(`${baseUrl}/`), {
  valid: VALID,
  invalid: INVALID,
  unavailable: 'DE301',
  silent: SILENT,
  requester: 'AT1',
});

test('prefix and number go apart, and the requester with them', async () => {
  const answer = await check('EL100', 'DE136695976');
  assert.deepEqual(asked, [
    {
      countryCode: 'EL',
      vatNumber: '100',
      requesterMemberStateCode: 'DE',
      requesterNumber: '136695976',
    },
  ]);
  assert.deepEqual(answer, {
    state: 'valid',
    name: 'Beispiel GmbH',
    address: null,
    reference: 'WAPIAAAAW1234567',
  });
});

test('a number that cannot be one is invalid; every other failure says nothing of it', async () => {
  for (const [number, error] of Object.entries(ERRORS)) {
    if (error === 'INVALID_INPUT') assert.deepEqual(await check(`DE${number}`), { state: 'invalid' });
    else await assert.rejects(check(`DE${number}`), BackendUnavailable, error);
  }
});

test('a requester that the service refuses costs the proof, not the answer', async () => {
  const answer = await check(VALID, REFUSED_REQUESTER);
  assert.ok(answer.state === 'valid' && answer.reference === null);
  assert.deepEqual(
    asked.map((question) => question.requesterNumber),
    [REFUSED_REQUESTER.slice(2), undefined],
  );
});

test('what is told has no control characters but the ends of lines', async () => {
  reaction = (_, response) =>
    json(response, 200, {
      valid: true,
      name: 'A\u0000B',
      address: 'Weg 1\n\t1010 Wien ',
      requestIdentifier: null,
    });
  assert.deepEqual(await check(VALID), {
    state: 'valid',
    name: 'A B',
    address: 'Weg 1\n 1010 Wien',
    reference: null,
  });
});

const breakages: Readonly<Record<string, Reaction>> = {
  'status 500 without a body': (_, response) => response.writeHead(500).end(),
  'a failure with status 500': (_, response) => json(response, 500, failed('MS_UNAVAILABLE')),
  'a page instead of JSON': (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Maintenance</h1>'),
  'JSON that is no answer': (_, response) => json(response, 200, { hello: 'world' }),
  'an answer that does not say whether': (_, response) => json(response, 200, { valid: 'yes' }),
  'a failure without a code': (_, response) =>
    json(response, 200, { actionSucceed: false, errorWrappers: [] }),
  'a redirection': (_, response) => response.writeHead(302, { location: baseUrl }).end(),
  'a huge body': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ valid: true, name: 'x'.repeat(1024 * 1024) }));
  },
  'an answer that stops half-way': (_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"valid": true');
    response.destroy();
  },
  'a connection that breaks': (_, response) => response.destroy(),
};
for (const [what, broken] of Object.entries(breakages)) {
  test(`${what}: the register is unavailable`, async () => {
    reaction = broken;
    await assert.rejects(check(VALID), BackendUnavailable);
  });
}

test('an answer that comes by drops is cut off by the deadline', async () => {
  reaction = (_, response) => void response.writeHead(200).write('{');
  await assert.rejects(check(VALID, null, 50), BackendUnavailable);
});

test('nobody listens: the register is unavailable', async () => {
  await assert.rejects(
    new ViesRegister('http://127.0.0.1:9/rest-api').check(VALID, null, 5_000),
    BackendUnavailable,
  );
});
