import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { operations } from '../../src/operations.generated.ts';
import { groupOf } from '../../src/wire/group.ts';
import type { Cases, OperationCases } from './case.ts';

/** The cases of every group that has some. */
export async function loadCases(): Promise<Cases> {
  const groups = [...new Set(operations.map(groupOf))];
  const files = groups
    .map((group) => new URL(`./${group}.ts`, import.meta.url))
    .filter((file) => existsSync(file));
  const modules: { cases: Cases }[] = await Promise.all(files.map((file) => import(file.href)));
  return Object.assign({}, ...modules.map((module) => module.cases));
}

/** Those of one operation, which must have some. */
export function casesOf(cases: Cases, path: string): OperationCases {
  const found = cases[path];
  const file = `backend/test/cases/${path.replace(/\/.*/, '')}.ts`;
  assert.ok(found, `${path} has no cases: say in ${file} how it is called`);
  return found;
}
