import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { z } from 'zod';
import { CONTRACT } from '../contract.ts';
import { ERRORS, Refusal } from '../errors.ts';
import { operation } from '../operation.ts';
import { operations } from '../operations.generated.ts';
import { EVENTS } from '../unit-of-work/event.ts';
import { errorAnswer, successBody } from './answer.ts';
import { errorsOf, mayGoOn, openApiDocument } from './openapi.ts';

interface Named {
  readonly description: string;
  readonly content: { 'application/json': { schema: { $ref: string } } };
}
interface Success {
  readonly content: { 'application/json': { schema: { allOf: readonly [{ $ref: string }, object] } } };
}
interface Item {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { $ref?: string; name?: string; in?: string; required?: boolean }[];
  readonly requestBody?: { required: boolean; content: Record<string, { example: unknown }> };
  readonly responses: Record<string, Success | { readonly $ref: string }>;
  readonly 'x-error-codes': readonly string[];
}
interface NamedSchema {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { $ref?: string; enum?: readonly string[] }>>;
  readonly enum?: readonly string[];
  readonly additionalProperties?: boolean;
}
interface Document {
  readonly openapi: string;
  readonly tags: readonly { name: string; description: string }[];
  readonly paths: Record<string, Record<string, Item>>;
  readonly webhooks: Record<string, { post: { operationId: string } }>;
  readonly components: Record<string, Record<string, unknown>> & {
    readonly schemas: Record<string, NamedSchema>;
    readonly responses: Record<string, Named>;
  };
}

const documentOf = (of: typeof operations): Document =>
  JSON.parse(JSON.stringify(openApiDocument(of, CONTRACT)));
const document = documentOf(operations);

/** The response that is named for a status of an operation. */
function failureOf(item: Item, status: number): Named | undefined {
  const found = item.responses[status] ?? item.responses.default;
  return found && '$ref' in found
    ? document.components.responses[found.$ref.replace('#/components/responses/', '')]
    : undefined;
}

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
    const item = itemOf(one);
    assert.deepEqual(item['x-error-codes'], [...errorsOf(one)].sort(), one.path);
    for (const code of errorsOf(one)) {
      const answer = failureOf(item, ERRORS[code].status);
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
  const { Error: schema, ErrorCode: codes } = document.components.schemas;
  assert.ok(schema?.properties && schema.required);
  const refusal = new Refusal('version_mismatch', { members: { current_version: 3 } });
  const { body } = errorAnswer(refusal, {
    requestId: 'id',
    locale: 'en',
    publicUrl: 'https://hosting.example',
  });
  const members = Object.keys(JSON.parse(body));
  assert.deepEqual(members, [...schema.required, 'current_version']);
  assert.deepEqual(Object.keys(schema.properties), schema.required);
  assert.deepEqual(codes?.enum, Object.keys(ERRORS));
});

test('what it says of answers is what they are', () => {
  const members = Object.keys(JSON.parse(successBody({ en: 'Done.', de: 'Getan.' }, 200, {}, 'en')));
  assert.deepEqual(document.components.schemas.Envelope?.required, members);
  for (const one of operations) {
    const { responses } = itemOf(one);
    const success = responses[mayGoOn(one) ? '2XX' : '200'];
    assert.ok(success && 'content' in success, one.path);
    const { allOf } = success.content['application/json'].schema;
    assert.equal(allOf[0].$ref, '#/components/schemas/Envelope');
  }
});

test('what clients work with has a name', () => {
  const { schemas } = document.components;
  for (const name of ['Server', 'Domain', 'Webspace', 'License', 'Task', 'Order', 'Quote', 'Ticket', 'Error'])
    assert.ok(schemas[name]?.properties, name);
  assert.equal(schemas.ServerOrderRequest?.additionalProperties, false);
  assert.ok(Object.keys(schemas).length >= 120);
});

test('it tells of every event that a webhook can be sent', () => {
  assert.deepEqual(Object.keys(document.webhooks), Object.keys(EVENTS));
});

test('a change of it can be read: at most 20,000 lines', () => {
  const file = new URL('../../../api/openapi.json', import.meta.url);
  assert.ok(readFileSync(file, 'utf8').split('\n').length <= 20_000);
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
  example: { input: { name: 'x' } },
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
const small: Document = JSON.parse(
  JSON.stringify(openApiDocument([ask, begin], { schemas: {}, answers: {}, events: {} })),
);

test('a GET takes its fields in the query, a POST in its body', () => {
  const { parameters, requestBody, responses } = itemOf(ask, small);
  assert.deepEqual(parameters, [
    {
      name: 'count',
      in: 'query',
      description: 'How many.',
      schema: { default: 3, type: 'integer' },
    },
    { name: 'name', in: 'query', required: true, schema: { type: 'string' } },
  ]);
  assert.equal(requestBody, undefined);
  assert.deepEqual(Object.keys(responses).slice(0, 2), ['200', '422']);
  assert.deepEqual(itemOf(begin, small).requestBody, {
    required: true,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ToolsBeginRequest' },
        example: { name: 'x' },
      },
    },
  });
  assert.deepEqual(small.components.schemas.ToolsBeginRequest, {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  });
});

test('an operation that starts a task may answer 202, and can be waited for', () => {
  assert.deepEqual([mayGoOn(ask), mayGoOn(begin)], [false, true]);
  const { parameters, responses } = itemOf(begin, small);
  assert.ok(responses['2XX']);
  assert.deepEqual(parameters, [
    { $ref: '#/components/parameters/IdempotencyKey' },
    { $ref: '#/components/parameters/Prefer' },
  ]);
});

test('answers may gain members, requests may not', () => {
  const { ToolsAskResult, ToolsBeginRequest } = small.components.schemas;
  assert.equal(ToolsAskResult?.additionalProperties, undefined);
  assert.equal(ToolsBeginRequest?.additionalProperties, false);
});

test('a schema that reads differently as input has a second name; one that is like a named one refers to it', () => {
  const size = z.object({ cores: z.int().default(1), disk: z.int() });
  const again = z.object({ cores: z.int().default(1), disk: z.int() });
  const resize = operation({
    ...base,
    method: 'POST',
    path: 'tools/resize',
    input: z.strictObject({ size, name: z.string() }),
    output: z.object({ size, before: again.describe('Until now') }),
    example: { input: { size: { disk: 3 }, name: 'x' } },
    handle: () => ({ size: { disk: 3 }, before: { disk: 3 } }),
  });
  const { schemas } = JSON.parse(
    JSON.stringify(openApiDocument([resize], { schemas: { Size: size }, answers: {}, events: {} })),
  ).components;
  assert.deepEqual(schemas.Size.required, ['cores', 'disk']);
  assert.deepEqual(schemas.SizeInput.required, ['disk']);
  assert.deepEqual(schemas.ToolsResizeRequest.properties.size, { $ref: '#/components/schemas/SizeInput' });
  assert.deepEqual(schemas.ToolsResizeResult.properties, {
    size: { $ref: '#/components/schemas/Size' },
    before: { description: 'Until now', $ref: '#/components/schemas/Size' },
  });
});
