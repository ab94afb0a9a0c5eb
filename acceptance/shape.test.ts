import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  array,
  hourlyPrice,
  integer,
  money,
  nullable,
  numericText,
  object,
  string,
  timestamp,
  uuid,
} from './shape.ts';

const fits = (faults: string[]) => assert.deepEqual(faults, []);
const faulty = (faults: string[], start: string) => {
  assert.equal(faults.length, 1, faults.join('; '));
  const [fault = ''] = faults;
  assert.ok(fault.startsWith(start), fault);
};

test('an object has every documented field and no other, and a fault names its path', () => {
  const shape = object({ list: array(object({ id: integer })) }, { note: string });
  fits(shape({ list: [{ id: 1 }], note: 'x' }, ''));
  fits(shape({ list: [] }, ''));
  faulty(shape({ list: [{ id: 1 }, {}] }, ''), '/list/1/id: missing');
  faulty(shape({ list: [], extra: 1 }, ''), '/extra: not documented');
  faulty(shape({ list: {} }, ''), '/list: an array expected');
  faulty(shape({ list: [null] }, ''), '/list/0: an object expected');
});

test('types are exact: no numeric text for a number, no null where none is documented', () => {
  faulty(integer('1', '/a'), '/a: an integer expected');
  faulty(integer(1.5, '/a'), '/a: an integer expected');
  faulty(string(null, '/a'), '/a: a string expected');
  fits(nullable(string)(null, '/a'));
  fits(numericText('16', '/a'));
  faulty(numericText('16 GB', '/a'), '/a: numeric text expected');
  faulty(uuid('0198F6C2-6F0E-7C55-9D0E-0A3A2F0E5B11', '/a'), '/a: a lower-case UUID expected');
});

test('an amount has at most two decimals, an hourly price four', () => {
  fits(money(3.1, '/a'));
  fits(money(-0.01, '/a'));
  faulty(money(0.1 + 0.2, '/a'), '/a: an amount');
  fits(hourlyPrice(0.0123, '/a'));
  faulty(hourlyPrice(0.01234, '/a'), '/a: an amount');
});

test('a timestamp is a moment in the one documented form', () => {
  fits(timestamp('2028-02-29 23:59:59', '/a'));
  for (const wrong of ['2026-02-29 00:00:00', '2026-02-28T00:00:00', '2026-02-28 24:00:00', '2026-02-28']) {
    faulty(timestamp(wrong, '/a'), '/a: a timestamp');
  }
});
