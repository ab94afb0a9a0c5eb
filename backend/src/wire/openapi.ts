import { sessionCookieName } from '../business/accounts/session.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { byGroup, GROUPS, groupOf } from './group.ts';
import { inputSchema, outputSchema, type Schema } from './schema.ts';

/** Errors that any operation may answer with, beside its own. */
export function commonErrors(operation: Operation): readonly ErrorCode[] {
  const codes: ErrorCode[] = [
    'malformed_request',
    'validation_failed',
    'payload_too_large',
    'unsupported_media_type',
    'rate_limited',
    'internal_error',
    'backend_unavailable',
  ];
  if (operation.method === 'GET') codes.push('parameter_conflict');
  // A token that is sent is looked at even where none is needed.
  codes.push('token_invalid', 'token_expired', 'token_revoked', 'ip_not_allowed');
  if (operation.audience !== 'public') codes.push('token_missing', 'scope_missing');
  if (operation.security || operation.wholeAccount) codes.push('token_restricted');
  if (operation.security && operation.audience !== 'staff') codes.push('impersonation_restricted');
  if (operation.audience === 'staff') codes.push('operation_not_found');
  if (operation.method === 'POST') codes.push('csrf_token_invalid');
  if (operation.kind !== 'read') codes.push('dry_run_only', 'outcome_unknown');
  if (operation.kind !== 'read' && operation.audience !== 'public') codes.push('resource_locked');
  if (operation.idempotent)
    codes.push('idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_in_progress');
  return codes;
}

/** Every error of an operation, its own first, each once. */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  return [...new Set([...operation.errors, ...commonErrors(operation)])];
}

/** Whether an answer may be 202, with a task that goes on. */
export function mayGoOn(operation: Operation): boolean {
  if (operation.kind === 'read') return false;
  const output = outputSchema(operation);
  return [output, ...(output.anyOf ?? [])].some((form) => form.properties?.task !== undefined);
}

/** The interface as an OpenAPI 3.1 document. */
export function openApiDocument(operations: readonly Operation[]): object {
  const groups = byGroup(operations);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hostkeep',
      version: '2',
      summary: 'The customer interface of a hosting provider.',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v2' }],
    tags: groups.map(([name]) => ({ name, description: GROUPS[name]?.description ?? name })),
    security: [{ token: [] }, { session: [] }],
    paths: Object.fromEntries(
      groups.flatMap(([, members]) =>
        members.map((operation) => [
          `/${operation.path}`,
          { [operation.method.toLowerCase()]: pathItem(operation) },
        ]),
      ),
    ),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An access token: `hk_…`' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName('https://'),
          description:
            'The cookie of a log-in; over plain HTTP it is `hostkeep_session`. Every POST that carries it must carry ' +
            '`X-CSRF-Token`.',
        },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      schemas: { Error: errorSchema },
    },
  };
}

const DESCRIPTION = `Parameters of a GET are sent in the query (a list repeats its name), or as a JSON object in the body.
Times are \`YYYY-MM-DD HH:MM:SS\` in UTC. Amounts are numbers in major units of the \`currency\` beside them.
\`Accept-Language\` chooses the language of texts; clients decide on codes alone. Answers may gain members at any time.`;

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Visible ASCII characters. The same key with the same body takes effect once, and is answered alike for at least 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: '`wait=<seconds>`, at most 30: waits that long for the task to finish (RFC 7240).',
    schema: { type: 'string' },
  },
};

const HEADERS = {
  RequestId: { description: 'Names this request in logs.', schema: { type: 'string', format: 'uuid' } },
  RateLimitLimit: { description: 'Requests that one window allows.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'About how many are left.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'Seconds until the window ends.', schema: { type: 'integer' } },
  IdempotentReplayed: {
    description: '`true`: this is the answer that the key was given before.',
    schema: { type: 'string', const: 'true' },
  },
  RetryAfter: { description: 'Seconds to wait before another try.', schema: { type: 'integer' } },
  WwwAuthenticate: { description: 'RFC 6750.', schema: { type: 'string' } },
};

