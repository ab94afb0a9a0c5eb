import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { ERRORS, Refusal } from '../errors.ts';
import { operation } from '../operation.ts';
import { operations } from '../operations.generated.ts';
import { errorAnswer, successBody } from './answer.ts';
import { errorsOf, mayGoOn, openApiDocument } from './openapi.ts';

interface Answer {
  readonly description: string;
  readonly content: { 'application/json': { schema: { required?: string[]; $ref?: string } } };
}
interface Item {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { $ref?: string; name?: string; in?: string; required?: boolean }[];
  readonly requestBody?: { required: boolean; content: Record<string, { example: unknown }> };
  readonly responses: Record<string, Answer>;
}
interface Document {
  readonly openapi: string;
  readonly tags: readonly { name: string; description: string }[];
  readonly paths: Record<string, Record<string, Item>>;
  readonly components: Record<
    string,
    Record<string, { required: string[]; properties: Record<string, { enum?: string[] }> }>
  >;
}

const documentOf = (of: typeof operations): Document => JSON.parse(JSON.stringify(openApiDocument(of)));
const document = documentOf(operations);

function itemOf({ path, method }: { path: string; method: string }, of = document): Item {
  const item = of.paths[`/${path}`]?.[method.toLowerCase()];
  assert.ok(item, path);
  return item;
}

test('it holds every operation, and nothing else', () => {
  const methods = Object.entries(document.paths).flatMap(([path, items]) =>
    Object.keys(items).map((method) => `${method.toUpperCase()} ${path.slice(1)}`),
  );
  assert.deepEqual(methods.sort(), operations.map(({ method, path }) => `${method} ${path}`).sort());
  const ids = operations.map((one) => itemOf(one).operationId);
  assert.equal(new Set(ids).size, ids.length);
});

test('it names each error that an operation can answer with, under its status', () => {
  for (const one of operations) {
    const { responses } = itemOf(one);
    for (const code of errorsOf(one)) {
      const answer = responses[ERRORS[code].status];
      assert.ok(answer, `${one.path}: ${code}`);
      assert.ok(answer.description.includes(`\`${code}\``), `${one.path}: ${code}`);
      assert.equal(answer.content['application/json'].schema.$ref, '#/components/schemas/Error');
    }
  }
});

test('only public operations need no token', () => {
  for (const one of operations) {
    assert.deepEqual(itemOf(one).security, one.audience === 'public' ? [] : undefined, one.path);
  }
});

test('what it says of errors is what they are', () => {
  const schema = document.components.schemas?.Error;
  assert.ok(schema);
  const refusal = new Refusal('version_mismatch', { members: { current_version: 3 } });
  const { body } = errorAnswer(refusal, {
    requestId: 'id',
    locale: 'en',
    publicUrl: 'https://hosting.example',
  });
  const members = Object.keys(JSON.parse(body));
  assert.deepEqual(members, [...schema.required, 'current_version']);
  assert.deepEqual(Object.keys(schema.properties), schema.required);
  assert.deepEqual(schema.properties.error?.enum, Object.keys(ERRORS));
});

test('what it says of answers is what they are', () => {
  const members = Object.keys(JSON.parse(successBody('Done.', 200, {})));
  for (const one of operations) {
    assert.deepEqual(itemOf(one).responses[200]?.content['application/json'].schema.required, members);
  }
});

test('every reference leads somewhere, and everything that is referred to is used', () => {
  const text = JSON.stringify(document);
  const refs = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]*)"/g)].map(([, ref]) => ref));
  const there = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, members]) => Object.keys(members).map((name) => `${kind}/${name}`));
  assert.deepEqual([...refs].sort(), there.sort());
  const used = new Set(operations.flatMap((one) => itemOf(one).tags));
  assert.deepEqual(document.tags.map(({ name }) => name).sort(), [...used].sort());
  assert.ok(document.tags.every(({ description }) => description !== ''));
});

const base = {
  summary: 'Test',
  audience: 'customer',
  scope: 'tools:read',
  message: { en: 'Done.', de: 'Fertig.' },
  errors: [],
} as const;
const ask = operation({
  ...base,
  method: 'GET',
  path: 'tools/ask',
  input: z.strictObject({ count: z.int().default(3).describe('How many.'), name: z.string() }),
  output: z.object({ total: z.int() }),
  example: { input: { name: 'x' }, output: { total: 1 } },
  read: () => ({ total: 1 }),
});
const begin = operation({
  ...base,
  method: 'POST',
  path: 'tools/begin',
  input: z.strictObject({ name: z.string() }),
  output: z.object({ task: z.object({ uuid: z.uuid() }) }),
  example: { input: { name: 'x' } },
  handle: () => ({ task: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } }),
});
const small = documentOf([ask, begin]);

test('a GET takes its fields in the query, a POST in its body', () => {
  const { parameters, requestBody, responses } = itemOf(ask, small);
  assert.deepEqual(parameters, [
    {
      name: 'count',
      in: 'query',
      required: false,
      description: 'How many.',
      schema: { default: 3, type: 'integer' },
    },
    { name: 'name', in: 'query', required: true, schema: { type: 'string' } },
  ]);
  assert.equal(requestBody, undefined);
  assert.deepEqual(Object.keys(responses).slice(0, 2), ['200', '400']);
  assert.deepEqual(itemOf(begin, small).requestBody, {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
          additionalProperties: false,
        },
        example: { name: 'x' },
      },
    },
  });
});

test('an operation that starts a task may answer 202, and can be waited for', () => {
  assert.deepEqual([mayGoOn(ask), mayGoOn(begin)], [false, true]);
  const { parameters, responses } = itemOf(begin, small);
  assert.ok(responses[202]);
  assert.deepEqual(parameters, [
    { $ref: '#/components/parameters/IdempotencyKey' },
    { $ref: '#/components/parameters/Prefer' },
  ]);
});

test('answers may gain members, requests may not', () => {
  const answer = JSON.stringify(itemOf(ask, small).responses[200]);
  assert.doesNotMatch(answer, /additionalProperties/);
  assert.match(JSON.stringify(itemOf(begin, small).requestBody), /"additionalProperties":false/);
});
