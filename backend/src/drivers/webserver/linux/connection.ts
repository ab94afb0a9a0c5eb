import { mkdirSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { localExecutor } from '../../host/local.ts';
import { sshExecutor } from '../../host/ssh.ts';
import { Host } from './host.ts';
import type { Audit } from './plan.ts';
import { HostSettings } from './settings.ts';
import { LinuxWebserver } from './webserver.ts';

const Path = z.string().regex(/^\//, 'must be an absolute path');

/** The operator's file of web hosts. */
const HostsFile = z.strictObject({
  /** Where backups go: on this machine, or on storage that is mounted here. */
  backup_directory: Path,
  hosts: z
    .array(
      z.strictObject({
        /** As the catalogue names it among its `web_hosts`. */
        name: z.string(),
        /** How it is reached; without, it is this machine. */
        ssh: z
          .strictObject({
            host: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.:-]*$/),
            port: z.int().min(1).max(65_535).default(22),
            user: z.literal('root').default('root'),
            identity_file: Path,
            known_hosts_file: Path,
          })
          .optional(),
        settings: HostSettings,
      }),
    )
    .min(1),
});

export interface LinuxConnectionOptions {
  readonly clock: Clock;
  /** For the sockets of shared connections; made if it is not there. */
  readonly controlDirectory: string;
  /** Hears what every plan did. */
  readonly report: (audit: Audit) => void;
}

export interface LinuxConnection {
  readonly webserver: LinuxWebserver;
  readonly hosts: readonly string[];
  close(): Promise<void>;
}

/** The hosts that a file describes (YAML). Throws ZodError when it is wrong. */
export function linuxConnection(
  text: string,
  { clock, controlDirectory, report }: LinuxConnectionOptions,
): LinuxConnection {
  const file = HostsFile.parse(parse(text, { schema: 'core' }));
  mkdirSync(controlDirectory, { recursive: true, mode: 0o700 });
  const hosts = new Map(
    file.hosts.map(({ name, ssh, settings }) => {
      const executor =
        ssh === undefined
          ? localExecutor('web server')
          : sshExecutor('web server', {
              host: ssh.host,
              port: ssh.port,
              user: ssh.user,
              identityFile: ssh.identity_file,
              knownHostsFile: ssh.known_hosts_file,
              controlDirectory,
            });
      return [name, new Host(executor, settings, { report })];
    }),
  );
  return {
    webserver: new LinuxWebserver({ hosts, clock, backupDirectory: file.backup_directory }),
    hosts: [...hosts.keys()],
    async close() {
      await Promise.all([...hosts.values()].map((host) => host.executor.close()));
    },
  };
}
