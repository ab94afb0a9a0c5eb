// Slow: 15 s

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { done } from '../../../../test/contracts/webserver.ts';
import { openWebHost, ran } from '../../../../test/web-host.ts';
import { BackendUnavailable } from '../../outcome.ts';
import type { WantedSite } from '../port.ts';
import type { Audit } from './plan.ts';

/** Stops the next plan before this step, as a machine that is switched off does. */
let stopBefore: { readonly plan: RegExp; readonly step: string } | null = null;
const audits: Audit[] = [];
const host = await openWebHost({
  plans: {
    before: (plan, step) => {
      if (stopBefore?.step === step && stopBefore.plan.test(plan))
        throw new Error('the machine is switched off here');
    },
    report: (audit) => audits.push(audit),
  },
});
after(host.close);

const traces = (site: WantedSite) =>
  ran([
    'find',
    host.settings.etc,
    host.settings.sites,
    host.settings.run,
    host.settings.log,
    '-maxdepth',
    '4',
    '-name',
    `*${site.username}*`,
  ]).stdout +
  ran(['find', '/sys/fs/cgroup', '-type', 'd', '-path', `*/${host.settings.mark}/${site.username}`]).stdout +
  ran(['getent', 'passwd', site.username]).stdout +
  ran(['getent', 'group', site.username]).stdout +
  ran(['find', `${host.settings.etc}/sites`, '-name', `${site.webspaceId}*`]).stdout;
const stepsOf = (plan: RegExp) => audits.findLast((audit) => plan.test(audit.plan))?.steps ?? [];

async function stopped(plan: RegExp, step: string, work: () => Promise<unknown>): Promise<void> {
  stopBefore = { plan, step };
  await assert.rejects(work(), BackendUnavailable, step);
  stopBefore = null;
}

// What is the host's own is done before, now that its sshd runs: the steps that are stopped are those of a site.
await host.driver.prepare('web1');
const first = host.wanted({ password: 'correct horse battery' });
done(await host.driver.ensureSite(first));
const making = stepsOf(/^site /)
  .filter(({ did }) => did === 'applied')
  .map(({ step }) => step);
done(await host.driver.ensureSuspended(first));
const suspending = stepsOf(/^suspend /)
  .filter(({ did }) => did === 'applied')
  .map(({ step }) => step);

test('running a plan twice changes nothing: no step, no file, no reload', async () => {
  const site = host.wanted({ password: 'correct horse battery' });
  done(await host.driver.ensureSite(site));
  const look = () => ran(['find', host.settings.etc, '-type', 'f', '-printf', '%p %T@ %i\n']).stdout;
  const [before, reloads] = [look(), host.host.nginx.count];
  done(await host.driver.ensureSite(site));
  assert.ok(
    stepsOf(/^site /).every(({ did }) => did === 'nothing'),
    JSON.stringify(stepsOf(/^site /)),
  );
  assert.equal(look(), before);
  assert.equal(host.host.nginx.count, reloads);
});

test('making a site can be stopped before any step: the next run finishes', async () => {
  assert.ok(making.length >= 10, making.join());
  const site = host.wanted({ password: 'correct horse battery' });
  for (const step of making) await stopped(/^site /, step, () => host.driver.ensureSite(site));
  done(await host.driver.ensureSite(site));
  assert.equal((await host.curl(site.hostnames[0]?.hostname ?? '')).status, 403);
  assert.equal(host.sftp(site.username, 'correct horse battery', 'ls\n').code, 0);
});

for (const step of making) {
  test(`making a site that was stopped before "${step}" can be undone: nothing is left`, async () => {
    const site = host.wanted({ password: 'correct horse battery' });
    await stopped(/^site /, step, () => host.driver.ensureSite(site));
    done(await host.driver.ensureAbsent(site));
    assert.equal(traces(site), '');
  });
}

test('suspending can be stopped before any step: the next run finishes', async () => {
  const site = host.wanted({ password: 'correct horse battery' });
  done(await host.driver.ensureSite(site));
  for (const step of suspending) await stopped(/^suspend /, step, () => host.driver.ensureSuspended(site));
  done(await host.driver.ensureSuspended(site));
  assert.equal((await host.curl(site.hostnames[0]?.hostname ?? '')).status, 503);
  assert.notEqual(host.sftp(site.username, 'correct horse battery', 'ls\n').code, 0);
});

test('removing can be stopped before any step: the next run finishes, and nothing is left', async () => {
  const site = host.wanted({ password: 'correct horse battery' });
  done(await host.driver.ensureSite(site));
  done(await host.driver.ensureDatabase(site, `${site.username}_db`, 'correct horse battery'));
  for (const step of [
    'no virtual hosts',
    'nothing loaded',
    'no php configuration',
    'processes',
    'no control group',
    'no keys',
    'no database',
    'no subvolume',
    'no uploads',
    'nothing at run time',
    'no logs',
    'no user',
    'no record',
  ])
    await stopped(/^remove /, step, () => host.driver.ensureAbsent(site));
  done(await host.driver.ensureAbsent(site));
  assert.equal(traces(site), '');
  const states = ran(['ps', '-o', 'stat=', '-U', String(site.uid)]).stdout.trim();
  assert.ok(
    states.split('\n').every((state) => state === '' || state.startsWith('Z')),
    states,
  );
});

test('a PHP that the host does not have is refused before anything is made', async () => {
  const site = host.wanted({ phpVersion: '5.6' });
  assert.equal((await host.driver.ensureSite(site)).kind, 'refused');
  assert.equal(traces(site), '');
});
