import { z } from 'zod';
import type { Json } from '../base/canonical.ts';
import { type InputProblem, Refusal } from '../errors.ts';
import { checkNesting } from './nesting.ts';

const MAX_PROBLEMS = 50;
/** Of all problems of an answer as JSON: an answer is not as long as the request that provokes it. */
const MAX_PROBLEM_LENGTH = 24 * 1024;
/** Of a pointer; a longer one is cut, since it consists of what the client sent. */
const MAX_POINTER_LENGTH = 512;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** A request body as JSON. Bytes that are not UTF-8, not JSON or nested too deeply are refused as such. */
export function parseJsonBody(bytes: Buffer): Json {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed('it is not UTF-8');
  }
  const tooMuch = checkNesting(bytes);
  if (tooMuch !== null) throw malformed(tooMuch);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec((error as Error).message) ?? [];
    throw malformed(
      line === undefined ? 'it is not JSON' : `it is not JSON from line ${line}, column ${column} on`,
    );
  }
  checkTexts(value);
  return value;
}

function malformed(reason: string): Refusal {
  return new Refusal('malformed_request', { members: { reason } });
}

/** Where a value stands, as the way to it: the pointer is written out only when there is something to say of it. */
interface Place {
  readonly value: Json;
  readonly name: string | number;
  readonly parent: Place | null;
}

/**
 * What no text may hold anywhere, because no back end can keep it: NUL, and halves of surrogate pairs.
 * Walks without recursion, so nesting cannot exhaust the stack.
 */
function checkTexts(root: Json): void {
  const stack: Place[] = [{ value: root, name: '', parent: null }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const parent = next;
    const { value } = parent;
    if (typeof value === 'string') checkText(value, () => pointerTo(parent));
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const [name, member] of value.entries()) {
        if (holdsTexts(member)) stack.push({ value: member, name, parent });
      }
      continue;
    }
    for (const [name, member] of Object.entries(value)) {
      const inside = { value: member, name, parent };
      checkText(name, () => pointerTo(inside));
      if (holdsTexts(member)) stack.push(inside);
    }
  }
}

function holdsTexts(value: Json): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

function checkText(text: string, pointer: () => string): void {
  if (text.includes('\u0000') || !text.isWellFormed()) {
    throw invalid([
      {
        pointer: pointer().toWellFormed().replaceAll('\u0000', '\\u0000'),
        error: 'invalid_format',
        message: 'Text must be well-formed Unicode without NUL.',
      },
    ]);
  }
}

function pointerTo({ name, parent }: Place): string {
  return parent === null ? '' : `${pointerTo(parent)}/${escapePointer(String(name))}`;
}

/** RFC 6901 §3. */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * The query string's parameters: a repeated name is an array. Keys and values must be valid percent-encoded
 * UTF-8.
 */
export function parseQuery(query: string): Record<string, string | string[]> {
  const parameters: Record<string, string | string[]> = Object.create(null);
  if (query === '') return parameters;
  for (const part of query.split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const name = decodePart(at < 0 ? part : part.slice(0, at));
    const value = decodePart(at < 0 ? '' : part.slice(at + 1));
    checkText(name, () => '');
    checkText(value, () => `/${escapePointer(name)}`);
    const known = parameters[name];
    if (known === undefined) parameters[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else parameters[name] = [known, value];
  }
  return parameters;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw malformed('the query is not percent-encoded UTF-8');
  }
}

/**
 * The parameters of a GET: from the JSON body, the query, or both when they agree. Query texts take the type
 * that the operation's schema asks for (numbers, booleans, lists) before they are compared.
 */
export function mergeParameters(
  schema: z.ZodType,
  query: Record<string, string | string[]>,
  body: Json | undefined,
): Json {
  const names = Object.keys(query);
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) return body;
  if (names.length === 0) return body ?? {};
  const merged: { [name: string]: Json } = { ...body };
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
  for (const name of names) {
    const value = coerce(shape[name], query[name] ?? '');
    if (body && Object.hasOwn(body, name) && JSON.stringify(body[name]) !== JSON.stringify(value)) {
      throw new Refusal('parameter_conflict', { members: { parameter: name } });
    }
    if (name === '__proto__') throw invalid([unknownField('/__proto__')]);
    merged[name] = value;
  }
  return merged;
}

