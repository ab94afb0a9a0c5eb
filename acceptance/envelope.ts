import assert from 'node:assert/strict';
import { EXTENSIONS, errorBody } from './documented/errors.ts';
import type { Answer } from './exchange.ts';
import { at, type Json, type JsonObject, objectAt, stringAt } from './json.ts';
import { anything, exactly, filledString, object, type Shape } from './shape.ts';

/** Holds an answer to the success envelope and its payload to a shape; gives the payload. */
export function success(answer: Answer, shape: Shape = anything, status = 200): JsonObject {
  assert.equal(answer.status, status, answer.text.slice(0, 2000));
  assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/);
  const envelope = object({
    response: filledString,
    state: exactly('success'),
    code: exactly(answer.status),
    data: shape,
  });
  assert.deepEqual(envelope(answer.body, ''), [], answer.text.slice(0, 2000));
  assertNotCached(answer);
  return objectAt(answer.body, '/data');
}

/** Holds an answer to the error body, its status and its code; gives the body, with its extension members. */
export function refusal(answer: Answer, status: number, ...codes: string[]): JsonObject {
  assert.equal(answer.status, status, answer.text.slice(0, 2000));
  const code = stringAt(answer.body, '/error');
  assert.ok(codes.includes(code), `${code} is not ${codes.join(' or ')}: ${answer.text.slice(0, 2000)}`);
  wellFormedError(answer);
  return objectAt(answer.body, '');
}

/** Any refusal that is the caller's fault: a 4xx with a well-formed body. */
export function refused(answer: Answer, what: string): void {
  assert.ok(
    answer.status >= 400 && answer.status < 500,
    `${what}: ${answer.status} ${answer.text.slice(0, 500)}`,
  );
  wellFormedError(answer);
}

function wellFormedError(answer: Answer): void {
  assert.match(answer.headers['content-type'] ?? '', /^application\/(problem\+)?json\b/);
  const code = stringAt(answer.body, '/error');
  const allowed = EXTENSIONS[code];
  if (!allowed) assert.fail(`error ${code} is not documented`);
  const extensions = Object.fromEntries(allowed.map((name) => [name, anything]));
  assert.deepEqual(errorBody(answer.status, extensions)(answer.body, ''), [], answer.text.slice(0, 2000));
  assert.equal(at(answer.body, '/detail'), at(answer.body, '/response'));
  const id = stringAt(answer.body, '/request_id');
  assert.equal(at(answer.body, '/instance'), `urn:uuid:${id}`);
  assert.equal(answer.headers['x-request-id'], id, 'X-Request-Id is the request_id of the body');
  assertNotCached(answer);
}

/** The URL of a GET with a body does not identify its answer, so nothing may be kept. */
function assertNotCached(answer: Answer): void {
  assert.match(answer.headers['cache-control'] ?? '', /\bno-store\b/);
  assert.equal(answer.headers.etag, undefined);
}

/** The body without what differs between two requests. */
export function timeless(body: Json): Json {
  const { request_id: _id, instance: _instance, ...rest } = objectAt(body, '');
  return rest;
}
