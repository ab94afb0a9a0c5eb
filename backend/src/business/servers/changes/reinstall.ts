import { z } from 'zod';
import type { Bulk } from '../../../db/changes.ts';
import type { PowerState } from '../../../drivers/hypervisor/port.ts';

/** The job that installs a server anew, and the type of its task. */
export const REINSTALL = 'server.reinstall';

/** What a server is installed with; its secrets are kept apart. */
export const Reinstallation = z.object({
  os: z.string(),
  hostname: z.string(),
  username: z.string(),
  ssh_keys: z.array(z.string()),
  generation: z.int(),
});
export type Reinstallation = z.output<typeof Reinstallation>;

/** The secrets of an installation, as one text to seal. */
const Secrets = z.object({ password: z.string(), user_data: z.string().nullable() });
export type InstallationSecrets = z.output<typeof Secrets>;

export function writeSecrets(secrets: InstallationSecrets): string {
  return JSON.stringify(secrets);
}

/** Throws for anything but what `writeSecrets` wrote, without saying what it is. */
export function readSecrets(text: string | null): InstallationSecrets {
  const read = Secrets.safeParse(text === null ? null : JSON.parse(text));
  if (!read.success) throw new Error('the secrets of an installation cannot be read');
  return read.data;
}

/** A server that was installed anew: what it is now, and its new initial password. */
export const serverReinstalled: Bulk<{
  id: string;
  os: string;
  hostname: string;
  username: string;
  ssh_keys: string;
  password_sealed: Buffer;
  generation: number;
  power_state: PowerState;
}> = {
  name: '~servers.reinstalled',
  columns: {
    id: 'uuid',
    os: 'text',
    hostname: 'text',
    username: 'text',
    ssh_keys: 'jsonb',
    password_sealed: 'bytea',
    generation: 'integer',
    power_state: 'text',
  },
  sql: (rows) =>
    `UPDATE servers SET os = n.os, hostname = n.hostname, username = n.username, password_sealed = n.password_sealed,
       ssh_keys = ARRAY(SELECT jsonb_array_elements_text(n.ssh_keys)), generation = n.generation,
       wanted_power = 'running', power_state = n.power_state, iso = NULL, iso_first = false, rescue_since = NULL
     FROM ${rows} n WHERE servers.id = n.id`,
  key: ({ id }) => id,
};
