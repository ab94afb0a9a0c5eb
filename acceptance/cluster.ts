import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Api } from './api.ts';
import { type Database, newDatabase } from './database.ts';
import { fundedDemo, type Installation, NO_RATE_LIMIT, temporaryDirectory } from './installation.ts';
import { Operator } from './operator.ts';
import { type Running, type Settings, serve, worker } from './program.ts';

/** Two API processes and two workers on one database. */
export interface Cluster extends Installation {
  operator: Operator;
}

/**
 * On a database of its own in the server that `HOSTKEEP_TEST_POSTGRES` names (a superuser's connection), or on
 * the embedded server of a new data directory, which the four processes then share.
 */
export async function cluster(): Promise<Cluster> {
  const directory = await temporaryDirectory();
  const processes: Running[] = [];
  let database: Database | null = null;
  const stop = async () => {
    await Promise.all(processes.map((running) => running.stop()));
    await database?.drop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    database = await newDatabase();
    const settings: Settings = {
      ...NO_RATE_LIMIT,
      HOSTKEEP_DATA: join(directory, 'data'),
      HOSTKEEP_KEY_FILE: join(directory, 'key'),
      // What customers would reach both processes at; answers name it.
      HOSTKEEP_PUBLIC_URL: 'http://hosting.example',
      HOSTKEEP_PUBLIC_PLAYGROUND: 'yes',
      ...(database ? { DATABASE_URL: database.url } : {}),
    };
    const started = async (running: Promise<Running>) => processes.push(await running);
    // The first start fills the database, so the others wait for it.
    await started(serve(['--no-worker'], settings));
    await Promise.all([
      started(serve(['--no-worker'], settings)),
      started(worker([], settings)),
      started(worker([], settings)),
    ]);
    const bases = processes.map(({ address }) => address).filter((address) => address !== '');
    const operator = new Operator([], settings);
    return { api: new Api(bases, await fundedDemo(operator)), operator, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
