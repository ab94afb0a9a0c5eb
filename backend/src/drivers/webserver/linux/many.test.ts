// Slow: 20 s

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, test } from 'node:test';
import { done } from '../../../../test/contracts/webserver.ts';
import { isComplete } from '../../../../test/sample.ts';
import { openWebHost } from '../../../../test/web-host.ts';

/** A nightly run makes 200. */
const SITES = isComplete ? 200 : 60;
const TOGETHER = 20;
const LONG = 15 * 60_000;

const host = await openWebHost({ sizeMib: 8192 });
after(host.close, { timeout: LONG });

const VISITOR = new URL('../../../../test/visitor.ts', import.meta.url).pathname;

/** Visits a page all the while; ended, it says what came of it. */
function visiting(hostname: string, body: string) {
  const child = spawn(process.execPath, [VISITOR, String(host.httpPort), hostname, body], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const ended = new Promise<{ requests: number; failures: string[] }>((resolve, reject) => {
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(printed)) : reject(new Error(`ended with ${code}`)),
    );
  });
  return {
    end() {
      child.stdin.end();
      return ended;
    },
  };
}

test(`${SITES} webspaces on one host, a reload for each batch of changes, and no request dropped meanwhile`, {
  timeout: LONG,
}, async (t) => {
  const visited = host.wanted();
  done(await host.driver.ensureSite(visited));
  host.put(visited, 'htdocs/index.html', 'the page');
  const before = host.host.nginx.count;
  const visits = visiting(visited.hostnames[0]?.hostname ?? '', 'the page');
  const sites = Array.from({ length: SITES - 1 }, () => host.wanted());
  const batches = Math.ceil(sites.length / TOGETHER);
  const begun = performance.now();
  for (let first = 0; first < sites.length; first += TOGETHER) {
    const batch = sites.slice(first, first + TOGETHER);
    for (const outcome of await Promise.all(batch.map((site) => host.driver.ensureSite(site)))) done(outcome);
  }
  const seconds = (performance.now() - begun) / 1000;
  const came = await visits.end();
  const reloads = host.host.nginx.count - before;
  t.diagnostic(`${seconds.toFixed(1)} s, ${reloads} reloads, ${came.requests} requests`);
  assert.deepEqual(came.failures, []);
  assert.ok(came.requests > 5 * SITES, `${came.requests} requests`);
  assert.ok(reloads <= batches + 1, `${reloads} reloads for ${batches} batches of ${TOGETHER}`);
  for (const site of sites) host.put(site, 'htdocs/index.php', `<?php echo '${site.username}';`);
  for (const site of sites) {
    const { status, head, body } = await host.curl(site.hostnames[0]?.hostname ?? '');
    assert.equal(body, site.username, `${status} ${head}`);
  }
  assert.equal((await host.driver.usage('web1')).length, SITES);
  // Here, since so many users take longer to remove than what may come after the tests.
  await host.close();
});