function coerce(schema: z.ZodType | undefined, value: string | string[]): Json {
  const type = baseType(schema);
  if (type instanceof z.ZodArray) {
    const element = type.element as z.ZodType;
    return (Array.isArray(value) ? value : [value]).map((item) => coerce(element, item));
  }
  if (Array.isArray(value)) return value;
  if (takesNumbers(type) && /^-?\d{1,15}(\.\d{1,10})?$/.test(value)) return Number(value);
  if (type instanceof z.ZodBoolean && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function takesNumbers(type: z.ZodType | undefined): boolean {
  if (type instanceof z.ZodLiteral) return [...type.values].every((value) => typeof value === 'number');
  return type instanceof z.ZodNumber;
}

function baseType(schema: z.ZodType | undefined): z.ZodType | undefined {
  let type = schema;
  while (type instanceof z.ZodOptional || type instanceof z.ZodDefault || type instanceof z.ZodNullable) {
    type = type.unwrap() as z.ZodType;
  }
  return type;
}

/** The input as the operation's schema makes it, or a refusal that names every problem. */
export function checkInput(schema: z.ZodType, value: Json): unknown {
  const parsed = schema.safeParse(value, { error: textOf });
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.values().flatMap((issue) => problemsOf(issue, value)));
}

/** The refusal of an input with these problems: the first of them, as many as an answer holds. */
export function invalid(problems: Iterable<InputProblem>): Refusal {
  const errors: InputProblem[] = [];
  let length = 0;
  for (const problem of problems) {
    const shown = { ...problem, pointer: cut(problem.pointer) };
    length += JSON.stringify(shown).length;
    if (errors.length >= MAX_PROBLEMS || (length > MAX_PROBLEM_LENGTH && errors.length > 0)) break;
    errors.push(shown);
  }
  const fields = errors.map((problem) => problem.pointer || '/').slice(0, 5);
  return new Refusal('validation_failed', { errors, members: { fields } });
}

function cut(pointer: string): string {
  if (pointer.length <= MAX_POINTER_LENGTH) return pointer;
  return `${pointer.slice(0, MAX_POINTER_LENGTH - 1)}…`.toWellFormed();
}

function unknownField(pointer: string): InputProblem {
  return { pointer, error: 'unknown_field', message: 'This field is not known.' };
}

const MISFITS: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

function problemsOf(issue: z.core.$ZodIssue, root: Json): Iterable<InputProblem> {
  const pointer = issue.path.map((part) => `/${escapePointer(String(part))}`).join('');
  // Nothing is of no type, none of the allowed values, and fits no form: what it lacks is to be there.
  if (MISFITS.has(issue.code) && valueAt(root, issue.path) === undefined) {
    return [{ pointer, error: 'required', message: 'This field is required.' }];
  }
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.values().map((key) => unknownField(`${pointer}/${escapePointer(key)}`));
    case 'invalid_type':
      return [{ pointer, error: 'invalid_type', message: issue.message }];
    case 'too_big': {
      const limit = Number(issue.maximum);
      const long = issue.origin === 'string' || issue.origin === 'array';
      return [{ pointer, error: long ? 'too_long' : 'out_of_range', message: issue.message, limit }];
    }
    case 'too_small':
      return [{ pointer, error: 'out_of_range', message: issue.message, limit: Number(issue.minimum) }];
    case 'invalid_value':
      return [{ pointer, error: 'not_allowed', message: issue.message, allowed: issue.values }];
    case 'invalid_union':
      return [{ pointer, error: 'invalid_type', message: 'This fits none of the accepted forms.' }];
    default:
      return [{ pointer, error: 'invalid_format', message: issue.message }];
  }
}

/** As many values are named in a text; `allowed` has all of them. */
const MOST_NAMED = 8;

/** What is said of an issue whose schema says nothing of its own; `problem-text.ts` has it in other languages. */
function textOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `This must be ${typeName(issue.expected)}.`;
    case 'invalid_value':
      if (issue.values.length > MOST_NAMED) return 'This is none of the values that are possible.';
      if (issue.values.length === 1) return `This must be ${String(issue.values[0])}.`;
      return `This must be one of ${issue.values.map(String).join(', ')}.`;
    case 'too_big':
      if (issue.origin === 'string') return `At most ${issue.maximum} characters.`;
      if (issue.origin === 'array') return `At most ${issue.maximum} entries.`;
      return issue.inclusive === false ? `Less than ${issue.maximum}.` : `At most ${issue.maximum}.`;
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') {
        if (issue.minimum === 1) return 'This must not be empty.';
        return `At least ${issue.minimum} ${issue.origin === 'string' ? 'characters' : 'entries'}.`;
      }
      return issue.inclusive === false ? `More than ${issue.minimum}.` : `At least ${issue.minimum}.`;
    case 'not_multiple_of':
      return `This must be a multiple of ${issue.divisor}.`;
    case 'invalid_format':
      return 'This does not have the right form.';
    default:
      return 'This cannot be used.';
  }
}

function typeName(expected: string): string {
  if (expected === 'null') return expected;
  const article = /^[aeio]/.test(expected) ? 'an' : 'a';
  return expected === 'int' ? 'an integer' : `${article} ${expected}`;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Record<PropertyKey, unknown>)[part]
        : undefined,
    root,
  );
}
