import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDatabaseAddress } from './address.ts';

const hostsOf = (text: string) =>
  parseDatabaseAddress(text)?.hosts.map(({ host, port }) => `${host} ${port}`) ?? null;

test('an address names one server or several, as libpq reads it', () => {
  for (const [text, hosts] of [
    ['postgres://u:p@one:5433/db', ['one 5433']],
    ['postgresql://u:p@one,two:5433/db?target_session_attrs=read-write', ['one 5432', 'two 5433']],
    ['postgres://u:p@[::1]:5433,[fd00::2]/db', ['::1 5433', 'fd00::2 5432']],
    ['postgres://u:p%40x@%2Frun%2Fa:5433,two/db', ['/run/a 5433', 'two 5432']],
    ['postgres:///db?host=one,two&port=5444', ['one 5444', 'two 5444']],
    ['postgres://u:p@w@one/db', ['one 5432']],
    ['postgres:///db?host=/run/postgresql', ['/run/postgresql 5432']],
    ['postgres://', ['localhost 5432']],
  ] as const)
    assert.deepEqual(hostsOf(text), hosts, text);
});

test('what is no address of servers is refused', () => {
  for (const text of [
    'mysql://one/db',
    'one/db',
    'postgres://one,,two/db',
    'postgres://one:0/db',
    'postgres://one:70000/db',
    'postgres://one:x/db',
    'postgres://%zz/db',
    'postgres://one/db?target_session_attrs=standby',
    'postgres:///db?host=one,two,three&port=1,2',
  ])
    assert.equal(parseDatabaseAddress(text), null, text);
});

test('the driver gets the first host, without what it does not know', () => {
  assert.equal(
    parseDatabaseAddress('postgres://u:p@one,two:1/db?target_session_attrs=primary&sslmode=require')?.ofFirst,
    'postgres://u:p@one:5432/db?sslmode=require',
  );
  assert.equal(
    parseDatabaseAddress('postgres://u@/db?host=[::1],two&port=7')?.ofFirst,
    'postgres://u@[::1]:7/db',
  );
});
