import assert from 'node:assert/strict';

/** What a JSON text can hold. Answers are read through the functions below, which name what is missing. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [name: string]: Json;
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a JSON Pointer (RFC 6901, without its escapes); fails when nothing is there. */
export function at(json: Json, pointer: string): Json {
  let value = json;
  for (const name of pointer.split('/').slice(1)) {
    const next: Json | undefined = Array.isArray(value)
      ? value[Number(name)]
      : isObject(value) && Object.hasOwn(value, name)
        ? value[name]
        : undefined;
    if (next === undefined) assert.fail(`nothing at ${pointer} in ${JSON.stringify(json)?.slice(0, 2000)}`);
    value = next;
  }
  return value;
}

export function stringAt(json: Json, pointer: string): string {
  const value = at(json, pointer);
  if (typeof value !== 'string') assert.fail(`${pointer} is ${JSON.stringify(value)}, not a string`);
  return value;
}

export function numberAt(json: Json, pointer: string): number {
  const value = at(json, pointer);
  if (typeof value !== 'number') assert.fail(`${pointer} is ${JSON.stringify(value)}, not a number`);
  return value;
}

export function listAt(json: Json, pointer: string): Json[] {
  const value = at(json, pointer);
  if (!Array.isArray(value)) assert.fail(`${pointer} is ${JSON.stringify(value)}, not an array`);
  return value;
}

export function objectAt(json: Json, pointer: string): JsonObject {
  const value = at(json, pointer);
  if (!isObject(value)) assert.fail(`${pointer} is ${JSON.stringify(value)}, not an object`);
  return value;
}
