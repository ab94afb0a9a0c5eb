import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { storageContract } from '../../../../test/contracts/storage.ts';
import { openS3, S3 } from '../../../../test/s3.ts';
import { BackendUnavailable } from '../../outcome.ts';
import { S3Storage } from './storage.ts';

const server = await openS3();
after(() => server.close());
const open = (change: object = {}) => new S3Storage({ ...S3, bucketUrl: server.bucketUrl, ...change });
const content = Buffer.from('hello');
const key = createHash('sha256').update(content).digest('hex');

storageContract('s3', async () => ({ driver: open(), close: async () => {} }));

test('every request was signed as the server counts', () => {
  assert.deepEqual(server.refused, []);
});

test('another secret is refused, and said to be a problem', async () => {
  const driver = open({ secretKey: 'another' });
  await assert.rejects(driver.ensureStored(key, content), BackendUnavailable);
  await assert.rejects(driver.read(key), BackendUnavailable);
  assert.match((await driver.problem()) ?? '', /403/);
  assert.deepEqual([...new Set(server.refused)], ['SignatureDoesNotMatch']);
});

test('content that is not what its key says is not kept', async () => {
  await assert.rejects(open().ensureStored(key, Buffer.from('other')), BackendUnavailable);
  assert.equal(server.refused.at(-1), 'XAmzContentSHA256Mismatch');
  assert.equal(server.objects.has(key), false);
});

test('a failure of the server is no outcome, and the next attempt finds it well', async () => {
  server.faults.push(503);
  await assert.rejects(open().ensureStored(key, content), BackendUnavailable);
  server.faults.push(500);
  await assert.rejects(open().read(key), BackendUnavailable);
  assert.deepEqual(await open().ensureStored(key, content), { kind: 'done', result: null });
});

test('a request goes nowhere else, whatever the answer says', async () => {
  server.faults.push(307);
  await assert.rejects(open().read(key), BackendUnavailable);
});

test('a server that cannot be reached is unavailable', async () => {
  const driver = open({ bucketUrl: 'http://127.0.0.1:9/files' });
  await assert.rejects(driver.read(key), BackendUnavailable);
  assert.notEqual(await driver.problem(), null);
});
