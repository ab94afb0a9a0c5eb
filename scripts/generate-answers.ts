/**
 * Calls each operation of the whole program, and keeps what it answered as the example that the contract and the
 * reference show: `npm run generate:answers [operation…]`. An answer that is kept already stays as it is while its form
 * does; named operations are answered anew. The test of all operations fails when a kept answer has another form.
 */
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { operations } from '../backend/src/operations.generated.ts';
import { differencesOfForm } from '../backend/test/answer-form.ts';
import { casesOf, loadCases } from '../backend/test/cases/load.ts';
import { openHarness } from '../backend/test/harness.ts';
import { ROOT, write } from './generated-file.ts';
import { readableJson } from './readable-json.ts';

const FILE = 'backend/src/answers.generated.json';
const MOST_ROWS = 1;
const LONGEST = 100;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const anew = process.argv.slice(2);
const kept: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(`${ROOT}/${FILE}`, 'utf8'));
const harness = await openHarness();

// The harness closes when its tests have ended.
test('each operation answers', async () => {
  const cases = await loadCases();
  const answers: [path: string, data: unknown][] = [];
  for (const operation of operations) {
    const { path } = operation;
    const before = kept[path];
    const prepared = await casesOf(cases, path).succeeds(harness);
    const data = shown(await harness.data(operation, prepared));
    const stays =
      before !== undefined && !anew.includes(path) && differencesOfForm(before, data).length === 0;
    answers.push([path, stays ? before : data]);
  }
  write({ name: FILE, text: readableJson(Object.fromEntries(answers)) });
});

/** The answer as an example: few rows, short texts, and plain names in place of what is random. */
function shown(data: unknown): unknown {
  const uuids = new Map<string, string>();
  const uuidFor = (uuid: string) => {
    const known = uuids.get(uuid);
    if (known !== undefined) return known;
    const made = `0198f6c2-6f0e-7c55-9d0e-${String(uuids.size + 1).padStart(12, '0')}`;
    uuids.set(uuid, made);
    return made;
  };
  const shorten = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const text = value
        .replaceAll(UUID, uuidFor)
        .replaceAll(/[0-9a-f]{16}@example\.com/g, 'dana@example.com')
        .replaceAll(harness.running.address, 'https://hosting.example')
        .replaceAll(/127\.0\.0\.1:\d{4,5}/g, 'hosting.example')
        .replaceAll(/\bhk_[\w-]{43}\b/g, 'hk_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')
        .replaceAll('Test Person', 'Dana Weber');
      return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
    }
    if (Array.isArray(value)) return value.slice(0, MOST_ROWS).map(shorten);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shorten(member)]));
  };
  return shorten(data);
}
