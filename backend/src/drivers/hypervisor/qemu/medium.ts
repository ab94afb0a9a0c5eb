import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { finished, pipeline } from 'node:stream/promises';
import { script } from '../../host/executor.ts';
import type { WantedMedium } from '../port.ts';
import { ImageRefused } from './image.ts';
import { type Machine, Refused } from './machine.ts';
import type { Node } from './node.ts';
import { BOOT_INDEX } from './process.ts';

// It is kept under its checksum: whoever brings another brings another file.
const RECEIVE = `install -d -m 0711 "$1" "$1/media"
umask 077
cat >"$2"`;
const KEEP = `sum=$(sha256sum <"$1")
[ "\${sum%% *}" = "$2" ] || { echo "the file's SHA-256 is \${sum%% *}" >&2; exit 3; }
chmod 0444 "$1"
sync "$1"
mv -fT "$1" "$3"`;

/** Adds a medium from a file of this machine to a node that may be another. Refuses another file than was said. */
export async function uploadMedium(node: Node, file: string, sha256: string): Promise<void> {
  const path = `${node.settings.state}/media/${randomUUID()}.upload`;
  const receiver = node.executor.open(script(RECEIVE, node.settings.state, path));
  receiver.resume();
  try {
    await pipeline(createReadStream(file), receiver);
    await finished(receiver, { writable: false });
    const { code, stderr } = await node.executor.run(script(KEEP, path, sha256, node.medium(sha256)));
    if (code !== 0) throw new ImageRefused(stderr.trim());
  } finally {
    await node.command(['rm', '-f', path]);
  }
}

/** Changes what is in a machine's drive: at once where it runs, and its order of starting with its next start. */
export async function setMedium(
  machine: Machine,
  wanted: WantedMedium | null,
): Promise<{ requiresReboot: boolean }> {
  const { record, process } = await machine.found();
  const { node } = machine;
  if (wanted !== null) {
    const { code } = await node.executor.run(['test', '-r', node.medium(wanted.sha256)]);
    if (code !== 0) throw new Refused(`${node.name} has no medium ${wanted.name}`);
  }
  const medium = wanted === null ? null : { sha256: wanted.sha256, first: wanted.bootFirst };
  await machine.record({ ...record, medium }, record);
  if (process === null) return { requiresReboot: false };
  await machine.command(async (qmp) => {
    if (medium === null) await qmp.execute('eject', { id: 'medium', force: true });
    else
      await qmp.execute('blockdev-change-medium', {
        id: 'medium',
        filename: node.medium(medium.sha256),
        format: 'raw',
        force: true,
        'read-only-mode': 'read-only',
      });
    const index = medium?.first === true ? BOOT_INDEX.mediumFirst : BOOT_INDEX.medium;
    // Its own number is taken, too, until it has none.
    for (const value of [-1, index])
      await qmp.execute('qom-set', { path: '/machine/peripheral/medium', property: 'bootindex', value });
  });
  return { requiresReboot: false };
}
