// Slow: 4 s

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { done } from '../../../../test/contracts/webserver.ts';
import { openWebHost, ran } from '../../../../test/web-host.ts';
import type { WantedSite } from '../port.ts';
import { phpPid } from './php.ts';
import { endProcesses } from './processes.ts';
import { rotateLogs } from './usage.ts';

const host = await openWebHost();
after(host.close);
const { settings } = host;

async function made(): Promise<WantedSite> {
  const site = host.wanted();
  done(await host.driver.ensureSite(site));
  host.put(site, 'htdocs/index.php', '<?php echo 6 * 7;');
  return site;
}
const nameOf = (site: WantedSite) => site.hostnames[0]?.hostname ?? '';
const runs = async (site: WantedSite) =>
  (await host.driver.list(site.host)).find(({ webspaceId }) => webspaceId === site.webspaceId)?.runs;

test('a site whose PHP a restart of the host has ended is listed so, and ensuring it brings it back', async () => {
  const [site, other] = [await made(), await made()];
  assert.equal(await runs(site), true);
  // What a restart leaves: no process, and nothing below the directory of what runs.
  await endProcesses(host.host, site.uid);
  ran(['rm', '-rf', phpPid(host.host, site)]);
  assert.equal(await runs(site), false);
  assert.equal(await runs(other), true);
  assert.equal((await host.curl(nameOf(site))).status, 502);
  done(await host.driver.ensureSite(site));
  assert.equal(await runs(site), true);
  assert.equal((await host.curl(nameOf(site))).body, '42');
});

test('logs are closed when their day is over, a week of them is kept, and nothing that is asked meanwhile is lost', async () => {
  const site = await made();
  const log = `${settings.log}/${site.username}/access.log`;
  const lines = () => Number(ran(['sh', '-c', `cat ${log}* | grep -c GET`]).stdout.trim());
  const names = () =>
    ran(['sh', '-c', `cd $(dirname ${log}) && ls access.log-*`])
      .stdout.trim()
      .split('\n');
  await host.curl(nameOf(site));
  const today = Temporal.Now.instant();
  await rotateLogs(host.host, today);
  assert.deepEqual(names(), [''], 'its day is not over');
  const tomorrow = today.add({ hours: 24 });
  await Promise.all([
    rotateLogs(host.host, tomorrow),
    ...Array.from({ length: 20 }, () => host.curl(nameOf(site))),
  ]);
  assert.equal(names().length, 1);
  assert.equal(lines(), 21);
  for (let day = 1; day <= 9; day += 1) ran(['touch', `${log}-2020-01-0${day}`]);
  await rotateLogs(host.host, tomorrow);
  assert.equal(names().length, 7);
  assert.equal(lines(), 21);
});
