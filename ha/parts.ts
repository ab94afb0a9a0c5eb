import { access, constants, glob } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';

const PROGRAMS = ['ip', 'nsenter', 'setpriv', 'mount', 'patroni', 'etcd', 'haproxy', 'faketime'];

/** What keeps the proof from being run here, in words; null when everything is there. */
export async function missingParts(): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return 'network namespaces and mounts need root on Linux';
  }
  const missing: string[] = [];
  for (const program of PROGRAMS) if (!(await isInstalled(program))) missing.push(program);
  if ((await postgresPrograms()) === null) missing.push('the PostgreSQL server');
  return missing.length === 0 ? null : `missing: ${missing.join(', ')} (scripts/install.sh ha)`;
}

/** Where the newest PostgreSQL server of Debian's packages is: each version has a folder. Null where there is none. */
export async function postgresPrograms(): Promise<string | null> {
  let newest: { version: number; folder: string } | null = null;
  for await (const program of glob('/usr/lib/postgresql/*/bin/initdb')) {
    const folder = dirname(program);
    const version = Number(basename(dirname(folder)));
    if (newest === null || version > newest.version) newest = { version, folder };
  }
  return newest?.folder ?? null;
}

async function isInstalled(program: string): Promise<boolean> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const found = await Promise.all(
    folders.map((folder) =>
      access(join(folder, program), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
