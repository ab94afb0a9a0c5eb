import { query } from './databases.ts';
import type { DirectOrder, DirectResult } from './direct-orders.ts';
import type { LoadOrder, LoadResult } from './load.ts';
import type { Measurement } from './measurement.ts';
import type { CallableProcess } from './process.ts';
import { processorTime, processorTimeWithChildren } from './processor-time.ts';

/** Measures one side of a case for so many seconds. */
export type Side = (seconds: number) => Promise<Measurement>;

/** A server that is asked over HTTP by the load generator. */
export interface HttpTarget {
  readonly generator: CallableProcess<LoadOrder, LoadResult>;
  readonly postgres: { readonly pid: number };
  readonly server: { readonly port: number; readonly pid: number };
  readonly requests: string;
  readonly connections: number;
}

export function httpSide({ generator, postgres, server, requests, connections }: HttpTarget): Side {
  return async (seconds) => {
    const before = times(server.pid, postgres.pid, generator.pid);
    const result = await generator.call({ port: server.port, connections, requests, seconds });
    const after = times(server.pid, postgres.pid, generator.pid);
    if (result.firstFailure !== null) console.error(result.firstFailure);
    return {
      perSecond: (result.answers / result.milliseconds) * 1000,
      p50: result.p50,
      p99: result.p99,
      failures: result.failures,
      cpu: perRequest(before, after, result.answers),
    };
  };
}

export function directSide(
  clients: CallableProcess<DirectOrder, DirectResult>,
  postgres: { readonly pid: number },
  order: Omit<DirectOrder, 'seconds'>,
): Side {
  return async (seconds) => {
    const before = times(0, postgres.pid, clients.pid);
    const result = await clients.call({ ...order, seconds });
    const after = times(0, postgres.pid, clients.pid);
    if (result.firstFailure !== null) console.error(result.firstFailure);
    return {
      perSecond: (result.orders / result.milliseconds) * 1000,
      p50: result.p50,
      p99: result.p99,
      failures: result.failures,
      cpu: perRequest(before, after, result.orders),
    };
  };
}

/** Every round that writes begins with a checkpoint behind it, so that none pays for what another wrote. */
export function afterCheckpoint(url: string, side: Side): Side {
  return async (seconds) => {
    await query(url, 'CHECKPOINT');
    return await side(seconds);
  };
}

type Times = readonly [program: number | null, postgres: number | null, client: number | null];

function times(program: number, postgres: number, client: number): Times {
  return [
    program === 0 ? 0 : processorTime(program),
    processorTimeWithChildren(postgres),
    processorTime(client),
  ];
}

function perRequest(before: Times, after: Times, requests: number): Measurement['cpu'] {
  const [program, postgres, client] = after.map((time, index) => {
    const earlier = before[index] ?? null;
    return time === null || earlier === null ? null : (time - earlier) / requests;
  });
  if (program == null || postgres == null || client == null) return null;
  return { program, postgres, client };
}
