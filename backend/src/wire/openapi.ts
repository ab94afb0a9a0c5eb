import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors.ts';
import type { Operation } from '../operation.ts';

type Schema = Record<string, unknown>;

/** Errors that any operation may answer with, beside its own. */
export function commonErrors(operation: Operation): readonly ErrorCode[] {
  const codes: ErrorCode[] = [
    'malformed_request',
    'validation_failed',
    'rate_limited',
    'internal_error',
    'backend_unavailable',
  ];
  if (operation.method === 'GET') codes.push('parameter_conflict');
  if (operation.audience !== 'public') {
    codes.push(
      'token_missing',
      'token_invalid',
      'token_expired',
      'token_revoked',
      'scope_missing',
      'ip_not_allowed',
    );
  }
  if (operation.kind !== 'read') codes.push('payload_too_large', 'unsupported_media_type', 'outcome_unknown');
  if (operation.kind !== 'read' && operation.audience !== 'public')
    codes.push('csrf_token_invalid', 'dry_run_only', 'resource_locked');
  if (operation.idempotent)
    codes.push('idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_in_progress');
  return codes;
}

/** Every error of an operation, its own first, each once. */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  return [...new Set([...operation.errors, ...commonErrors(operation)])];
}

/** The JSON Schema (2020-12) of what an operation takes. */
export function inputSchema(operation: Operation): Schema {
  return withoutDialect(z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }));
}

export function outputSchema(operation: Operation): Schema {
  return withoutDialect(z.toJSONSchema(operation.output, { io: 'output', unrepresentable: 'any' }));
}

function withoutDialect(schema: object): Schema {
  const { $schema: _, ...rest } = schema as Schema;
  return rest;
}

/** The interface as an OpenAPI 3.1 document. */
export function openApiDocument(operations: readonly Operation[]): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hostkeep',
      version: '2',
      summary: 'The customer interface of a hosting provider.',
      description:
        'GET parameters are sent in the query or as a JSON body. Times are UTC, amounts are in major units of the currency beside them.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v2' }],
    tags: [...new Set(operations.map((operation) => operation.path.split('/')[0]))].map((name) => ({ name })),
    security: [{ bearer: [] }],
    paths: Object.fromEntries(
      operations.map((operation) => [
        `/${operation.path}`,
        { [operation.method.toLowerCase()]: pathItem(operation) },
      ]),
    ),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An access token: `hk_…`' } },
      schemas: { Error: errorSchema },
      headers: {
        RequestId: { description: 'Names this request in logs.', schema: { type: 'string', format: 'uuid' } },
      },
    },
  };
}

function pathItem(operation: Operation): object {
  const schema = inputSchema(operation);
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = (schema.required ?? []) as string[];
  const [group] = operation.path.split('/');
  const parameters: object[] =
    operation.method === 'GET'
      ? Object.entries(properties).map(([name, property]) => ({
          name,
          in: 'query',
          required: required.includes(name),
          ...(typeof property.description === 'string' ? { description: property.description } : {}),
          schema: property,
        }))
      : [];
  if (operation.idempotent) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'The same key with the same body is answered once and for all.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    });
  }
  return {
    operationId: operation.path.replace('/', '.'),
    tags: [group],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.audience === 'public' ? { security: [] } : {}),
    ...(operation.scope === null ? {} : { 'x-scope': operation.scope }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.method === 'POST'
      ? {
          requestBody: {
            required: required.length > 0,
            content: { 'application/json': { schema, example: operation.example.input } },
          },
        }
      : {}),
    responses: responses(operation),
  };
}

function responses(operation: Operation): object {
  const success = {
    description: operation.message.en,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
    content: { 'application/json': { schema: envelope(outputSchema(operation)) } },
  };
  const answers: Record<string, object> = { 200: success };
  if (operation.settle !== null) answers[202] = { ...success, description: 'Accepted: `data.task` goes on.' };
  const byStatus = Map.groupBy(errorsOf(operation), (code) => ERRORS[code].status);
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    answers[status] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return answers;
}

function envelope(data: Schema): Schema {
  return {
    type: 'object',
    required: ['response', 'state', 'code', 'data'],
    properties: {
      response: { type: 'string' },
      state: { type: 'string', const: 'success' },
      code: { type: 'integer' },
      data,
    },
  };
}

const errorSchema: Schema = {
  type: 'object',
  description: 'The envelope, the members of RFC 9457, and extension members such as `shortfall`.',
  required: [
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
  ],
  properties: {
    response: { type: 'string' },
    state: { type: 'string', const: 'error' },
    code: { type: 'integer' },
    data: { type: 'null' },
    error: { type: 'string', enum: Object.keys(ERRORS) },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'error', 'message'],
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer (RFC 6901) into the request' },
          error: { type: 'string' },
          message: { type: 'string' },
          allowed: { type: 'array', items: {} },
          limit: { type: 'number' },
        },
      },
    },
    request_id: { type: 'string', format: 'uuid' },
    retryable: { type: 'boolean' },
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
  },
};
