import { z } from 'zod';
import { sessionCookieName } from '../business/core/access/session.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { EVENTS, type EventType } from '../unit-of-work/event.ts';
import { Components } from './components.ts';
import { byGroup, GROUPS, groupOf } from './group.ts';
import { outputSchema, type Schema } from './schema.ts';

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
  if (
    (operation.security || operation.plantsAccess || operation.plantingMembers.length > 0) &&
    operation.audience !== 'staff'
  )
    codes.push('impersonation_restricted');
  if (operation.audience === 'staff') codes.push('operation_not_found', 'two_factor_setup_required');
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

/** What the document names and shows beyond the definitions. */
export interface Contract {
  /** Schemas by the names that the document has for them. */
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  /** What the operations answered when they were tried, by their paths: the `data` of success. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The `data` of events, by their types. */
  readonly events: Readonly<Partial<Record<EventType, z.ZodType>>>;
}

/** `panel/license-file` → `panelLicenseFile` */
export function operationId(path: string): string {
  return path.replace(/[/-](.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The interface as an OpenAPI 3.1 document. */
export function openApiDocument(operations: readonly Operation[], contract: Contract): object {
  const groups = byGroup(operations);
  const components = new Components(contract.schemas);
  const paths = Object.fromEntries(
    groups.flatMap(([, members]) =>
      members.map((operation) => [
        `/${operation.path}`,
        { [operation.method.toLowerCase()]: pathItem(operation, components, contract) },
      ]),
    ),
  );
  const webhooks =
    contract.schemas.Event === undefined
      ? {}
      : webhooksOf(components, contract.schemas.Event, contract.events);
  const statuses = new Set(operations.flatMap((one) => errorsOf(one).map((code) => ERRORS[code].status)));
  return components.complete((schemas) => ({
    openapi: '3.1.0',
    info: {
      title: 'Hostkeep',
      version: '2',
      summary: 'The customer interface of a hosting provider.',
      description: DESCRIPTION,
      contact: { name: 'Hostkeep', url: 'https://hostkeep.dev' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v2' }],
    tags: groups.map(([name]) => ({ name, description: GROUPS[name]?.description ?? name })),
    security: [{ token: [] }, { session: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: {
        ...Object.fromEntries(
          [...statuses.difference(ANYWHERE)]
            .sort()
            .map((status) => [responseName(status), failure([status])]),
        ),
        Failure: failure([...ANYWHERE]),
      },
      schemas: { Envelope: ENVELOPE, Error: ERROR, ErrorCode: ERROR_CODE, ...schemas },
    },
  }));
}

const SECURITY_SCHEMES = {
  token: { type: 'http', scheme: 'bearer', description: 'An access token: `hk_…`' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName('https://'),
    description:
      'The cookie of a log-in; over plain HTTP it is `hostkeep_session`. Every POST that carries it must carry ' +
      '`X-CSRF-Token`.',
  },
};

const DESCRIPTION = `Parameters of a GET are sent in the query (a list repeats its name), or as a JSON object in the body.
Times are \`YYYY-MM-DD HH:MM:SS\` in UTC: with \`T\` for the space and a \`Z\` behind it that is RFC 3339, which inputs take
too, with any offset. Amounts are numbers in major units of the \`currency\` beside them.
\`Accept-Language\` chooses the language of texts; clients decide on codes alone. Answers may gain members at any time.
202 is success too: \`data.task\` goes on. Every answer carries \`X-Request-Id\`, and \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\` of the running window; one that repeats what a key was answered before
carries \`Idempotent-Replayed: true\`. Each operation lists its errors in \`x-error-codes\`.`;

/** What the query of every list takes. */
const PAGING = {
  Page: {
    name: 'page',
    in: 'query',
    schema: { default: 1, type: 'integer', minimum: 1, maximum: 1_000_000 },
  },
  PerPage: {
    name: 'per_page',
    in: 'query',
    schema: { default: 25, type: 'integer', minimum: 1, maximum: 100 },
  },
  SortOrder: {
    name: 'order',
    in: 'query',
    schema: { default: 'desc', type: 'string', enum: ['asc', 'desc'] },
  },
  Search: { name: 'search', in: 'query', schema: { type: 'string', maxLength: 100 } },
};

const PARAMETERS = {
  ...PAGING,
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Visible ASCII characters. The same key with the same body takes effect once, and is answered alike for at least 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`wait=<seconds>`, at most 30: waits that long for the task to finish (RFC 7240).',
    schema: { type: 'string' },
  },
};

const HEADERS = {
  RequestId: { description: 'Names this request in logs.', schema: { type: 'string', format: 'uuid' } },
  RetryAfter: { description: 'Seconds to wait before another try.', schema: { type: 'integer' } },
  WwwAuthenticate: { description: 'RFC 6750.', schema: { type: 'string' } },
};

type Header = readonly [field: string, component: keyof typeof HEADERS];

const headers = (...names: readonly Header[]) =>
  Object.fromEntries(names.map(([field, name]) => [field, { $ref: `#/components/headers/${name}` }]));

function pathItem(operation: Operation, components: Components, { answers }: Contract): object {
  const id = operationId(operation.path);
  const name = id.charAt(0).toUpperCase() + id.slice(1);
  const parameters = [
    ...(operation.method === 'GET' ? queryParameters(components.schemaOf(operation.input, 'input')) : []),
    ...(operation.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(mayGoOn(operation) ? [{ $ref: '#/components/parameters/Prefer' }] : []),
  ];
  return {
    operationId: id,
    tags: [groupOf(operation)],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.audience === 'public' ? { security: [] } : {}),
    'x-audience': operation.audience,
    ...(operation.scope === null ? {} : { 'x-scope': operation.scope }),
    ...(operation.idempotent ? { 'x-idempotent': true } : {}),
    'x-error-codes': [...errorsOf(operation)].sort(),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.method === 'POST' ? { requestBody: requestBody(operation, name, components) } : {}),
    responses: responses(
      operation,
      components.name(`${name}Result`, operation.output, 'output'),
      answers[operation.path],
    ),
  };
}

function queryParameters(input: Schema): object[] {
  return Object.entries(input.properties ?? {}).map(([name, { description, ...schema }]) => {
    const parameter = {
      name,
      in: 'query',
      ...(input.required?.includes(name) === true ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema,
    };
    const text = JSON.stringify(parameter);
    const shared = Object.entries(PAGING).find(([, member]) => JSON.stringify(member) === text);
    return shared === undefined ? parameter : { $ref: `#/components/parameters/${shared[0]}` };
  });
}

function requestBody(operation: Operation, name: string, components: Components): object {
  const { required = [] } = components.schemaOf(operation.input, 'input');
  const schema = components.name(`${name}Request`, operation.input, 'input');
  return {
    required: required.length > 0,
    content: { 'application/json': { schema, example: operation.example.input } },
  };
}

function responses(operation: Operation, data: Schema, answer: unknown): object {
  const message = operation.message.en;
  const success = {
    description: message,
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Envelope' }, { properties: { data } }],
        },
        ...(answer === undefined ? {} : { example: successExample(operation, answer) }),
      },
    },
  };
  // 202: `data.task` goes on.
  const answers: Record<string, object> = mayGoOn(operation) ? { '2XX': success } : { 200: success };
  for (const status of new Set(errorsOf(operation).map((code) => ERRORS[code].status)))
    if (!ANYWHERE.has(status)) answers[status] = { $ref: `#/components/responses/${responseName(status)}` };
  return { ...answers, default: { $ref: '#/components/responses/Failure' } };
}

/** A whole answer of an operation, with this `data`. */
export function successExample(operation: Operation, data: unknown): object {
  return { response: operation.message.en, state: 'success', code: 200, data };
}

const WEBHOOK_ANSWERS = { '2XX': { description: 'Accepted. After any other answer it is sent again.' } };

/** Each event as a webhook sends it. */
function webhooksOf(components: Components, event: z.ZodType, bodies: Contract['events']): object {
  const envelope = components.schemaOf(z.object({ event }), 'output').properties?.event;
  return Object.fromEntries(
    (Object.entries(bodies) as [EventType, z.ZodType][]).map(([type, body]) => [
      type,
      {
        post: {
          operationId: `on${type.replace(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase())}`,
          summary: EVENTS[type].when,
          tags: [GROUPS[type.replace(/\..*/, '')] === undefined ? 'account' : type.replace(/\..*/, '')],
          security: [],
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  allOf: [
                    envelope,
                    {
                      properties: {
                        type: { const: type },
                        data: components.schemaOf(body, 'output'),
                      },
                    },
                  ],
                },
              },
            },
          },
          responses: WEBHOOK_ANSWERS,
        },
      },
    ]),
  );
}

