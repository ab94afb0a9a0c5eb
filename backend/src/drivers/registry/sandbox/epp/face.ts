import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../../db/migrate.ts';
import { Pool } from '../../../../db/pool.ts';
import { Repository } from '../repository.ts';
import { writeCertificates } from './certificates.ts';
import { type EppServer, openEppServer } from './server.ts';

export interface EppFaceOptions {
  /** Of the database that the sandbox keeps its books in. */
  readonly url: string;
  readonly clock: Clock;
  readonly currency: () => string;
  readonly host: string;
  readonly port: number;
  /** Where ca.pem, server.pem and server.key are. */
  readonly directory: string;
  /** Make them there, and certificates for the sandbox's registrars. */
  readonly make: boolean;
  readonly onError: (error: unknown) => void;
}

/** The sandbox registry over EPP, for people and their own clients. */
export async function openEppFace(options: EppFaceOptions): Promise<EppServer> {
  const { url, clock, currency, host, port, directory, make, onError } = options;
  if (make) writeCertificates(directory, ['hostkeep', 'rival'], clock.now());
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  const tls = { ca: read('ca.pem'), cert: read('server.pem'), key: read('server.key') };
  const db = new Pool({ url, size: 4, name: 'hostkeep-sandbox-epp', role: APPLICATION_ROLE });
  const registry = new Repository({ db, clock, currency });
  try {
    const server = await openEppServer({ registry, clock, currency, tls, host, port, onError });
    return {
      port: server.port,
      async close() {
        await server.close();
        await db.end();
      },
    };
  } catch (error) {
    await db.end();
    throw error;
  }
}
