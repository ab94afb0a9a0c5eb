import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { StorageConnection } from '../../src/drivers/storage/port.ts';

export interface ContractSubject {
  readonly driver: StorageConnection;
  close(): Promise<void>;
}

/** What every driver of the storage port keeps. */
export function storageContract(name: string, open: () => Promise<ContractSubject>): void {
  describe(`the storage contract: ${name}`, () => {
    let subject: ContractSubject;
    before(async () => {
      subject = await open();
    });
    after(() => subject.close());

    const file = (size: number) => {
      const content = randomBytes(size);
      return { key: createHash('sha256').update(content).digest('hex'), content };
    };
    const read = async (key: string) => {
      const stored = await subject.driver.read(key);
      return stored === null ? null : Buffer.concat(await Array.fromAsync(stored));
    };

    for (const size of [1, 1000, 3 * 1024 * 1024])
      test(`what was stored is read back, all ${size} bytes of it`, async () => {
        const { key, content } = file(size);
        assert.equal(await read(key), null);
        assert.deepEqual(await subject.driver.ensureStored(key, content), { kind: 'done', result: null });
        assert.ok(content.equals((await read(key)) ?? Buffer.alloc(0)));
      });

    test('storing it again, and many times at once, changes nothing', async () => {
      const { key, content } = file(50_000);
      await Promise.all(Array.from({ length: 10 }, () => subject.driver.ensureStored(key, content)));
      await subject.driver.ensureStored(key, content);
      assert.ok(content.equals((await read(key)) ?? Buffer.alloc(0)));
    });

    for (const key of ['', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}/x`, '%2e%2e'])
      test(`${JSON.stringify(key)} is no key`, async () => {
        await assert.rejects(subject.driver.read(key), /SHA-256/);
        await assert.rejects(subject.driver.ensureStored(key, Buffer.from('x')), /SHA-256/);
      });

    test('a storage that can be used has no problem', async () => {
      assert.equal(await subject.driver.problem(), null);
    });
  });
}
