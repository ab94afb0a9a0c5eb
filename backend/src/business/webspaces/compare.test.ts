import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundSite } from '../../drivers/webserver/port.ts';
import { compare, type RecordedWebspace } from './compare.ts';

const booked = (change: Partial<RecordedWebspace> = {}): RecordedWebspace => ({
  id: 'a',
  host: 'web1',
  state: 'active',
  gone: false,
  busy: false,
  ...change,
});
const found = (change: Partial<FoundSite> = {}): FoundSite => ({
  webspaceId: 'a',
  username: 'web1',
  state: 'on',
  runs: true,
  ...change,
});
const kinds = (webspaces: RecordedWebspace[], sites: FoundSite[], delivered = ['a']) => {
  const { differences, stopped } = compare('web1', webspaces, new Set(delivered), sites);
  return [...differences.map(({ kind }) => kind), ...stopped.map(() => 'stopped')];
};

test('what is as the books say is no difference', () => {
  assert.deepEqual(kinds([booked()], [found()]), []);
  assert.deepEqual(kinds([booked({ state: 'suspended' })], [found({ state: 'suspended', runs: false })]), []);
  assert.deepEqual(kinds([booked({ state: 'deleted', gone: true })], []), []);
});

test('what the books do not know, know elsewhere, or know otherwise is told', () => {
  assert.deepEqual(kinds([], [found()]), ['site_unknown']);
  assert.deepEqual(kinds([booked({ gone: true })], [found()]), ['site_unknown']);
  assert.deepEqual(kinds([booked({ host: 'web2' })], [found()]), ['site_elsewhere']);
  assert.deepEqual(kinds([booked({ state: 'suspended' })], [found()]), ['site_state_differs']);
  assert.deepEqual(kinds([booked()], [found({ state: 'suspended', runs: false })]), ['site_state_differs']);
  assert.deepEqual(kinds([booked()], []), ['site_missing']);
});

test('a site that should run and does not is to be started', () => {
  assert.deepEqual(kinds([booked()], [found({ runs: false })]), ['stopped']);
});

test('nothing is said of what is worked on, or came to be while the host was asked', () => {
  assert.deepEqual(kinds([booked({ busy: true })], [found({ state: 'suspended' })]), []);
  assert.deepEqual(kinds([booked({ busy: true })], []), []);
  assert.deepEqual(kinds([booked({ state: 'provisioning' })], [found()]), []);
  assert.deepEqual(kinds([booked()], [], []), []);
});
