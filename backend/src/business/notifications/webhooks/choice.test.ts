import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_CHOICES, isChosen } from './choice.ts';

test('a type is chosen by itself, by its group, by all; and by nothing that only looks like it', () => {
  for (const choices of [['order.paid'], ['order.*'], ['*'], ['server.*', 'order.paid']])
    assert.ok(isChosen(choices, 'order.paid'), choices.join());
  for (const choices of [[], ['order.failed'], ['server.*'], ['order'], ['order.p*']])
    assert.ok(!isChosen(choices, 'order.paid'), choices.join());
});

test('a group takes in types that come later', () => {
  assert.ok(isChosen(['server.*'], 'server.teleported'));
});

test('tests are for the webhook that is tried out, and cannot be chosen', () => {
  assert.ok(!isChosen(['*', 'webhook.*', 'webhook.test'], 'webhook.test'));
  assert.deepEqual(
    EVENT_CHOICES.filter((choice) => choice.startsWith('webhook')),
    [],
  );
});

test('every choice chooses something, and none is there twice', () => {
  assert.equal(new Set(EVENT_CHOICES).size, EVENT_CHOICES.length);
  for (const choice of EVENT_CHOICES) {
    assert.ok(
      EVENT_CHOICES.some((type) => !type.endsWith('*') && isChosen([choice], type)),
      choice,
    );
  }
});
