import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackendUnavailable } from '../../src/drivers/outcome.ts';
import type { Resolver } from '../../src/drivers/resolver/port.ts';

/** What the DNS under test has. */
export interface KnownNames {
  /** Has an IPv4 and an IPv6 address. */
  readonly host: string;
  readonly pointer: string;
  readonly text: string;
  /** Is not there. */
  readonly missing: string;
  /** Is not answered before any deadline. */
  readonly silent: string;
}

const DEADLINE_MS = 5_000;
const SOON_MS = 50;

/** What every driver of the port keeps. `open` gives one that asks a DNS with the known names. */
export function resolverContract(driver: string, open: () => Resolver, names: KnownNames): void {
  test(`${driver}: a host has its addresses, IPv4 first`, async () => {
    const addresses = await open().addresses(names.host, DEADLINE_MS);
    assert.deepEqual(
      addresses.map((address) => address.includes(':')),
      [false, true],
    );
  });

  test(`${driver}: pointers and texts are read`, async () => {
    const [pointer] = await open().pointers(names.pointer, DEADLINE_MS);
    assert.match(pointer ?? '', /^[a-z0-9.-]+[a-z0-9]$/);
    assert.equal((await open().texts(names.text, DEADLINE_MS)).length, 1);
  });

  test(`${driver}: where there is nothing, the answer is nothing`, async () => {
    assert.deepEqual(await open().addresses(names.missing, DEADLINE_MS), []);
    assert.deepEqual(await open().pointers(names.missing, DEADLINE_MS), []);
    assert.deepEqual(await open().texts(names.missing, DEADLINE_MS), []);
    assert.deepEqual(await open().nameservers(names.missing, DEADLINE_MS), []);
  });

  test(`${driver}: names asked for at the same time get their own answers`, async () => {
    const resolver = open();
    const answers = await Promise.all(
      [names.host, names.missing, names.host].map((name) => resolver.addresses(name, DEADLINE_MS)),
    );
    assert.deepEqual(
      answers.map(({ length }) => length),
      [2, 0, 2],
    );
  });

  test(`${driver}: no answer is none, and the deadline ends the wait`, async () => {
    await assert.rejects(open().addresses(names.silent, SOON_MS), BackendUnavailable);
    await assert.rejects(open().pointers(names.silent, SOON_MS), BackendUnavailable);
    await assert.rejects(open().texts(names.silent, SOON_MS), BackendUnavailable);
    await assert.rejects(open().nameservers(names.silent, SOON_MS), BackendUnavailable);
  });
}
