// Slow: 6 s

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { ran, until } from '../../../../test/web-host.ts';

const KILLED = new URL('../../../../test/web-host-killed.ts', import.meta.url).pathname;

test('a test that is killed leaves nothing on the machine: no process, mount, rule, user, group or directory', async () => {
  const child = spawn(process.execPath, [KILLED], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const { directory, mark, username, uid } = JSON.parse(line) as Record<string, string>;
  assert.ok(directory !== undefined && mark !== undefined && username !== undefined && uid !== undefined);
  const left = () => ({
    directory: ran(['test', '-e', directory]).code === 0,
    mount: ran(['cat', '/proc/mounts']).stdout.includes(directory),
    loop: ran(['losetup', '--list', '--noheadings', '--output', 'BACK-FILE']).stdout.includes(directory),
    rules: ran(['nft', 'list', 'table', 'inet', mark]).code === 0,
    user: ran(['getent', 'passwd', username]).code === 0,
    group: ran(['getent', 'group', username, `${mark.replaceAll('_', '-')}-sftp`]).stdout !== '',
    controls: ran(['sh', '-c', `ls -d /sys/fs/cgroup/${mark} /sys/fs/cgroup/*/${mark}`]).stdout !== '',
    processes: ran(['ps', '-o', 'stat=', '-U', uid]).stdout.replaceAll(/Z\S*\s*/g, '') !== '',
    programs: ran(['pgrep', '-f', `${directory}/`]).code === 0,
  });
  assert.deepEqual(
    Object.entries(left()).filter(([, there]) => !there),
    [],
    'all of it was there',
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  await until('nothing is left', () => Object.values(left()).every((there) => !there));
});
