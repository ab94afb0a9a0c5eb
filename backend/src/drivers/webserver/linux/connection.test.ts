import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../../base/clock.ts';
import { linuxConnection } from './connection.ts';

const EXAMPLE = `
backup_directory: /var/backups/webspaces
hosts:
  - name: fra-web-01
    settings:
      php: { '8.2': /usr/sbin/php-fpm8.2 }
      addresses: [198.51.100.10]
      resolvers: [9.9.9.9]
      acme:
        directory: https://acme-v02.api.letsencrypt.org/directory
        contact: hostmaster@hosting.example
        caaIdentities: [letsencrypt.org]
  - name: hel-web-01
    ssh:
      host: web2.hosting.example
      identity_file: /etc/hostkeep/web.key
      known_hosts_file: /etc/hostkeep/known_hosts
    settings:
      php: { '8.2': /usr/sbin/php-fpm8.2 }
`;
const options = async () => ({
  clock: systemClock,
  controlDirectory: join(await mkdtemp(join(tmpdir(), 'connection-')), 'ssh'),
  report: () => {},
});

test("the operator's file names hosts of this machine and others", async () => {
  const { hosts } = linuxConnection(EXAMPLE, await options());
  assert.deepEqual(hosts, ['fra-web-01', 'hel-web-01']);
});

test('a path or a host that a command could take for something else is refused', async () => {
  for (const [from, to] of [
    ['web2.hosting.example', '-oProxyCommand=id'],
    ['/usr/sbin/php-fpm8.2', '/usr/sbin/php fpm; id'],
    ['backup_directory: /var', 'backup_directory: var'],
  ] as const) {
    const given = await options();
    assert.throws(() => linuxConnection(EXAMPLE.replaceAll(from, to), given));
  }
});
