import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { digestOf } from './passed-checks.ts';

test('the digest tells any other content, name and file, and nothing that the check does not read', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'digest-'));
  t.after(() => rm(folder, { recursive: true }));
  const digest = () => digestOf(['*.sql', 'one.ts'], folder);
  const seen = new Set<string>();
  const isNew = (what: string) => {
    assert.ok(!seen.has(digest()), what);
    seen.add(digest());
  };
  await writeFile(join(folder, 'a.sql'), 'one');
  isNew('a file');
  await writeFile(join(folder, 'a.sql'), 'two');
  isNew('other content of the same length');
  await rename(join(folder, 'a.sql'), join(folder, 'b.sql'));
  isNew('another name');
  await writeFile(join(folder, 'c.sql'), '');
  isNew('an empty file more');
  const before = digest();
  await writeFile(join(folder, 'two.ts'), 'two');
  assert.equal(digest(), before);
});
