// Needs: resolvers

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DelegationSigner } from '../src/base/delegation-signer.ts';
import type { ServerAddress } from '../src/base/name-server.ts';
import { installed } from './dig.ts';

/** What BIND's validator says of a server's answer when all it trusts is the DS of the zone. */
export async function delv(
  { address, port }: ServerAddress,
  zone: string,
  ds: readonly DelegationSigner[],
  name: string,
  type: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hostkeep-delv-'));
  try {
    const anchors = join(folder, 'anchors');
    const trusted = ds.map(
      ({ keyTag, algorithm, digestType, digest }) =>
        `${zone}. static-ds ${keyTag} ${algorithm} ${digestType} "${digest}";`,
    );
    await writeFile(anchors, `trust-anchors { ${trusted.join(' ')} };`);
    const args = [`@${address}`, '-p', String(port), '-a', anchors, `+root=${zone}`, name, type];
    const { stdout, stderr } = await installed(promisify(execFile)('delv', args));
    return stdout + stderr;
  } finally {
    await rm(folder, { recursive: true });
  }
}
