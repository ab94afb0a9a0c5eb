import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Circuit } from './circuit.ts';

test('after so many failures in a row nobody is admitted for a while, then one probe at a time', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const circuit = new Circuit(3, 1_000);
  circuit.failed();
  circuit.failed();
  circuit.succeeded();
  circuit.failed();
  circuit.failed();
  assert.equal(circuit.admits(), true, 'a success between them starts the count anew');
  circuit.failed();
  assert.equal(circuit.admits(), false);
  now = 999;
  assert.equal(circuit.admits(), false);
  now = 1_000;
  assert.equal(circuit.admits(), true, 'the probe');
  assert.equal(circuit.admits(), false, 'one at a time');
  circuit.failed();
  now = 1_999;
  assert.equal(circuit.admits(), false, 'a probe that fails opens it anew');
  now = 2_000;
  assert.equal(circuit.admits(), true);
  circuit.succeeded();
  assert.deepEqual([circuit.admits(), circuit.admits()], [true, true]);
});

test('a probe that nobody hears of again does not keep it open for ever', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const circuit = new Circuit(1, 1_000);
  circuit.failed();
  now = 1_000;
  assert.equal(circuit.admits(), true);
  now = 2_000;
  assert.equal(circuit.admits(), true);
});
