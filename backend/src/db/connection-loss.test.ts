import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NoSuitableServer } from './connection.ts';
import { isConnectionLoss } from './connection-loss.ts';
import { CommitUnknown, TransactionAborted } from './transaction.ts';

const withCode = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more });

const AWAY: Readonly<Record<string, unknown>> = {
  'a connection exception': withCode('08006'),
  'a session ended by the operator': withCode('57P01'),
  'a crash': withCode('57P02'),
  'a server that starts or stops': withCode('57P03'),
  'a database that was dropped': withCode('57P04'),
  'a session that was idle': withCode('57P05'),
  'too many connections': withCode('53300'),
  'a server that only reads': withCode('25006'),
  'a standby, of a table that is not logged': withCode('0A000', { routine: 'get_relation_info' }),
  'a transaction that stood still': withCode('25P03'),
  'a transaction that took too long': withCode('25P04'),
  'a statement that took too long, or was cancelled': withCode('57014'),
  'no server that suits': new NoSuitableServer('no server is read-write: one:5432: refused'),
  'nothing that listens': withCode('ECONNREFUSED'),
  'nothing that listens on any address of a name': new AggregateError([
    withCode('ECONNREFUSED'),
    withCode('ENETUNREACH'),
  ]),
  'a name that is gone': withCode('ENOTFOUND'),
  'a socket that was closed': withCode('ERR_STREAM_DESTROYED'),
  'a connection that broke': new Error('Connection terminated unexpectedly'),
  'a connection that broke before': new Error(
    'Client has encountered a connection error and is not queryable',
  ),
  'a connection that was given up': new Error('Client was closed and is not queryable'),
  'a server that does not greet': new Error('timeout expired'),
  'no connection that becomes free': new Error('timeout exceeded when trying to connect'),
  'a server that hangs': new Error('Query read timeout'),
  'a server that dies as it begins TLS': new Error('There was an error establishing an SSL connection'),
  'a COMMIT that was lost, and had no effect': new TransactionAborted('lost', { cause: withCode('57P01') }),
  'a COMMIT of which there is no proof': new CommitUnknown('lost', {
    cause: new Error('Connection terminated unexpectedly'),
  }),
};

const REFUSED: Readonly<Record<string, unknown>> = {
  'a constraint': withCode('23505'),
  'a statement that is wrong': withCode('42601'),
  'something that is not supported': withCode('0A000', { routine: 'transformStmt' }),
  'a deadlock': withCode('40P01'),
  'a lock that others hold': withCode('55P03'),
  'a transaction that failed for another reason': new TransactionAborted('failed', {
    cause: withCode('23505'),
  }),
  'a transaction that failed for none': new TransactionAborted('key used meanwhile'),
  'one server that refused among several': new AggregateError([withCode('ECONNREFUSED'), withCode('28P01')]),
  'a fault of ours': new TypeError('x is not a function'),
  nothing: undefined,
  'a text': 'Connection',
};

test('what a server says that stops, restarts or became a standby is told from what it refuses', () => {
  const wrong = [
    ...Object.entries(AWAY).filter(([, error]) => !isConnectionLoss(error)),
    ...Object.entries(REFUSED).filter(([, error]) => isConnectionLoss(error)),
  ];
  assert.deepEqual(
    wrong.map(([what]) => what),
    [],
  );
});
