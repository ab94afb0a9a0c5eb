// Slow: 25 s

import assert from 'node:assert/strict';
import { type ContractSubject, webserverContract } from '../../../../test/contracts/webserver.ts';
import { openWebHost, PHP, ran } from '../../../../test/web-host.ts';
import type { WantedSite } from '../port.ts';

// Debian has one PHP only: the other is a second installation of the same, which says where it is.
const OTHER = '8.99';
const otherProgram = (directory: string) => `${directory}/php-fpm-other`;

async function open(): Promise<ContractSubject> {
  const host = await openWebHost({ php: (directory) => ({ [OTHER]: otherProgram(directory) }) });
  assert.equal(ran(['cp', PHP, otherProgram(host.directory)]).code, 0);
  const path = (username: string, name: string) => `${host.settings.sites}/${username}/htdocs/${name}`;
  async function phpOf(site: WantedSite): Promise<string> {
    host.put(site, 'htdocs/program.php', '<?php echo PHP_BINARY;');
    const { body } = await host.curl(site.hostnames[0]?.hostname ?? '', '/program.php');
    const found = Object.entries(host.settings.php).find(([, program]) => program === body);
    return found?.[0] ?? `none that is known: ${body}`;
  }
  return {
    driver: host.driver,
    wanted: () => host.wanted(),
    otherPhp: OTHER,
    missingPhp: '5.6',
    phpOf,
    writeFile: async (site, name) => host.put(site, `htdocs/${name}`, name),
    hasFile: async ({ username }, name) => host.host.holds(['test', '-f', path(username, name)]),
    async seen({ username }, hostname) {
      const { status } = await host.curl(hostname);
      if (status === 0) return 'nothing';
      if (status === 503) return 'suspended';
      return (await host.host.holds(['test', '-d', path(username, '')])) ? 'site' : 'nothing';
    },
    logsIn: async ({ username }, password) => host.sftp(username, password, 'ls\n').code === 0,
    databaseLogsIn: async (_site, name, password) => host.sql(name, password, 'SELECT 1').code === 0,
    fail: null,
    close: host.close,
  };
}

webserverContract('linux', open);
