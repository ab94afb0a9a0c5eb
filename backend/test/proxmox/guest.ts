// Needs: servers

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Disk } from './machine.ts';

const MetaData = z.object({ 'instance-id': z.string(), 'local-hostname': z.string() });
const CloudConfig = z.object({
  chpasswd: z
    .object({ users: z.array(z.object({ name: z.string(), password: z.string(), type: z.literal('hash') })) })
    .optional(),
});

/** The files of an ISO image as Linux would mount it, read by a program that is none of ours. */
export function readSeed(image: Buffer): Record<string, string> {
  const directory = mkdtempSync(join(tmpdir(), 'seed-'));
  const path = join(directory, 'seed.iso');
  const run = (...args: string[]) => spawnSync('isoinfo', ['-i', path, ...args], { encoding: 'buffer' });
  try {
    writeFileSync(path, image);
    const label = /^Volume id: (.*)$/m.exec(run('-d').stdout.toString())?.[1]?.trim();
    if (label?.toLowerCase() !== 'cidata') return {};
    const names = ['meta-data', 'user-data', 'vendor-data', 'network-config'];
    return Object.fromEntries(names.map((name) => [name, run('-J', '-x', `/${name}`).stdout.toString()]));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What cloud-init does when a machine starts: everything for a new instance, nothing for one that it knows. */
export function cloudInit(disk: Disk, seed: Record<string, string>): void {
  if (seed['meta-data'] === undefined) return;
  const { 'instance-id': instance, 'local-hostname': hostname } = MetaData.parse(parse(seed['meta-data']));
  if (disk.instance === instance) return;
  disk.instance = instance;
  disk.hostname = hostname;
  const [config, script] = partsOf(seed['user-data'] ?? '');
  for (const { name, password } of CloudConfig.parse(parse(config)).chpasswd?.users ?? [])
    disk.logins.set(name, password);
  for (const line of script.split('\n')) {
    const [, command, file] = /^(touch|rm -f) \/(\S+)$/.exec(line) ?? [];
    if (file === undefined) continue;
    if (command === 'touch') disk.files.add(file);
    else disk.files.delete(file);
  }
  disk.finished.add(instance);
}

/** Our configuration, and the customer's script. */
function partsOf(userData: string): [config: string, script: string] {
  const boundary = /^Content-Type: multipart\/mixed; boundary="([^"]+)"/.exec(userData)?.[1];
  if (boundary === undefined) return [userData, ''];
  const [, config = '', script = ''] = userData.split(`--${boundary}`);
  const content = (part: string) => part.slice(part.indexOf('\n\n') + 2);
  return [content(config), Buffer.from(content(script), 'base64').toString()];
}

/** Whether a password has this hash, as the system in a machine would find out. */
export function fits(password: string, hash: string | undefined): boolean {
  const salt = /^\$6\$([^$]+)\$/.exec(hash ?? '')?.[1];
  if (salt === undefined) return false;
  const { stdout } = spawnSync('openssl', ['passwd', '-6', '-salt', salt, '-stdin'], {
    input: `${password}\n`,
  });
  return stdout.toString().trim() === hash;
}
