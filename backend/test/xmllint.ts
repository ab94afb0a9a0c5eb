// Needs: epp

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCHEMA = fileURLToPath(new URL('./epp-xsd/every.xsd', import.meta.url));

/** Fails for documents that xmllint does not find valid under the schemas of EPP, and shows the first of them. */
export async function assertValidEpp(documents: readonly string[]): Promise<void> {
  const different = [...new Set(documents)];
  const folder = await mkdtemp(join(tmpdir(), 'hostkeep-epp-'));
  try {
    await Promise.all(different.map((document, at) => writeFile(join(folder, `${at}.xml`), document)));
    const files = different.map((_, at) => `${at}.xml`);
    await promisify(execFile)('xmllint', ['--noout', '--nonet', '--schema', SCHEMA, ...files], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    }).catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
      if (error.code === 'ENOENT') assert.fail('xmllint is missing: run scripts/install.sh tests');
      const complaints = (error.stderr ?? '').split('\n').filter((line) => !line.endsWith(' validates'));
      const first = different[Number.parseInt(complaints[0] ?? '', 10)];
      assert.fail(`${complaints.slice(0, 5).join('\n')}\n${first}`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