/** Statuses that any operation may answer with, whatever it does: its `default`. */
const ANYWHERE: ReadonlySet<number> = new Set([400, 401, 403, 413, 415, 429, 500, 503]);

const STATUS_NAMES: Readonly<Record<number, string>> = {
  402: 'PaymentRequired',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  414: 'UriTooLong',
  422: 'UnprocessableContent',
  423: 'Locked',
  431: 'HeadersTooLarge',
  501: 'NotImplemented',
  502: 'BadGateway',
  504: 'GatewayTimeout',
};

function responseName(status: number): string {
  const name = STATUS_NAMES[status];
  if (name === undefined) throw new Error(`the status ${status} has no name`);
  return name;
}

/** What an operation answers with one of these statuses: its `x-error-codes` say which of the codes. */
function failure(statuses: readonly number[]): object {
  const more: Header[] = [];
  if (statuses.includes(401)) more.push(['WWW-Authenticate', 'WwwAuthenticate']);
  if (statuses.includes(503)) more.push(['Retry-After', 'RetryAfter']);
  const codes = Object.entries(ERRORS).filter(([, { status }]) => statuses.includes(status));
  return {
    description: codes.map(([code, { title }]) => `\`${code}\`: ${title}.`).join(' '),
    headers: headers(['X-Request-Id', 'RequestId'], ...more),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

const ENVELOPE = {
  type: 'object',
  description: 'What every answer has beside its `data`.',
  required: ['response', 'state', 'code', 'data'],
  properties: {
    response: { type: 'string', description: 'For people' },
    state: { type: 'string', const: 'success' },
    code: { type: 'integer', description: 'The HTTP status' },
    data: { description: 'What the operation answers' },
  },
};

const ERROR_CODE = {
  type: 'string',
  description: 'What clients decide on. The reference of errors says what each means.',
  enum: Object.keys(ERRORS),
};

const ERROR = {
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
    error: { $ref: '#/components/schemas/ErrorCode' },
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
