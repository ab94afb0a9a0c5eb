import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openKeyFile, rotateKeyFile, Sealer } from './seal.ts';

const sealer = new Sealer('k1', new Map([['k1', randomBytes(32)]]));

test('a sealed value opens for its purpose only', () => {
  const sealed = sealer.seal('server-password', 'correct horse');
  assert.equal(sealer.openText('server-password', sealed), 'correct horse');
  assert.throws(() => sealer.open('license-key', sealed));
});

test('a sealed value that was changed anywhere does not open', () => {
  const sealed = sealer.seal('p', 'secret');
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    assert.throws(() => sealer.open('p', changed), `byte ${index}`);
  }
});

test('one text sealed twice looks different', () => {
  assert.notDeepEqual(sealer.seal('p', 'secret'), sealer.seal('p', 'secret'));
});

test('after a rotation new values use the new key and old values still open', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hostkeep-seal-'));
  try {
    const file = join(folder, 'keys');
    const before = openKeyFile(file);
    const sealed = before.seal('p', 'old');
    const id = rotateKeyFile(file);
    const after = openKeyFile(file);
    assert.equal(after.openText('p', sealed), 'old');
    assert.ok(after.seal('p', 'new').includes(id));
    assert.throws(() => before.open('p', after.seal('p', 'new')), /missing/);
    assert.deepEqual(after.digest('csrf', 'x'), before.digest('csrf', 'x'));
    assert.equal(statSync(file).mode & 0o777, 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