type Header = readonly [field: string, component: keyof typeof HEADERS];

const REPLAYED: Header = ['Idempotent-Replayed', 'IdempotentReplayed'];

const headers = (...names: readonly Header[]) =>
  Object.fromEntries(names.map(([field, name]) => [field, { $ref: `#/components/headers/${name}` }]));

function pathItem(operation: Operation): object {
  const parameters = [
    ...(operation.method === 'GET' ? queryParameters(inputSchema(operation)) : []),
    ...(operation.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(mayGoOn(operation) ? [{ $ref: '#/components/parameters/Prefer' }] : []),
  ];
  return {
    operationId: operation.path.replace('/', '.'),
    tags: [groupOf(operation)],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.audience === 'public' ? { security: [] } : {}),
    ...(operation.scope === null ? {} : { 'x-scope': operation.scope }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.method === 'POST' ? { requestBody: requestBody(operation) } : {}),
    responses: responses(operation),
  };
}

function queryParameters(input: Schema): object[] {
  return Object.entries(input.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: input.required?.includes(name) === true,
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function requestBody(operation: Operation): object {
  const schema = inputSchema(operation);
  return {
    required: (schema.required ?? []).length > 0,
    content: { 'application/json': { schema, example: operation.example.input } },
  };
}

function responses(operation: Operation): object {
  const { example } = operation;
  const success = {
    description: operation.message.en,
    headers: headers(
      ['X-Request-Id', 'RequestId'],
      ['RateLimit-Limit', 'RateLimitLimit'],
      ['RateLimit-Remaining', 'RateLimitRemaining'],
      ['RateLimit-Reset', 'RateLimitReset'],
      ...(operation.idempotent ? [REPLAYED] : []),
    ),
    content: {
      'application/json': {
        schema: envelope(outputSchema(operation)),
        ...(example.output === undefined
          ? {}
          : {
              example: {
                response: operation.message.en,
                state: 'success',
                code: 200,
                data: example.output,
              },
            }),
      },
    },
  };
  const answers: Record<string, object> = { 200: success };
  if (mayGoOn(operation)) answers[202] = { ...success, description: 'Accepted: `data.task` goes on.' };
  const byStatus = Map.groupBy(errorsOf(operation), (code) => ERRORS[code].status);
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    answers[status] = failure(status, codes);
  }
  return answers;
}

function failure(status: number, codes: readonly ErrorCode[]): object {
  const more: Header[] = [];
  if (status === 401) more.push(['WWW-Authenticate', 'WwwAuthenticate']);
  if (status === 429 || status === 503) more.push(['Retry-After', 'RetryAfter']);
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headers(['X-Request-Id', 'RequestId'], ...more),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

function envelope(data: Schema): object {
  return {
    type: 'object',
    required: ['response', 'state', 'code', 'data'],
    properties: {
      response: { type: 'string', description: 'For people' },
      state: { type: 'string', const: 'success' },
      code: { type: 'integer', description: 'The HTTP status' },
      data,
    },
  };
}

const errorSchema = {
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
    response: { type: 'string', description: 'For people; the same as `detail`' },
    state: { type: 'string', const: 'error' },
    code: { type: 'integer', description: 'The HTTP status' },
    data: { type: 'null' },
    error: { type: 'string', enum: Object.keys(ERRORS), description: 'What clients decide on' },
    errors: {
      type: 'array',
      description: 'What is wrong with single fields',
      items: {
        type: 'object',
        required: ['pointer', 'error', 'message'],
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer (RFC 6901) into the request' },
          error: {
            type: 'string',
            enum: [
              'required',
              'unknown_field',
              'invalid_type',
              'invalid_format',
              'out_of_range',
              'too_long',
              'not_allowed',
            ],
          },
          message: { type: 'string' },
          allowed: { type: 'array', items: {} },
          limit: { type: 'number' },
        },
      },
    },
    request_id: { type: 'string', format: 'uuid' },
    retryable: { type: 'boolean', description: 'Whether the same request may succeed later' },
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
  },
};
