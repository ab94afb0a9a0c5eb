import { readFileSync } from 'node:fs';
import { HttpConnection } from './http-connection.ts';
import { Latencies } from './latencies.ts';
import { answerCalls } from './process.ts';

/**
 * The load generator, a process of its own: keeps every connection busy with one request at a time, chosen
 * uniformly from a file of prepared requests. Both sides of a case get exactly this.
 */
export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  /** A JSON array of whole HTTP requests. */
  readonly requests: string;
  readonly seconds: number;
}

export interface LoadResult {
  readonly answers: number;
  readonly milliseconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
  readonly firstFailure: string | null;
}

const latencies = new Latencies();
let loaded: { file: string; requests: string[] } | null = null;

function requestsOf(file: string): string[] {
  if (loaded?.file !== file)
    loaded = { file, requests: JSON.parse(readFileSync(file, 'latin1')) as string[] };
  return loaded.requests;
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const requests = requestsOf(order.requests);
  latencies.clear();
  let failures = 0;
  let firstFailure: string | null = null;
  const startedAt = performance.now();
  const until = startedAt + order.seconds * 1000;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0;
      const next = () => {
        const request = requests[Math.floor(Math.random() * requests.length)] ?? '';
        sentAt = performance.now();
        connection.send(request);
      };
      const connection = new HttpConnection(
        order.port,
        (status, body) => {
          const now = performance.now();
          if (status === 200) latencies.record(now - sentAt);
          else {
            failures += 1;
            firstFailure ??= `${status} ${body()}`;
          }
          if (now < until) next();
          else {
            connection.close();
            resolve();
          }
        },
        reject,
      );
      next();
    });
  await Promise.all(Array.from({ length: order.connections }, one));
  return {
    answers: latencies.count,
    milliseconds: performance.now() - startedAt,
    p50: latencies.percentile(0.5),
    p99: latencies.percentile(0.99),
    failures,
    firstFailure,
  };
}

answerCalls(run);
